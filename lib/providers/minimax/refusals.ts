import { fieldsOf } from '../../domain/json';
import { readFields, refusalWith, type RefusalMeaning, type VendorRule } from '../kit/video/refusal';

// The errors of MiniMax. The first version of the API always answers with the status 200, and `base_resp` says whether
// that was an error. The second one has statuses, with `{ type: 'error', error: { type, message } }`, where the message
// ends with the code of the first version: `insufficient balance (1008)`.

/**
 * Codes of a request that has begun nothing, from https://platform.minimax.io/docs/api-reference/errorcode (November
 * 2026), and the types of the second version. An unknown error (1000), a time-out (1001), internal errors (1024, 1033)
 * and `server_error` are not among them: they may occur after the work has begun.
 */
export const refusalRules: readonly VendorRule[] = [
  { code: 1002, means: 'rate' },
  // The key does not match the account or is not valid.
  { code: 1004, means: 'auth' },
  { code: 1008, means: 'balance' },
  // Refused content: of the request (1026), and of the finished video (1027).
  { code: 1026, means: 'policy' },
  { code: 1027, means: 'policy' },
  // Too many tokens in this minute.
  { code: 1039, means: 'rate' },
  // Too many connections: the request was not taken.
  { code: 1041, means: 'unavailable' },
  // More than a tenth of the prompt are characters that cannot be seen.
  { code: 1042, means: 'invalid' },
  { code: 2013, means: 'invalid' },
  { code: 2049, means: 'auth' },
  // The plan of the account is used up.
  { code: 2056, means: 'balance' },
  { code: 'bad_request_error', means: 'invalid' },
  { code: 'unprocessable_entity_error', means: 'invalid' },
  { code: 'authorized_error', means: 'auth' },
  { code: 'insufficient_balance_error', means: 'balance' },
  { code: 'rate_limit_error', means: 'rate' },
];

export const readAnswer = readFields(({ base_resp: base, error }) => {
  const { status_code: code, status_msg: text } = fieldsOf(base);
  if (typeof code === 'number' && code !== 0) return refusalWith(code, text);
  const { type, message } = fieldsOf(error);
  return typeof type === 'string' ? refusalWith(codeIn(message) ?? type, message) : undefined;
});

/** Returns the code at the end of a message, if the table has it. */
function codeIn(message: unknown): string | undefined {
  const code = /\((\d{4})\)\W*$/.exec(typeof message === 'string' ? message : '')?.[1];
  return meaningOf(code) === undefined ? undefined : code;
}

/** Returns the meaning of a code in the table; undefined if it is not listed. */
export function meaningOf(code: string | number | undefined): RefusalMeaning | undefined {
  return refusalRules.find((rule) => String(rule.code) === String(code))?.means;
}
