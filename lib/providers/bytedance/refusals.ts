import { fieldsOf } from '../../domain/json';
import { textOf } from '../kit/video/answer-fields';
import { ACCOUNT_REFUSED, moderated, NOT_GENERATED, REQUEST_REJECTED, type VideoFailure } from '../kit/video/progress';
import { readFields, refusalWith, type VendorRule } from '../kit/video/refusal';

// The errors of ModelArk, `{ error: { code, message, param, type } }`: of a request, and with the status 200 of a task
// that has failed. A code may have a more special one behind a dot.

const sensitive = /SensitiveContentDetected/;
const invalid = /^(Invalid|Missing)Parameter(\.|$)/;
const overdue = /^AccountOverdueError(\.|$)/;

/**
 * Codes of a request that has begun nothing, from ModelArk's list of error codes (November 2026). InternalServiceError
 * is not among them: it may occur after the work has begun.
 */
export const refusalRules: readonly VendorRule[] = [
  { code: sensitive, means: 'policy' },
  { code: invalid, means: 'invalid' },
  { code: overdue, means: 'balance' },
  { code: /^(AuthenticationError|AccessDenied)(\.|$)/, means: 'auth' },
  // The account has not opened the model, or the region of the key does not have it.
  { code: /^ModelNotOpen(\.|$)/, means: 'not_found' },
  { code: /\.NotFound$/, means: 'not_found' },
  { code: /RateLimitExceeded/, means: 'rate' },
  // Either the free quota or the limit of queued tasks. The code does not say which, so the temporary one is assumed.
  { code: /^QuotaExceeded(\.|$)/, means: 'concurrency' },
  { code: /^(ServerOverloaded|ModelLoadingError)(\.|$)/, means: 'unavailable' },
];

export const readAnswer = readFields(({ error }) => {
  const { code, message } = fieldsOf(error);
  const word = textOf(code);
  return word === undefined ? undefined : refusalWith(word, message);
});

/** Returns why a task failed, by the code of its `error`. */
export function failureOf(code: unknown): VideoFailure {
  const text = typeof code === 'string' ? code : '';
  if (sensitive.test(text)) return moderated('media');
  if (invalid.test(text)) return REQUEST_REJECTED;
  if (overdue.test(text)) return ACCOUNT_REFUSED;
  return NOT_GENERATED;
}
