import { isDevelopment } from './development';

// One error class, recognised by a brand and not by `instanceof`, because one process has several copies of this module
// (see docs/decisions/built-once.md). The code is the public identifier; this table has everything that follows from
// it, for all three formats of an error (JSON, messages, sockets).

export const errorTypes = [
  'invalid_request_error',
  'authentication_error',
  'permission_error',
  'insufficient_credits',
  'not_found_error',
  'conflict_error',
  'gone_error',
  'idempotency_error',
  'rate_limit_error',
  'upstream_error',
  'service_unavailable',
  'server_error',
] as const;

type ErrorType = (typeof errorTypes)[number];

interface ErrorRule {
  readonly status: number;
  readonly type: ErrorType;
  /** The value of `x-should-retry`: may the same request succeed later without a change? */
  readonly retry: boolean;
}

const rule = (status: number, type: ErrorType, retry = false): ErrorRule => ({ status, type, retry });

export const errorRules = {
  invalid_json: rule(400, 'invalid_request_error'),
  invalid_body: rule(400, 'invalid_request_error'),
  invalid_path: rule(400, 'invalid_request_error'),
  malformed_request: rule(400, 'invalid_request_error'),
  missing_required_parameter: rule(400, 'invalid_request_error'),
  invalid_type: rule(400, 'invalid_request_error'),
  unsupported_value: rule(400, 'invalid_request_error'),
  unsupported_parameter: rule(400, 'invalid_request_error'),
  conflicting_parameters: rule(400, 'invalid_request_error'),
  missing_required_media: rule(400, 'invalid_request_error'),
  invalid_media_count: rule(400, 'invalid_request_error'),
  url_not_allowed: rule(400, 'invalid_request_error'),
  media_unreachable: rule(400, 'invalid_request_error'),
  media_invalid: rule(400, 'invalid_request_error'),
  media_too_large: rule(400, 'invalid_request_error'),
  string_too_long: rule(400, 'invalid_request_error'),
  invalid_character: rule(400, 'invalid_request_error'),
  model_not_supported: rule(400, 'invalid_request_error'),
  invalid_idempotency_key: rule(400, 'invalid_request_error'),
  content_policy_violation: rule(400, 'invalid_request_error'),
  upstream_rejected: rule(400, 'invalid_request_error'),
  missing_api_key: rule(401, 'authentication_error'),
  invalid_api_key: rule(401, 'authentication_error'),
  revoked_api_key: rule(401, 'authentication_error'),
  expired_api_key: rule(401, 'authentication_error'),
  vendor_key_not_accepted: rule(401, 'authentication_error'),
  not_signed_in: rule(401, 'authentication_error'),
  invalid_operator_token: rule(401, 'authentication_error'),
  insufficient_credits: rule(402, 'insufficient_credits'),
  credits_held_by_running_jobs: rule(402, 'insufficient_credits', true),
  key_limit_exceeded: rule(402, 'insufficient_credits'),
  project_limit_exceeded: rule(402, 'insufficient_credits'),
  organization_suspended: rule(403, 'permission_error'),
  model_not_allowed: rule(403, 'permission_error'),
  provider_not_allowed: rule(403, 'permission_error'),
  endpoint_not_allowed: rule(403, 'permission_error'),
  ip_not_allowed: rule(403, 'permission_error'),
  price_not_allowed: rule(403, 'permission_error'),
  scope_required: rule(403, 'permission_error'),
  role_required: rule(403, 'permission_error'),
  not_a_member: rule(403, 'permission_error'),
  invitation_not_for_you: rule(403, 'permission_error'),
  reauthentication_required: rule(403, 'permission_error'),
  cross_origin: rule(403, 'permission_error'),
  operator_not_configured: rule(403, 'permission_error'),
  invalid_signature: rule(403, 'permission_error'),
  model_not_found: rule(404, 'not_found_error'),
  model_deactivated: rule(404, 'not_found_error'),
  provider_not_found: rule(404, 'not_found_error'),
  provider_model_not_found: rule(404, 'not_found_error'),
  video_not_found: rule(404, 'not_found_error'),
  message_not_found: rule(404, 'not_found_error'),
  session_not_found: rule(404, 'not_found_error'),
  key_not_found: rule(404, 'not_found_error'),
  project_not_found: rule(404, 'not_found_error'),
  credential_not_found: rule(404, 'not_found_error'),
  alert_not_found: rule(404, 'not_found_error'),
  webhook_endpoint_not_found: rule(404, 'not_found_error'),
  organization_not_found: rule(404, 'not_found_error'),
  member_not_found: rule(404, 'not_found_error'),
  account_not_found: rule(404, 'not_found_error'),
  invitation_not_found: rule(404, 'not_found_error'),
  charge_not_found: rule(404, 'not_found_error'),
  delivery_not_found: rule(404, 'not_found_error'),
  route_not_found: rule(404, 'not_found_error'),
  method_not_allowed: rule(405, 'invalid_request_error'),
  request_timeout: rule(408, 'invalid_request_error', true),
  video_not_ready: rule(409, 'conflict_error'),
  video_failed: rule(409, 'conflict_error'),
  video_not_finished: rule(409, 'conflict_error'),
  video_finished: rule(409, 'conflict_error'),
  cancel_not_supported: rule(409, 'conflict_error'),
  key_not_active: rule(409, 'conflict_error'),
  project_not_empty: rule(409, 'conflict_error'),
  project_name_taken: rule(409, 'conflict_error'),
  reference_reused: rule(409, 'conflict_error'),
  balance_too_low: rule(409, 'conflict_error'),
  refund_exceeds_charge: rule(409, 'conflict_error'),
  last_owner: rule(409, 'conflict_error'),
  already_member: rule(409, 'conflict_error'),
  account_exists: rule(409, 'conflict_error'),
  owner_exists: rule(409, 'conflict_error'),
  address_not_verified: rule(409, 'conflict_error'),
  organization_deleting: rule(409, 'conflict_error'),
  price_changed: rule(409, 'conflict_error'),
  idempotency_in_progress: rule(409, 'conflict_error', true),
  video_expired: rule(410, 'gone_error'),
  request_too_large: rule(413, 'invalid_request_error'),
  unsupported_media_type: rule(415, 'invalid_request_error'),
  unsupported_content_encoding: rule(415, 'invalid_request_error'),
  range_not_satisfiable: rule(416, 'invalid_request_error'),
  wrong_host: rule(421, 'invalid_request_error'),
  idempotency_key_reused: rule(422, 'idempotency_error'),
  upgrade_required: rule(426, 'invalid_request_error'),
  headers_too_large: rule(431, 'invalid_request_error'),
  rate_limit_exceeded: rule(429, 'rate_limit_error', true),
  concurrency_limit_exceeded: rule(429, 'rate_limit_error', true),
  internal_error: rule(500, 'server_error', true),
  upstream_invalid_response: rule(502, 'upstream_error', true),
  upstream_auth_failed: rule(502, 'upstream_error', true),
  upstream_content_unavailable: rule(502, 'upstream_error', true),
  no_provider_available: rule(503, 'upstream_error', true),
  database_unavailable: rule(503, 'service_unavailable', true),
  shutting_down: rule(503, 'service_unavailable', true),
  video_on_other_machine: rule(503, 'service_unavailable', true),
  overloaded: rule(503, 'service_unavailable', true),
  upstream_timeout: rule(504, 'upstream_error', true),
  upstream_overloaded: rule(529, 'upstream_error', true),
} as const satisfies Record<string, ErrorRule>;

