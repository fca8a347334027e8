import { isDevelopment } from './development';
import type { ErrorCode } from './error-rules';

// One error class, recognised by a brand and not by `instanceof`, because one process has several copies of this module
// (see docs/decisions/built-once.md). The code is the public identifier; error-rules.ts has everything that follows
// from it.

/** What a failed provider call means for the next step. The attempt loop (`lib/routing`) reads this and never a status. */
export interface UpstreamOutcome {
  /**
   * `never`: the content was refused · `later`: try the same provider after a pause · `elsewhere`: try another
   * provider.
   */
  readonly retry: 'never' | 'later' | 'elsewhere';
  /**
   * Whether the provider could have started work. After `maybe`, work that could be charged twice is not requested
   * again.
   */
  readonly started: 'no' | 'maybe';
  readonly retryAfterMs?: number;
}

export interface ErrorExtra {
  readonly param?: string;
  readonly details?: Readonly<Record<string, unknown>>;
  /** `Retry-After` is rounded up to whole seconds; `retry-after-ms` is exact. */
  readonly retryAfterSeconds?: number;
  /** Overrides the table's value for this error. */
  readonly retry?: boolean;
  readonly upstream?: UpstreamOutcome;
  /** Further headers of the response, such as `content-range`. */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * Node's error code for a failed connection to the upstream, such as `ECONNREFUSED`. It is not a `cause`, which would
   * look like a failure of the database.
   */
  readonly connectionError?: string;
  /** For the log only: a sentence without content of the caller or the provider. */
  readonly detail?: string;
}

const gatewayErrorBrand = Symbol.for('gateway.error');

export class GatewayError extends Error {
  readonly [gatewayErrorBrand] = true;
  override readonly name = 'GatewayError';

  constructor(
    readonly code: ErrorCode,
    /** For the caller: what was wrong, what is allowed, what to do. At most 500 characters, no internal details. */
    message: string,
    readonly extra: ErrorExtra = {},
  ) {
    super(message);
  }
}

/** Recognises a GatewayError of any copy of this module. */
export function isGatewayError(error: unknown): error is GatewayError {
  return typeof error === 'object' && error !== null && gatewayErrorBrand in error;
}

/** The public error code of any thrown value. */
export function codeOf(error: unknown): ErrorCode {
  return isGatewayError(error) ? error.code : 'internal_error';
}

/**
 * Creates the error for content that a provider refused. No other provider is tried, and the caller must change the
 * request.
 */
export function upstreamRefused(message: string): GatewayError {
  return new GatewayError('content_policy_violation', message, { upstream: { retry: 'never', started: 'no' } });
}

/** Creates the error for a provider call that failed or whose result is unknown. `outcome` says what may follow. */
export function upstreamFailed(
  outcome: UpstreamOutcome,
  detail: string,
  code:
    | 'upstream_invalid_response'
    | 'upstream_auth_failed'
    | 'upstream_timeout'
    | 'upstream_content_unavailable' = 'upstream_invalid_response',
): GatewayError {
  return new GatewayError(code, upstreamSentence[code], { upstream: outcome, detail });
}

/** Creates the error for a connection to an upstream that could not be made or was lost. */
export function connectionFailed(outcome: UpstreamOutcome, connectionError: string, detail: string): GatewayError {
  const { code, message, extra } = upstreamFailed(outcome, detail);
  return new GatewayError(code, message, { ...extra, connectionError });
}

/** Creates the error for a finished video whose file no longer exists. `until`: how long it was kept, if known. */
export function videoExpired(until?: Date): GatewayError {
  const fate = until ? `was kept until ${until.toISOString()}` : 'has been deleted';
  return new GatewayError(
    'video_expired',
    `The file of this video ${fate} and can no longer be downloaded. Create the video again.`,
  );
}

const upstreamSentence = {
  upstream_invalid_response: 'The provider gave an answer that could not be used. Try again in a moment.',
  upstream_auth_failed: 'The provider refused the credentials of this installation. Tell the operator.',
  upstream_timeout: 'The provider did not answer in time. Try again in a moment.',
  upstream_content_unavailable: 'The file could not be read from the provider. Try again in a moment.',
};

/**
 * Describes an error for the log: its class and stack frames, and the classes of its causes, each with its code (of
 * Node or Postgres, for example `57014`) and the `detail` of our own errors. Messages are left out, because they may
 * quote the input that caused the error. In `npm run dev`, returns the complete error: its message, its stack and its
 * causes.
 */
export function errorForLog(error: unknown): string {
  if (isDevelopment()) return wholeError(error);
  if (!(error instanceof Error)) return typeof error;
  const frames = (error.stack ?? '')
    .split('\n')
    .filter((line) => line.startsWith('    at '))
    .slice(0, 6);
  const classes = withCauses(error).map((each) =>
    each instanceof Error ? `${each.name}${codeText(each)}${detailText(each)}` : typeof each,
  );
  return [classes.join(' caused by '), ...frames.map((frame) => frame.trim())].join(' | ');
}

function wholeError(error: unknown): string {
  return withCauses(error)
    .map((each) => (each instanceof Error ? (each.stack ?? `${each.name}: ${each.message}`) : String(each)))
    .join('\nCaused by: ');
}

function codeText(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? ` ${error.code}` : '';
}

function detailText(error: Error): string {
  return isGatewayError(error) && error.extra.detail !== undefined ? ` (${error.extra.detail})` : '';
}

const MAX_CAUSES = 5;

/** Returns the error, its cause, the cause of that, and so on: at most five causes. */
export function withCauses(error: unknown): readonly unknown[] {
  const chain = [error];
  let next = error instanceof Error ? error.cause : undefined;
  while (next !== undefined && chain.length <= MAX_CAUSES) {
    chain.push(next);
    next = next instanceof Error ? next.cause : undefined;
  }
  return chain;
}
