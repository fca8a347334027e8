import { modelsEndpoint } from '../../../../lib/http/console/models-endpoints';
import { consoleRoute } from '../../_api/console-route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE } = consoleRoute('/console/api/models', modelsEndpoint);
