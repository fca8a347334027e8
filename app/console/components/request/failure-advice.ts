import type { ErrorCode } from '../../../../lib/domain/error-rules';
import type { VideoFailureCode } from '../../../../lib/domain/video';

/** Returns advice for a failed request of any kind, by its error code; undefined if the error needs none. */
export function failureAdvice(code: string | undefined): string | undefined {
  return code === undefined || !Object.hasOwn(ADVICE, code) ? undefined : ADVICE[code];
}

/** The first sentence of the advice, for a list. */
export function shortAdvice(code: string | undefined): string | undefined {
  return failureAdvice(code)?.match(/^.*?\.(?= |$)/)?.[0];
}

/** The error codes with which messages and sessions end. Videos share only those that begin with `upstream_`. */
type AnswerCode =
  | Extract<ErrorCode, `upstream_${string}` | `insufficient_${string}` | `${string}_limit_exceeded`>
  | 'credits_held_by_running_jobs'
  | 'price_not_allowed'
  | 'revoked_api_key'
  | 'expired_api_key'
  | 'organization_suspended'
  | 'overloaded'
  | 'shutting_down'
  | 'database_unavailable'
  | 'invalid_json'
  | 'invalid_body'
  | 'unsupported_value'
  | 'caller_left'
  | 'slow_reader'
  | 'process_ended';

const INVALID = 'Your client sent a message that is not valid. Compare it with the documentation of the endpoint.';

const ADVICE: Readonly<Record<string, string | undefined>> = {
  content_policy_violation:
    'Reword the prompt or use other media, without real people, brands and violence. If audio is optional, try without it: some providers moderate it separately.',
  generation_failed:
    'Try again: the same request often succeeds the second time. Otherwise use a shorter prompt or another model.',
  media_invalid: 'Check that the file opens and has a type that the model supports.',
  media_unreachable: 'Check that the URL is public and needs no sign-in, or upload the file instead.',
  media_too_large: 'Use a smaller file, or the URL of the file instead of an upload.',
  input_seconds_mismatch:
    'Enter the real length of the source video (input_seconds). The playground reads it from an uploaded file.',
  request_too_large: 'Use a shorter prompt, or URLs instead of uploaded files.',
  upstream_rejected: 'Check the settings against what the model supports, or pin another provider.',
  upstream_timeout: 'The provider took too long; your request is valid. Try again, or pin another provider.',
  upstream_auth_failed: 'Your request is valid. Ask the operator to check the account at the provider.',
  upstream_overloaded: 'The provider had too many requests. Try again after a pause, or allow another provider.',
  upstream_invalid_response:
    'The provider sent an answer that could not be read; your request is valid. Try again, or pin another provider.',
  upstream_content_unavailable: 'The provider did not deliver the result. Try again, or pin another provider.',
  upstream_unconfirmed: 'It is unknown whether the provider started the video. Try again.',
  no_provider_available:
    'Every provider of this model rejected the request or could not be reached. Try again later, or use another model.',
  internal_error: 'Your request is valid. Try again; if it fails again, ask the operator.',
  insufficient_credits: 'The credits were used up. Add credits; what was delivered until then is charged.',
  credits_held_by_running_jobs: 'The credits were held by other running requests. Wait until they end, or add credits.',
  key_limit_exceeded: 'The spend limit of the API key was reached. Raise it, or wait for its next period.',
  project_limit_exceeded:
    'The budget of the project was reached. Ask an owner or admin to raise it, or wait for its next period.',
  price_not_allowed:
    'The price exceeded the price ceiling of a policy. Use a cheaper model or a shorter answer, or raise the ceiling.',
  rate_limit_exceeded: 'A limit per minute was exceeded. Send less, or raise the limit of the key.',
  concurrency_limit_exceeded: 'Too many requests ran at the same time. Wait for one to end, or raise the limit.',
  revoked_api_key: 'The API key was revoked while the request ran. Use another key.',
  expired_api_key: 'The API key expired while the request ran. Create a new key, or extend it.',
  organization_suspended:
    'The organisation was suspended, or an owner deleted it, while the request ran. Ask its owners.',
  overloaded: 'This installation was overloaded. Try again later.',
  shutting_down: 'This installation was restarted. Send the request again.',
  database_unavailable: 'The database of this installation was not available. Try again; your request is valid.',
  invalid_json: INVALID,
  invalid_body: INVALID,
  unsupported_value: INVALID,
  caller_left: 'Your client closed the connection. If that was not intended, raise its timeout.',
  slow_reader: 'Your client read the results too slowly. Read from the socket without waiting for other work.',
  process_ended: 'The process that served it ended unexpectedly. Start again; what was delivered is charged.',
  cancelled: undefined,
} satisfies Readonly<Record<VideoFailureCode | AnswerCode, string | undefined>>;

/** The codes with advice, in alphabetical order. */
export const failureCodes: readonly string[] = Object.keys(ADVICE).toSorted();
