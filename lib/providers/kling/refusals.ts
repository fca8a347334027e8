import { fieldsOf } from '../../domain/json';
import type { JsonAnswer } from '../kit/http/ask-json';
import { refusalWith, type VendorAnswer, type VendorRule } from '../kit/video/refusal';

// The answers and errors of Kling. Every answer of both generations is `{ code, message, request_id, data }`; a code
// other than 0 is an error, whatever the status.

/** `refusal` is present if `code` reports an error. */
export interface KlingAnswer extends VendorAnswer {
  /** The field `data`; undefined for an error, and for a body of another shape. */
  readonly data: unknown;
}

export function readAnswer({ status, headers, json }: JsonAnswer): KlingAnswer {
  const { code, message, data } = fieldsOf(json);
  if (!Number.isSafeInteger(code)) return { status, headers, data: undefined };
  return { status, headers, data, ...(code !== 0 && { refusal: refusalWith(Number(code), message) }) };
}

/** Returns whether Kling has refused the token of the request, and not the request itself. */
export function refusesToken({ refusal }: KlingAnswer): boolean {
  return TOKEN_CODE.test(String(refusal?.code));
}

/** The token is missing, invalid, not valid yet or expired. */
const TOKEN_CODE = /^100[0-4]$/;

/** The task or the model does not exist. */
export const NOT_FOUND_CODE = 1203;

/**
 * Codes of a request that has begun nothing, from https://app.klingai.com/global/dev/document-api/apiReference/
 * commonInfo (November 2026). An internal error (5000) and a time-out (5002) are not among them: they may occur after
 * the work has begun.
 */
export const refusalRules: readonly VendorRule[] = [
  { code: TOKEN_CODE, means: 'auth' },
  // There is a problem with the account.
  { code: 1100, means: 'auth' },
  // The account is in arrears, or its package is used up or has expired.
  { code: 1101, means: 'balance' },
  { code: 1102, means: 'balance' },
  // The account may not use the model.
  { code: 1103, means: 'not_found' },
  { code: 1200, means: 'invalid' },
  { code: 1201, means: 'invalid' },
  // The path does not support the method, so the base URL is probably wrong.
  { code: 1202, means: 'not_found' },
  { code: NOT_FOUND_CODE, means: 'not_found' },
  { code: 1300, means: 'policy' },
  { code: 1301, means: 'policy' },
  { code: 1302, means: 'rate' },
  // The account already runs as many videos as its package allows.
  { code: 1303, means: 'concurrency' },
  // The IP address of this installation is not on the account's allow-list.
  { code: 1304, means: 'auth' },
  // Temporarily unavailable, for example for maintenance.
  { code: 5001, means: 'unavailable' },
];
