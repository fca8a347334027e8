import type { Cancel, Clock } from '../domain/clock';
import type { Channel } from './channel';

// Time limits of a session: idle, unresponsive, slow to read, or open for too long. Each rule has one timer that is
// re-armed only when it fires; a session that sends fifty frames a second must not create fifty timers.

export interface SessionLimits {
  /** Records that a message was received or sent, so the session is not idle. */
  touch(): void;
  pong(): void;
  /** Records that data was sent, and starts to check that the client reads it. */
  sent(): void;
  /** Sets whether backpressure is applied to the client. If it is, silence and missing pongs are expected. */
  waiting(isWaiting: boolean): void;
  /** Limits the duration of the session, counted from now. */
  endAfter(ms: number): void;
  stop(): void;
}

export interface LimitEvents {
  idle(): void;
  /** The session reached its maximum duration. */
  longest(): void;
  /** The client does not answer pings. */
  dead(): void;
  /** The client does not read what is sent. */
  slow(): void;
}

const IDLE_MS = 60_000;
const PING_MS = 30_000;
const SLOW_BYTES = 1_048_576;
const SLOW_MS = 10_000;
const SLOW_LOOK_INTERVAL_MS = 1_000;

/** Begins to watch a session; `stop` ends its timers. */
export function watchSession({
  channel,
  clock,
  events,
}: {
  channel: Channel;
  clock: Clock;
  events: LimitEvents;
}): SessionLimits {
  const timers = new Map<string, Cancel>();
  let lastMessage = clock.nowMs();
  let isWaiting = false;
  let unanswered = false;
  let slowSince: number | undefined;
  /** The most that was unsent since idleness was last looked for. */
  let peakUnsent = 0;

  const arm = (name: string, ms: number, run: () => void) => {
    timers.get(name)?.();
    timers.set(name, clock.after(ms, run));
  };

  function lookForIdle(): void {
    const unsent = channel.unsentBytes();
    // Earlier messages still leave the process.
    const isReading = unsent > 0 && unsent < peakUnsent;
    peakUnsent = unsent;
    if (isWaiting || isReading) lastMessage = clock.nowMs();
    const left = lastMessage + IDLE_MS - clock.nowMs();
    if (left <= 0) events.idle();
    else arm('idle', left, lookForIdle);
  }

  function ping(): void {
    // A ping waits behind what was sent before it. A client that does not read that is slow, or idle.
    if (unanswered && !isWaiting && channel.unsentBytes() === 0) return events.dead();
    unanswered = true;
    channel.ping();
    arm('ping', PING_MS, ping);
  }

  function lookForSlowness(): void {
    timers.delete('slow');
    if (channel.unsentBytes() <= SLOW_BYTES) {
      slowSince = undefined;
      return;
    }
    const now = clock.nowMs();
    slowSince ??= now;
    if (now - slowSince >= SLOW_MS) events.slow();
    else arm('slow', SLOW_LOOK_INTERVAL_MS, lookForSlowness);
  }

  arm('idle', IDLE_MS, lookForIdle);
  arm('ping', PING_MS, ping);

  return {
    touch() {
      lastMessage = clock.nowMs();
    },
    pong() {
      unanswered = false;
    },
    sent() {
      const unsent = channel.unsentBytes();
      peakUnsent = Math.max(peakUnsent, unsent);
      if (!timers.has('slow') && unsent > SLOW_BYTES) lookForSlowness();
    },
    waiting(waits) {
      isWaiting = waits;
      lastMessage = clock.nowMs();
      // The pong to an earlier ping may not have been read yet.
      unanswered = false;
    },
    endAfter: (ms) => arm('longest', Math.max(0, ms), events.longest),
    stop() {
      for (const cancel of timers.values()) cancel();
      timers.clear();
    },
  };
}
