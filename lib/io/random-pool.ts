import { randomFillSync } from 'node:crypto';

// Random bytes for ids. A call to the system costs twenty times as much as the rest of an id, so bytes are fetched in
// batches. A process with two copies of this module has two pools, which is harmless.

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

  /** The offset of that many unused bytes. */
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

/** That many random bytes in hex, two digits each; at most 8,192. */
export function randomHex(length: number): string {
  return pool.hex(length);
}
