import { GatewayError } from '../domain/errors';

/** The same error for an id that is missing, malformed, deleted or of another account, so that it reveals nothing. */
export function videoNotFound(): GatewayError {
  return new GatewayError('video_not_found', 'There is no video with this id. GET /v1/videos lists yours.');
}
