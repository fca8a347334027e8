import { getHeapStatistics } from 'node:v8';
import { GatewayError } from '../domain/errors';
import { limitSentence, type LimitScope } from '../domain/limits';
import type { Mode } from '../domain/video';

// Limits the memory of request bodies. A body of 36 MiB becomes a text, its parsed values and the copies that are
// stored and sent: several times its size, until its response is sent. Each of them is allowed, but twenty at once
// would exhaust the heap of the process. Memory belongs to one process, so its bytes are counted in that process only.

/** The share of the heap that all bodies may use; the rest is for the values made from them. */
const HEAP_SHARE = 1 / 8;
/** The share of these bytes for test requests, so that test traffic is refused before live traffic. */
const TEST_BODY_SHARE = 1 / 2;
export const MIB = 1024 * 1024;

export interface BodyShare {
  /**
   * Reserves the received bytes of the body. Throws `concurrency_limit_exceeded` if all bodies of the key or the
   * organisation together are too large, and `overloaded` if those of this process are.
   */
  grow(bytes: number): void;
  /** Safe to repeat. */
  release(): void;
}

/** The limit of a key or an organisation; `name` identifies it. */
export interface BodyLimit {
  readonly scope: LimitScope;
  readonly name: string;
  /** The limit in MiB. */
  readonly max: number;
}

export interface BodyBudget {
  /** Opens the reservation of one request; release it when its response has ended. */
  open(mode: Mode, limits: readonly BodyLimit[]): BodyShare;
  /** Returns the bytes that are reserved under a name. */
  used(name: string): number;
}

/** `maxBytes`: for all bodies of this process together; by default an eighth of the heap. */
export function createBodyBudget(maxBytes: number = getHeapStatistics().heap_size_limit * HEAP_SHARE): BodyBudget {
  let usedBytes = 0;
  const usedByName = new Map<string, number>();

  function addTo(name: string, bytes: number): void {
    const sum = (usedByName.get(name) ?? 0) + bytes;
    if (sum > 0) usedByName.set(name, sum);
    else usedByName.delete(name);
  }

  return {
    used: (name) => usedByName.get(name) ?? 0,
    open(mode, limits) {
      const maxOfMode = mode === 'test' ? maxBytes * TEST_BODY_SHARE : maxBytes;
      let takenBytes = 0;
      function take(bytes: number): void {
        takenBytes += bytes;
        usedBytes += bytes;
        for (const { name } of limits) addTo(name, bytes);
      }
      const release = () => take(-takenBytes);
      /** A body that is alone is always allowed: it may be larger than a small limit. */
      const isRoom = (used: number, more: number, max: number) => used <= takenBytes || used + more <= max;
      return {
        release,
        grow(bytes) {
          const moreBytes = bytes - takenBytes;
          if (moreBytes <= 0) return;
          const exceeded = limits.find(({ name, max }) => !isRoom(usedByName.get(name) ?? 0, moreBytes, max * MIB));
          if (exceeded || !isRoom(usedBytes, moreBytes, maxOfMode)) {
            // Release at once, so that of many simultaneous bodies some get through.
            release();
            throw exceeded
              ? new GatewayError(
                  'concurrency_limit_exceeded',
                  limitSentence('body_mebibytes', exceeded.scope, exceeded.max),
                )
              : new GatewayError(
                  'overloaded',
                  'Too many large requests are being read at this moment. Try again in a second, or send media as https URLs instead of data URLs.',
                );
          }
          take(moreBytes);
        },
      };
    },
  };
}
