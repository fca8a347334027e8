import { videosEndpoint } from '../../../../lib/http/console/jobs-endpoints';
import { videoSubmissionRoute } from '../../../../lib/http/console/playground-endpoints';
import { consoleRoute } from '../../_api/console-route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE } = consoleRoute('/console/api/videos', {
  ...videosEndpoint,
  POST: videoSubmissionRoute,
});
