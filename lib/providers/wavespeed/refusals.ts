import { fieldsOf, type Fields } from '../../domain/json';
import type { JsonAnswer } from '../kit/http/ask-json';
import { refusalWith, type VendorAnswer, type VendorRule } from '../kit/video/refusal';

// The answers and errors of WaveSpeed. Every answer is `{ code, message, data }`; a code other than 200 is an error,
// whatever the status. It is the status again, or one of WaveSpeed's own codes.

/** `refusal` is present if `code` reports an error. */
export interface WavespeedAnswer extends VendorAnswer {
  /** The fields of `data`; none for an error without them. */
  readonly data: Fields;
}

const NO_CREDITS = 'insufficient_credits';

export function readAnswer({ status, headers, json }: JsonAnswer): WavespeedAnswer {
  const { code, message, data } = fieldsOf(json);
  if (!Number.isSafeInteger(code)) return { status, headers, data: {} };
  const answer = { status, headers, data: fieldsOf(data) };
  if (code === 200) return answer;
  const refusal = refusalWith(Number(code), message);
  // No code is documented for an empty account. Recognised by its text, which callers must not see.
  const isOurAccount = /insufficient (credit|balance|fund)|top.?up/i.test(refusal.message ?? '');
  return { ...answer, refusal: { ...refusal, ...(isOurAccount && { code: NO_CREDITS }) } };
}

/** The codes of WaveSpeed that a failed prediction may have too. */
export const CODES = { moderated: 1200, parameterMissing: 1400, parameterInvalid: 1401, mediaUnreachable: 1402 };
export const TIMEOUT_CODE = 5004;

/**
 * Codes of a request that has begun nothing, from https://wavespeed.ai/docs/error-codes (November 2026); all others are
 * judged by their status. An internal error (5000) and a time-out (5004) may occur after the work has begun.
 */
export const refusalRules: readonly VendorRule[] = [
  { code: NO_CREDITS, means: 'balance' },
  { code: CODES.moderated, means: 'policy' },
  { code: CODES.parameterMissing, means: 'invalid' },
  { code: CODES.parameterInvalid, means: 'invalid' },
  { code: CODES.mediaUnreachable, means: 'invalid' },
  // Temporarily unavailable.
  { code: 5003, means: 'unavailable' },
];
