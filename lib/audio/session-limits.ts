import type { Cancel, Clock } from '../domain/clock';
import type { Channel } from './channel';

// How long a session may be silent, dead, slow or open. One timer a rule, armed again only when it fires: a session that
// sends fifty frames a second must not make fifty timers.

export interface SessionLimits {
  /** A message came or went: the session is not idle. */
  touch(): void;
  pong(): void;
  /** Something was sent: is the other side reading it? */
  sent(): void;
  /** The caller is made to wait: silence and missing pongs are then ours, not his. */
  waiting(isWaiting: boolean): void;
  /** The longest that the session may last, from now. */
  endAfter(ms: number): void;
  stop(): void;
}

export interface LimitEvents {
  idle(): void;
  /** The longest length has been reached. */
  longest(): void;
  /** Does not answer pings: nobody is there. */
  dead(): void;
  /** Does not read what is sent. */
  slow(): void;
}

const IDLE_MS = 60_000;
const PING_MS = 30_000;
const SLOW_BYTES = 1_048_576;
const SLOW_MS = 10_000;
const SLOW_LOOK_MS = 1_000;

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

  const arm = (name: string, ms: number, run: () => void) => {
    timers.get(name)?.();
    timers.set(name, clock.after(ms, run));
  };

  function lookForIdle(): void {
    if (isWaiting) lastMessage = clock.nowMs();
    const left = lastMessage + IDLE_MS - clock.nowMs();
    if (left <= 0) events.idle();
    else arm('idle', left, lookForIdle);
  }

  function ping(): void {
    if (unanswered && !isWaiting) return events.dead();
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
    else arm('slow', SLOW_LOOK_MS, lookForSlowness);
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
      if (!timers.has('slow') && channel.unsentBytes() > SLOW_BYTES) lookForSlowness();
    },
    waiting(waits) {
      isWaiting = waits;
      lastMessage = clock.nowMs();
      // The pong of a ping from before may lie unread.
      unanswered = false;
    },
    endAfter: (ms) => arm('longest', Math.max(0, ms), events.longest),
    stop() {
      for (const cancel of timers.values()) cancel();
      timers.clear();
    },
  };
}
