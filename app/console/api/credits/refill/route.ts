import { creditsRefillEndpoint } from '../../../../../lib/http/console/endpoints';
import { consoleRoute } from '../../../_api/console-route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE } = consoleRoute(
  '/console/api/credits/refill',
  creditsRefillEndpoint,
);
