import { searchEndpoint } from '../../../../lib/http/console/search-endpoints';
import { consoleRoute } from '../../_api/console-route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE } = consoleRoute('/console/api/search', searchEndpoint);
