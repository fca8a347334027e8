import { textOf } from '../kit/video/answer-fields';
import { readFields, refusalWith, type VendorRule } from '../kit/video/refusal';

// The errors of Vidu: `{ code, reason, message, metadata }`, where `code` repeats the status and `reason` is a word.

export const readAnswer = readFields(({ reason, message }) => {
  const code = textOf(reason);
  return code === undefined ? undefined : refusalWith(code, message);
});

/** The content was refused, before the work or after it. */
export const POLICY_REASON = /PolicyViolation$|^AuditSubmitIllegal$/;

/**
 * Reasons of a request that has begun nothing, from https://docs.platform.vidu.com (November 2026). Most have the status
 * 400, which would blame the request; so do an empty account and a model that is not available at the moment. An internal
 * error is not among them: it may occur after the work has begun.
 */
export const refusalRules: readonly VendorRule[] = [
  { code: 'CreditInsufficient', means: 'balance' },
  { code: POLICY_REASON, means: 'policy' },
  { code: 'ModelUnavailable', means: 'unavailable' },
  { code: 'BadRequest', means: 'invalid' },
  // A field is missing, not valid, not taken by the model, or a list of the wrong length.
  { code: /^Field/, means: 'invalid' },
  // An image cannot be downloaded or read, or has the wrong size.
  { code: /^Image/, means: 'invalid' },
  { code: 'Unauthorized', means: 'auth' },
  { code: 'TaskNotFound', means: 'not_found' },
  // The account already runs as many tasks as it may.
  { code: 'QuotaExceeded', means: 'concurrency' },
  { code: 'TooManyRequests', means: 'rate' },
  { code: 'SystemThrottling', means: 'rate' },
];
