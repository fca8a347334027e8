import { GatewayError } from '../domain/errors';

export function endpointNotFound(): GatewayError {
  return new GatewayError(
    'webhook_endpoint_not_found',
    'Your organisation has no webhook endpoint with this id. GET /console/api/webhook-endpoints lists them.',
  );
}
