import { fieldsOf, type Fields } from '../../../domain/json';
import type { JsonAnswer } from '../http/ask-json';
import { textOf } from './answer-fields';
import type { VendorAnswer, VendorRule } from './refusal';

// The errors of Google's APIs for videos: `{"error": {"code", "message", "status", "details"}}`, where `status` is a
// word of gRPC; the Interactions API has a word in `code` and no `status`, such as `invalid_request`. Reference:
// ai.google.dev, "Troubleshooting" and "Billing", 2026; google.rpc.ErrorInfo and RetryInfo.

/** Our code for content that the filter refused; the API itself answers INVALID_ARGUMENT. */
const MODERATED = 'MODERATED';

/**
 * RESOURCE_EXHAUSTED is not listed, because its HTTP status decides: 429 is the rate, 402 an account without credits.
 */
export const refusalRules: readonly VendorRule[] = [
  { code: MODERATED, means: 'policy' },
  // An unknown, expired or restricted key is a 400 (INVALID_ARGUMENT) or a 403.
  { code: /^API_KEY_/, means: 'auth' },
  { code: 'UNAUTHENTICATED', means: 'auth' },
  { code: 'PERMISSION_DENIED', means: 'auth' },
  // The project has no billing account, or is not ready for the model. The request itself is not the cause.
  { code: 'FAILED_PRECONDITION', means: 'balance' },
  { code: /^INVALID_(ARGUMENT|REQUEST)$/, means: 'invalid' },
  { code: 'OUT_OF_RANGE', means: 'invalid' },
  { code: 'NOT_FOUND', means: 'not_found' },
  // The API has not taken the request. With INTERNAL, UNKNOWN and DEADLINE_EXCEEDED, which are not listed, it may have.
  { code: 'UNAVAILABLE', means: 'unavailable' },
];

/**
 * Returns whether the filter refused the content, for which the APIs have no code. The filter of Veo ends its messages
 * with "Support codes: …", which other errors do not; the filter of Gemini Omni names itself.
 */
export function isModerated(message: string): boolean {
  return /\bsupport codes?\b|\bsafety (filter|polic)|\bprohibited content\b/i.test(message);
}

/** Converts an answer to the form that the kit interprets. */
export function vendorAnswer({ status, headers, json }: JsonAnswer): VendorAnswer {
  const error = fieldsOf(fieldsOf(json).error);
  const word = typeof error.status === 'string' ? error.status : error.code;
  if (typeof word !== 'string') return { status, headers };
  const message = typeof error.message === 'string' ? error.message : '';
  const details = Array.isArray(error.details) ? error.details.map(fieldsOf) : [];
  return {
    status,
    headers: { ...pauseHeader(details), ...headers },
    refusal: { code: codeOf(word.toUpperCase(), message, details), message },
  };
}

function codeOf(word: string, message: string, details: readonly Fields[]): string {
  const keyError = details.map(({ reason }) => textOf(reason)).find((reason) => reason?.startsWith('API_KEY_'));
  if (keyError !== undefined) return keyError;
  // The Interactions API has no details.
  if (word === 'INVALID_REQUEST' && /^API key\b/i.test(message)) return 'API_KEY_INVALID';
  return word.startsWith('INVALID_') && isModerated(message) ? MODERATED : word;
}

/** Returns the pause as a `Retry-After` header, which the API does not send. RetryInfo states it as `"34.5s"`. */
function pauseHeader(details: readonly Fields[]): Readonly<Record<string, string>> {
  const delay = details
    .map(({ retryDelay }) => /^(\d{1,6}(?:\.\d+)?)s$/.exec(textOf(retryDelay) ?? '')?.[1])
    .find(Boolean);
  return delay === undefined ? {} : { 'retry-after-ms': String(Math.ceil(Number(delay) * 1_000)) };
}
