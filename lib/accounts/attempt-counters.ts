import { LRUCache } from 'lru-cache';
import type { Clock } from '../domain/clock';

/** Counts of attempts, each over a span of time that begins with the first of them. */
export interface AttemptCounters {
  /** Counts one attempt; answers how many there are in this span, and how long it still lasts. */
  add(name: string, windowMs: number): Promise<AttemptCount>;
  /** Takes one back that was counted in the span that lasts still. */
  takeBack(name: string): Promise<void>;
}

export interface AttemptCount {
  readonly count: number;
  /** Milliseconds. */
  readonly endsInMs: number;
}

/** Some 10 MB at the very most; the least recently counted go first. */
const MAX_COUNTERS = 50_000;

/** Counts in `shared` where it answers, so that several processes count together; otherwise in this process alone. */
export function createAttemptCounters({
  clock,
  shared,
}: {
  readonly clock: Clock;
  readonly shared?: AttemptCounters | undefined;
}): AttemptCounters {
  const own = new LRUCache<string, { count: number; endsAtMs: number }>({ max: MAX_COUNTERS });

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
      // Counted here as well: when the shared store fails in the middle of a series of guesses, it does not begin anew.
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
