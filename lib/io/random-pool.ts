import { randomFillSync } from 'node:crypto';

// Random bytes for ids. Asking the system costs twenty times as much as all the rest of an id, so it is asked for many at once.
// A process that loads this twice has two pools, and no id the more for it.

const POOL_BYTES = 8 * 1024;

class RandomPool {
  readonly #bytes = Buffer.alloc(POOL_BYTES);
  #used = POOL_BYTES;

  byte(): number {
    return this.#bytes[this.#take(1)] ?? 0;
  }

  hex(length: number): string {
    const at = this.#take(length);
    return this.#bytes.toString('hex', at, at + length);
  }

  /** Where so many bytes lie that nobody was given before. */
  #take(length: number): number {
    if (this.#used + length > POOL_BYTES) {
      randomFillSync(this.#bytes);
      this.#used = 0;
    }
    const at = this.#used;
    this.#used += length;
    return at;
  }
}

const pool = new RandomPool();

/** From 0 to 255. */
export function randomByte(): number {
  return pool.byte();
}

/** So many random bytes in hex, two digits each; at most 8,192. */
export function randomHex(length: number): string {
  return pool.hex(length);
}
