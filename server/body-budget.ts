import { getHeapStatistics } from 'node:v8';
import { GatewayError } from '../lib/domain/errors';

// A body of 36 MiB becomes a text, its parsed values and the copies that are stored and sent on: several times its length,
// all at once and until its answer is out. Each is allowed, but twenty of them together would end the process for everybody.

/** Ordinary requests are not counted, however many there are. */
const FREE_BYTES = 1024 * 1024;
/** Of the heap; the rest of it is for what bodies become. */
const SHARE = 1 / 8;

export interface BodyBudget {
  /** The part of one request; to be released when its answer is out. */
  open(): BodyShare;
}

export interface BodyShare {
  /** So many bytes of the body are there, or are announced. Throws `overloaded` when all bodies together are too large. */
  grow(bytes: number): void;
  /** Safe to repeat. */
  release(): void;
}

/** For all large bodies of this process together: at most an eighth of the heap, unless `maxBytes` says otherwise. */
export function createBodyBudget(maxBytes: number = getHeapStatistics().heap_size_limit * SHARE): BodyBudget {
  let usedBytes = 0;
  return {
    open() {
      let takenBytes = 0;
      const release = () => {
        usedBytes -= takenBytes;
        takenBytes = 0;
      };
      return {
        release,
        grow(bytes) {
          const moreBytes = Math.max(0, bytes - FREE_BYTES) - takenBytes;
          if (moreBytes <= 0) return;
          // A single one may be larger than the budget of a small heap.
          if (usedBytes > takenBytes && usedBytes + moreBytes > maxBytes) {
            // At once: of many that come together some must get through.
            release();
            throw new GatewayError(
              'overloaded',
              'Too many large requests are being read at this moment. Try again in a second, or send media as https addresses instead of data URLs.',
            );
          }
          usedBytes += moreBytes;
          takenBytes += moreBytes;
        },
      };
    },
  };
}