export type ErrorCode = keyof typeof errorRules;

/** What a failed provider call means for the next step. The attempt loop (`lib/routing`) reads this and never a status. */
export interface UpstreamOutcome {
  /**
   * `never`: the content was refused · `later`: try the same provider after a pause · `elsewhere`: try another
   * provider.
   */
  readonly retry: 'never' | 'later' | 'elsewhere';
  /** Could the provider have started work? After `maybe`, work that could be charged twice is not requested again. */
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

/** A provider refused the content itself: no other provider is tried, and the caller must change the request. */
export function upstreamRefused(message: string): GatewayError {
  return new GatewayError('content_policy_violation', message, { upstream: { retry: 'never', started: 'no' } });
}

/** A provider call failed, or its result is unknown; `outcome` says what may follow. */
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

/** The finished file of a video no longer exists. `until`: how long it was kept, if known. */
export function videoExpired(until?: Date): GatewayError {
  const fate = until ? `was kept until ${until.toISOString()}` : 'has been deleted';
  return new GatewayError(
    'video_expired',
    `The file of this video ${fate} and cannot be downloaded any more. Create the video again.`,
  );
}

const upstreamSentence = {
  upstream_invalid_response: 'The provider gave an answer that could not be used. Try again in a moment.',
  upstream_auth_failed: 'The provider refused the credentials of this installation. Tell the operator.',
  upstream_timeout: 'The provider did not answer in time. Try again in a moment.',
  upstream_content_unavailable: 'The file could not be read from the provider. Try again in a moment.',
};

/**
 * The class and the stack frames of an error, without its message, which may quote the input that caused it. In
 * `npm run dev` the complete error: its message, its stack and its causes.
 */
export function errorForLog(error: unknown): string {
  if (isDevelopment()) return wholeError(error);
  if (!(error instanceof Error)) return typeof error;
  const frames = (error.stack ?? '')
    .split('\n')
    .filter((line) => line.startsWith('    at '))
    .slice(0, 6);
  const code = 'code' in error && typeof error.code === 'string' ? ` ${error.code}` : '';
  return [`${error.name}${code}`, ...frames.map((frame) => frame.trim())].join(' | ');
}

const MAX_CAUSES = 5;

function wholeError(error: unknown): string {
  const texts: string[] = [];
  let next = error;
  do {
    texts.push(next instanceof Error ? (next.stack ?? `${next.name}: ${next.message}`) : String(next));
    next = next instanceof Error ? next.cause : undefined;
  } while (next !== undefined && texts.length <= MAX_CAUSES);
  return texts.join('\nCaused by: ');
}
