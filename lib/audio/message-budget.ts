import type { Clock } from '../domain/clock';
import { GatewayError } from '../domain/errors';

// Limits the work that one socket may cause. All sockets share one event loop, so a client that sends as fast as the
// network allows would delay every other client.

/** Text messages. A client sends a few per spoken sentence. */
const MESSAGES_PER_SECOND = 50;
const MESSAGES_BURST = 200;
/** Messages that were rejected while the socket stayed open. The budget refills with one message per ten seconds. */
const MISTAKES_PER_SECOND = 0.1;
const MISTAKES_BURST = 20;
/** Audio frames: twenty times real time with frames of 20 ms, for recordings that are sent as fast as they are read. */
const FRAMES_PER_SECOND = 1_000;
const FRAMES_BURST = 2_000;
/** A larger frame counts as several, so the limit is 4 MB/s: two minutes of 16 kHz audio per second. */
const BYTES_PER_FRAME = 4_096;

export interface MessageBudget {
  /** Counts a text message. Throws `rate_limit_exceeded` above the limit. */
  countMessage(): void;
  /** Counts a rejected message. Throws `rate_limit_exceeded` above the limit. */
  countMistake(): void;
  /** Counts an audio frame. Returns for how many milliseconds the socket should not be read, usually 0. */
  countAudio(bytes: number): number;
}

export function createMessageBudget(clock: Clock): MessageBudget {
  const messages = new TokenBucket(clock, MESSAGES_BURST, MESSAGES_PER_SECOND);
  const mistakes = new TokenBucket(clock, MISTAKES_BURST, MISTAKES_PER_SECOND);
  const frames = new TokenBucket(clock, FRAMES_BURST, FRAMES_PER_SECOND);
  return {
    countMessage() {
      if (messages.take(1) === 0) return;
      throw new GatewayError(
        'rate_limit_exceeded',
        `Too many messages: a socket takes ${MESSAGES_PER_SECOND} text messages per second, and at most ${MESSAGES_BURST} at once. Send fewer, or connect again later.`,
      );
    },
    countMistake() {
      if (mistakes.take(1) === 0) return;
      throw new GatewayError(
        'rate_limit_exceeded',
        `More than ${MISTAKES_BURST} messages of this socket were refused. Correct what the earlier errors name, then connect again.`,
      );
    },
    countAudio: (bytes) => frames.take(Math.max(1, bytes / BYTES_PER_FRAME)),
  };
}

class TokenBucket {
  readonly #clock: Clock;
  readonly #burst: number;
  readonly #perSecond: number;
  #left: number;
  #filledAt: number;

  constructor(clock: Clock, burst: number, perSecond: number) {
    this.#clock = clock;
    this.#burst = burst;
    this.#perSecond = perSecond;
    this.#left = burst;
    this.#filledAt = clock.nowMs();
  }

  /** Takes tokens, possibly more than there are. Returns the milliseconds until the debt is paid; 0 without debt. */
  take(count: number): number {
    const now = this.#clock.nowMs();
    // A clock that is set back must not take tokens away.
    const elapsedMs = Math.max(0, now - this.#filledAt);
    this.#filledAt = now;
    this.#left = Math.min(this.#burst, this.#left + (elapsedMs * this.#perSecond) / 1_000) - count;
    return this.#left >= 0 ? 0 : Math.ceil((-this.#left * 1_000) / this.#perSecond);
  }
}
