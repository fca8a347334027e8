import { getHeapStatistics } from 'node:v8';
import { GatewayError } from '../lib/domain/errors';

// Limits the memory of large request bodies. A body of 36 MiB becomes a text, its parsed values and the copies that are
// stored and sent: several times its size, until its response is sent. Each of them is allowed, but twenty at once
// would exhaust the heap of the process.

/** Smaller requests are not counted, however many there are. */
const FREE_BYTES = 1024 * 1024;
/** The share of the heap; the rest is for the values made from the bodies. */
const SHARE = 1 / 8;

export interface BodyBudget {
  /** The reservation of one request; release it when its response is sent. */
  open(): BodyShare;
}

export interface BodyShare {
  /**
   * Reserves the received or announced bytes of the body. Throws `overloaded` when all bodies together are too large.
   */
  grow(bytes: number): void;
  /** Safe to repeat. */
  release(): void;
}

/** One budget for all large bodies of this process: at most an eighth of the heap, unless `maxBytes` is given. */
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
          // A single body may be larger than the budget of a small heap.
          if (usedBytes > takenBytes && usedBytes + moreBytes > maxBytes) {
            // Refused immediately: of many simultaneous bodies some must get through.
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
