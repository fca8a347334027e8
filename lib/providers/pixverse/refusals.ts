import { type Fields, fieldsOf } from '../../domain/json';
import type { JsonAnswer } from '../kit/http/ask-json';
import { refusalWith, type VendorAnswer, type VendorRule } from '../kit/video/refusal';

// The answers and errors of PixVerse. Every answer is `{ ErrCode, ErrMsg, Resp }`, usually with the status 200, also if
// `ErrCode` reports an error.

/** `refusal` is present if `ErrCode` reports an error. */
export interface PixverseAnswer extends VendorAnswer {
  /** The fields of `Resp`; none for an error. */
  readonly resp: Fields;
}

export function readAnswer({ status, headers, json }: JsonAnswer): PixverseAnswer {
  const { ErrCode: code, ErrMsg: message, Resp } = fieldsOf(json);
  if (!Number.isSafeInteger(code)) return { status, headers, resp: {} };
  const answer = { status, headers, resp: fieldsOf(Resp) };
  return code === 0 ? answer : { ...answer, refusal: refusalWith(Number(code), message) };
}

/** Parses the id of an upload or a video: a number, which `askJson` returns as text if it is long. Never 0. */
export function parseId(value: unknown): string | undefined {
  const text = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value;
  return typeof text === 'string' && /^[\w-]{1,100}$/.test(text) && text !== '0' ? text : undefined;
}

/** The code for a video or an image that PixVerse does not know. */
export const NOT_FOUND_CODE = 500_008;

/**
 * Codes of a request that has begun nothing, from https://docs.platform.pixverse.ai/error-codes-796041m0 (November
 * 2026). Internal errors (500100, 99999) are not among them: they may occur after the work has begun.
 */
export const refusalRules: readonly VendorRule[] = [
  // The API key is expired, missing or not valid.
  { code: 10_001, means: 'auth' },
  { code: 10_003, means: 'auth' },
  { code: 10_005, means: 'auth' },
  // The account is not valid, or may not do this.
  { code: 400_012, means: 'auth' },
  { code: 500_020, means: 'auth' },
  // A parameter is empty, of the wrong type, not valid or too long.
  { code: 400_011, means: 'invalid' },
  { code: 400_013, means: 'invalid' },
  { code: 400_017, means: 'invalid' },
  { code: 400_018, means: 'invalid' },
  { code: 400_019, means: 'invalid' },
  // An image is unknown, too large, unreadable, of another format, or too wide or high.
  { code: 400_032, means: 'invalid' },
  { code: NOT_FOUND_CODE, means: 'invalid' },
  { code: 500_030, means: 'invalid' },
  { code: 500_031, means: 'invalid' },
  { code: 500_032, means: 'invalid' },
  { code: 500_033, means: 'invalid' },
  { code: 500_042, means: 'invalid' },
  // The account already runs as many videos as its plan allows.
  { code: 500_044, means: 'concurrency' },
  { code: 500_054, means: 'policy' },
  { code: 500_063, means: 'policy' },
  // The service is under high load.
  { code: 500_069, means: 'unavailable' },
  { code: 500_090, means: 'balance' },
];
