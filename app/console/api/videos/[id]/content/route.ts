import { videoContentEndpoint } from '../../../../../../lib/http/console/playground-endpoints';
import { consoleRoute } from '../../../../_api/console-route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE } = consoleRoute(
  '/console/api/videos/:id/content',
  videoContentEndpoint,
);
