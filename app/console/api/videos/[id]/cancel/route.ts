import { videoCancelEndpoint } from '../../../../../../lib/http/console/jobs-endpoints';
import { consoleRoute } from '../../../../_api/console-route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE } = consoleRoute(
  '/console/api/videos/:id/cancel',
  videoCancelEndpoint,
);
