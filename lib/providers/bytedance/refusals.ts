import { fieldsOf } from '../../domain/json';
import type { VideoProgress } from '../../domain/video';
import type { JsonAnswer } from '../kit/http/ask-json';
import type { VendorAnswer, VendorRule } from '../kit/video/refusal';

// The errors of ModelArk, `{ error: { code, message, param, type } }`: of a request, and with the status 200 of a task
// that has failed. A code may have a more special one behind a dot.

const moderated = /SensitiveContentDetected/;
const invalid = /^(Invalid|Missing)Parameter(\.|$)/;
const overdue = /^AccountOverdueError(\.|$)/;

/**
 * Codes of a request that has begun nothing, from ModelArk's list of error codes (November 2026). InternalServiceError is
 * not among them: it may occur after the work has begun.
 */
export const refusalRules: readonly VendorRule[] = [
  { code: moderated, means: 'policy' },
  { code: invalid, means: 'invalid' },
  { code: overdue, means: 'balance' },
  { code: /^(AuthenticationError|AccessDenied)(\.|$)/, means: 'auth' },
  // The account has not opened the model, or the region of the key does not have it.
  { code: /^ModelNotOpen(\.|$)/, means: 'not_found' },
  { code: /\.NotFound$/, means: 'not_found' },
  { code: /RateLimitExceeded/, means: 'rate' },
  // The free quota or the tasks in the queue: the code does not say which, so it counts as the one that passes.
  { code: /^QuotaExceeded(\.|$)/, means: 'concurrency' },
  { code: /^(ServerOverloaded|ModelLoadingError)(\.|$)/, means: 'unavailable' },
];

/** An answer to a request that is no success, with ModelArk's own code and message. */
export function refusalOf({ status, headers, json }: JsonAnswer): VendorAnswer {
  const { code, message } = fieldsOf(fieldsOf(json).error);
  if (typeof code !== 'string' || code === '') return { status, headers };
  return { status, headers, refusal: { code, message: typeof message === 'string' ? message : undefined } };
}

type Failed = Extract<VideoProgress, { status: 'failed' }>;

/** Why a task failed whose `error` has this code. */
export function failureOf(code: unknown): Pick<Failed, 'code' | 'message'> {
  const text = typeof code === 'string' ? code : '';
  if (moderated.test(text))
    return {
      code: 'content_policy_violation',
      message: 'The provider refused the content of this video. Change the prompt or the media.',
    };
  if (invalid.test(text))
    return {
      code: 'upstream_rejected',
      message: 'The provider rejected the request as invalid. Change the prompt, the media or the parameters.',
    };
  if (overdue.test(text))
    return { code: 'upstream_auth_failed', message: 'The provider refused the account of this installation.' };
  return { code: 'generation_failed', message: 'The provider could not generate this video.' };
}
