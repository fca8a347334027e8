import { quotesEndpoint } from '../../../../lib/http/console/quotes-endpoints';
import { consoleRoute } from '../../_api/console-route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE } = consoleRoute('/console/api/quotes', quotesEndpoint);
