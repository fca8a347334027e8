import { randomFillSync } from 'node:crypto';

const LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const LENGTH = 24;
/** Asking the system costs more than all the rest of an id, so it is asked for many at once. */
const POOL_BYTES = 8 * 1024;

/** Makes ids in the form that clients of the messages API know: `msg_` and 24 letters, of more than 128 random bits. */
export function createMessageIds(): () => string {
  const pool = Buffer.alloc(POOL_BYTES);
  let at = POOL_BYTES;

  return () => {
    let id = 'msg_';
    for (let letters = 0; letters < LENGTH; ) {
      if (at === POOL_BYTES) {
        randomFillSync(pool);
        at = 0;
      }
      const byte = pool[at] ?? 255;
      at += 1;
      // 248 is the largest multiple of 62 in a byte: the bytes above it would favour some letters.
      if (byte >= 248) continue;
      id += LETTERS[byte % 62];
      letters += 1;
    }
    return id;
  };
}
