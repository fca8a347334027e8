import { GatewayError } from '../domain/errors';

// A body may take as long as it needs on a slow line, and no longer: every one has a minute, and a large one earns more time
// by arriving.

const BODY_BASE_MS = 60_000;
const BODY_BYTES_PER_MS = 128;

/** How long after its headers a body may go on, when so many bytes of it have come. */
export function bodyDeadlineMs(receivedBytes: number): number {
  return BODY_BASE_MS + receivedBytes / BODY_BYTES_PER_MS;
}

/** The refusal of a body that is later than that. */
export function bodyTooSlow(): GatewayError {
  return new GatewayError(
    'request_timeout',
    'The body did not arrive in time. Send it again over a faster connection.',
  );
}
