import type { ErrorJson } from '../contract/errors';
import { errorRules, type ErrorCode } from '../domain/error-rules';
import type { GatewayError } from '../domain/errors';
import { messagesErrorText } from '../messages/answer/present-error';
import { JSON_TYPE, type GatewayResponse } from './handler';

// The one place that converts an error to an HTTP response. Status, type and retry come from the table of error codes;
// only the body format depends on the path, because `/v1/messages` and `/v1/models_compat` serve another family of
// SDKs.

/** Seconds to wait when the error itself has no value. */
const RETRY_AFTER_SECONDS: Partial<Record<ErrorCode, number>> = {
  credits_held_by_running_jobs: 30,
  idempotency_in_progress: 1,
  video_not_ready: 5,
  rate_limit_exceeded: 1,
  concurrency_limit_exceeded: 5,
  no_provider_available: 5,
  database_unavailable: 2,
  shutting_down: 5,
  overloaded: 1,
  upstream_overloaded: 2,
  video_on_other_machine: 2,
};

/** Returns the response for an error; `headers` are added (`Allow` for a wrong method). */
export function errorResponse(
  error: GatewayError,
  path: string,
  requestId: string,
  headers: Readonly<Record<string, string>> = {},
): GatewayResponse {
  const rule = errorRules[error.code];
  const retry = error.extra.retry ?? rule.retry;
  const all: Record<string, string> = {
    'x-should-retry': String(retry),
    'cache-control': 'no-store',
    ...headers,
    ...error.extra.headers,
  };
  const wait = error.extra.retryAfterSeconds ?? waitSeconds(error.code, retry);
  if (wait !== undefined) {
    all['retry-after'] = String(Math.max(1, Math.ceil(wait)));
    all['retry-after-ms'] = String(Math.max(1, Math.ceil(wait * 1_000)));
  }
  if (rule.status === 401) all['www-authenticate'] = 'Bearer';
  if (rule.status === 426) all['upgrade'] = 'websocket';
  all['content-type'] = JSON_TYPE;
  return { status: rule.status, headers: all, body: errorText(error, path, requestId) };
}

/** Returns the body of an error, in the format of the path. */
export function errorText(error: GatewayError, path: string, requestId: string): string {
  const { type } = errorRules[error.code];
  const { message, code, extra } = error;
  if (/^(?:(?:\/v1){0,2}\/messages(?:\/|$)|\/v1\/models_compat$)/.test(path))
    return messagesErrorText(error, requestId);
  const { param = null, details } = extra;
  const body: ErrorJson = {
    error: { message, type, param, code, request_id: requestId, ...(details && { details }) },
  };
  return JSON.stringify(body);
}

// A delay is useful only if the same request may succeed later; a code outside the table has no delay.
function waitSeconds(code: ErrorCode, retry: boolean): number | undefined {
  if (!retry && code !== 'video_not_ready') return undefined;
  return RETRY_AFTER_SECONDS[code];
}
