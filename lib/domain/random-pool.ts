import { randomFillSync } from 'node:crypto';

// Random bytes for ids. Asking the system costs twenty times as much as all the rest of an id, so it is asked for many at once.

const POOL_BYTES = 8 * 1024;
const pool = Buffer.alloc(POOL_BYTES);
let used = POOL_BYTES;

/** From 0 to 255. */
export function randomByte(): number {
  const at = take(1);
  return pool[at] ?? 0;
}

/** So many random bytes in hex, two digits each; at most 8,192. */
export function randomHex(bytes: number): string {
  const at = take(bytes);
  return pool.toString('hex', at, at + bytes);
}

/** No byte is given twice. */
function take(bytes: number): number {
  if (used + bytes > POOL_BYTES) {
    randomFillSync(pool);
    used = 0;
  }
  const at = used;
  used += bytes;
  return at;
}
