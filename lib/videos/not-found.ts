import { GatewayError } from '../domain/errors';

/** Returns the same error for an id that is unknown, malformed, deleted or of another account: it reveals nothing. */
export function videoNotFound(): GatewayError {
  return new GatewayError('video_not_found', 'There is no video with this id. GET /v1/videos lists yours.');
}
