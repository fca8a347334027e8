import { signInLinksEndpoint } from '../../../../lib/http/console/sign-in-endpoints';
import { consoleRoute } from '../../_api/console-route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE } = consoleRoute('/console/api/sign-in-links', signInLinksEndpoint);
