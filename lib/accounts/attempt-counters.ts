import type { Clock } from '../domain/clock';
import { createLru } from '../io/lru';

/** Counts attempts in windows that each start with the first attempt. */
export interface AttemptCounters {
  /** Counts one attempt; returns the number of attempts in this window and the time that is left of it. */
  add(name: string, windowMs: number): Promise<AttemptCount>;
  /** Takes back one attempt that was counted in the current window. */
  takeBack(name: string): Promise<void>;
}

export interface AttemptCount {
  readonly count: number;
  /** Milliseconds. */
  readonly endsInMs: number;
}

/** About 10 MB at most; the least recently counted are evicted first. */
const MAX_COUNTERS = 50_000;

/** Counts in `shared`, so that several processes count together; in this process only while `shared` fails. */
export function createAttemptCounters({
  clock,
  shared,
}: {
  readonly clock: Clock;
  readonly shared?: AttemptCounters | undefined;
}): AttemptCounters {
  const own = createLru<string, { count: number; endsAtMs: number }>(MAX_COUNTERS);

  function running(name: string): { count: number; endsAtMs: number } | undefined {
    const counter = own.get(name);
    return counter && counter.endsAtMs > clock.nowMs() ? counter : undefined;
  }

  function addHere(name: string, windowMs: number): AttemptCount {
    const nowMs = clock.nowMs();
    const counter = running(name) ?? { count: 0, endsAtMs: nowMs + windowMs };
    counter.count += 1;
    own.set(name, counter);
    return { count: counter.count, endsInMs: counter.endsAtMs - nowMs };
  }

  return {
    async add(name, windowMs) {
      // Counted locally too: if the shared store fails during a series of guesses, the count does not restart at zero.
      const here = addHere(name, windowMs);
      const together = await shared?.add(name, windowMs).catch(() => undefined);
      return together ?? here;
    },
    async takeBack(name) {
      const counter = running(name);
      if (counter && counter.count > 0) counter.count -= 1;
      await shared?.takeBack(name).catch(() => undefined);
    },
  };
}
