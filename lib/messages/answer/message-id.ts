import { randomByte } from '../../io/random-pool';

const LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const LENGTH = 24;

/**
 * Returns a new id in the form that clients of the messages API know: `msg_` and 24 letters or digits, more than 128
 * random bits.
 */
export function newMessageId(): string {
  let id = 'msg_';
  for (let letters = 0; letters < LENGTH;) {
    const byte = randomByte();
    // 248 is the largest multiple of 62 in a byte; using the bytes above it would make some letters more likely.
    if (byte >= 248) continue;
    id += LETTERS[byte % 62];
    letters += 1;
  }
  return id;
}
