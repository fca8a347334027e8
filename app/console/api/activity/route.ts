import { activityEndpoint } from '../../../../lib/http/console/activity-endpoints';
import { consoleRoute } from '../../_api/console-route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE } = consoleRoute('/console/api/activity', activityEndpoint);
