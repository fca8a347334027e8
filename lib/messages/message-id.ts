import { randomBytes } from 'node:crypto';

const LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** An id in the form that clients of the messages API know: `msg_` and 24 letters, of more than 128 random bits. */
export function newMessageId(): string {
  let id = 'msg_';
  // 248 is the largest multiple of 62 in a byte: the bytes above it would favour some letters.
  for (const byte of randomBytes(64)) {
    if (byte < 248) id += LETTERS[byte % 62];
    if (id.length === 28) break;
  }
  return id;
}
