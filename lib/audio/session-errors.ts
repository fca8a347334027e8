import { errorRules, GatewayError, isGatewayError } from '../domain/errors';

// What a session says when it refuses or fails: the error of the specification as a text message, then a close code. The
// codes repeat the HTTP status where a caller must act, because some clients see only the close.

export interface SocketRefusal {
  /** The text message. */
  readonly text: string;
  readonly code: number;
  readonly closeCode: number;
  /** For the close frame; far below its limit of 123 bytes. */
  readonly closeReason: string;
}

export const closeCodes = {
  normal: 1000,
  goingAway: 1001,
  badRequest: 1008,
  failed: 1011,
  slow: 1013,
} as const;

/** Any error as the session tells it. What is not ours is told without a word about our insides. */
export function refusalOf(thrown: unknown): SocketRefusal {
  const error = isGatewayError(thrown)
    ? thrown
    : new GatewayError('internal_error', 'Something went wrong on our side. Try again in a moment.');
  const code = socketCode(error);
  return {
    text: JSON.stringify({ type: 'error', message: error.message, code }),
    code,
    // Too many messages are the client's own doing, as a message that cannot be understood is.
    closeCode: error.code === 'rate_limit_exceeded' ? closeCodes.badRequest : closeCodeOf(code),
    closeReason: error.code,
  };
}

/** The specification knows 400, 401, 402, 403 and 502; 429, 500 and 503 are ours, for what is none of these. */
function socketCode(error: GatewayError): number {
  const { status, type } = errorRules[error.code];
  if (error.extra.upstream) return status < 500 && error.extra.upstream.retry === 'never' ? 400 : 502;
  if (type === 'upstream_error') return 502;
  if (status === 401 || status === 402 || status === 403 || status === 429 || status >= 500) return status;
  return 400;
}

function closeCodeOf(code: number): number {
  if (code === 400) return closeCodes.badRequest;
  if (code === 503) return closeCodes.slow;
  if (code >= 500) return closeCodes.failed;
  return 4000 + code;
}
