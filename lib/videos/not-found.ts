import { GatewayError } from '../domain/errors';

/** One answer for a missing id, a malformed one, a deleted one and somebody else's: nothing can be told from it. */
export function videoNotFound(): GatewayError {
  return new GatewayError('video_not_found', 'There is no video with this id. GET /v1/videos lists yours.');
}
