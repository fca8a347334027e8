import { GatewayError } from '../domain/errors';

// The time limit of a request body: one minute for every body, plus time in proportion to the bytes received, so that a
// large body on a slow connection is accepted and a stalled one is not.

const BODY_BASE_MS = 60_000;
const BODY_BYTES_PER_MS = 128;

/** Returns how long after the headers a body may take of which this many bytes have arrived. */
export function bodyDeadlineMs(receivedBytes: number): number {
  return BODY_BASE_MS + receivedBytes / BODY_BYTES_PER_MS;
}

/** Returns the error for a body that exceeds its time limit. */
export function bodyTooSlow(): GatewayError {
  return new GatewayError(
    'request_timeout',
    'The body did not arrive in time. Send it again over a faster connection.',
  );
}
