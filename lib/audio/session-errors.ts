import type { SocketErrorJson } from '../contract/audio';
import { errorRules } from '../domain/error-rules';
import { errorForLog, isGatewayError, type GatewayError } from '../domain/errors';
import type { Log, LogFields } from '../domain/log';
import { asGatewayError } from '../domain/database-failure';

// Presents errors on a session's socket: the error of the specification as a text message, then a close code. The codes
// repeat the HTTP status where the client must act, because some clients see only the close frame.

export interface SocketRefusal {
  readonly error: GatewayError;
  /** The error as a text message. */
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

/** Presents any thrown value. An unexpected error reveals nothing about our internals. */
export function refusalOf(thrown: unknown): SocketRefusal {
  const error = asGatewayError(thrown, 'Try again in a moment.');
  const code = socketCode(error);
  return {
    error,
    text: JSON.stringify({ type: 'error', message: error.message, code } satisfies SocketErrorJson),
    code,
    closeCode: isFlood(error) ? closeCodes.badRequest : closeCodeOf(code),
    closeReason: error.code,
  };
}

/** Logs why a session failed. An error of the client is logged only with the end of the session. */
export function logFailure(log: Log, thrown: unknown, fields: LogFields): void {
  const { code, extra } = asGatewayError(thrown);
  if (code === 'internal_error') log.error('an audio session failed', { ...fields, error: errorForLog(thrown) });
  else if (!isGatewayError(thrown))
    log.warn('an audio session failed', { ...fields, code, error: errorForLog(thrown) });
  else if (extra.detail !== undefined)
    log.warn('an upstream failed an audio session', { ...fields, code, error: extra.detail });
}

/**
 * Whether the client sent too many messages on one socket. This is the client's error, like a message that cannot be
 * parsed. The errors of a key's or organisation's limit, in contrast, say when to connect again.
 */
function isFlood({ code, extra }: GatewayError): boolean {
  return code === 'rate_limit_exceeded' && extra.retryAfterSeconds === undefined;
}

/** The specification defines 400, 401, 402, 403 and 502. We add 429, 500 and 503 for the remaining cases. */
function socketCode(error: GatewayError): number {
  const { status, type } = errorRules[error.code];
  if (error.extra.upstream) return status < 500 && error.extra.upstream.retry === 'never' ? 400 : 502;
  // For a model without a provider here, no provider was called.
  if (type === 'upstream_error' && error.code !== 'no_provider_available') return 502;
  if (status === 401 || status === 402 || status === 403 || status === 429 || status >= 500) return status;
  return 400;
}

function closeCodeOf(code: number): number {
  if (code === 400) return closeCodes.badRequest;
  if (code === 503) return closeCodes.slow;
  if (code >= 500) return closeCodes.failed;
  return 4000 + code;
}
