import type { Clock } from '../../lib/domain/clock';

export interface TestClock extends Clock {
  /**
   * Advances the time and fires every due timer, in order. A timer may fire up to `lateMs` late, together with those
   * that are due by then: one that repeats every second would otherwise fire a million times in two weeks.
   */
  advance(ms: number, lateMs?: number): Promise<void>;
  /** Timers that have not fired. */
  pending(): number;
}

/** A clock that advances only when a test moves it. */
export function createTestClock(start = new Date('2026-11-21T12:00:00Z')): TestClock {
  let now = start.getTime();
  let timers: { at: number; run: () => void }[] = [];
  const after = (ms: number, run: () => void) => {
    const timer = { at: now + ms, run };
    timers.push(timer);
    return () => {
      timers = timers.filter((other) => other !== timer);
    };
  };
  return {
    now: () => new Date(now),
    nowMs: () => now,
    after,
    pending: () => timers.length,
    sleep(ms, signal) {
      return new Promise((resolve) => {
        if (signal?.aborted) return resolve();
        const done = () => {
          cancel();
          signal?.removeEventListener('abort', done);
          resolve();
        };
        const cancel = after(ms, done);
        signal?.addEventListener('abort', done, { once: true });
      });
    },
    async advance(ms, lateMs = 0) {
      const until = now + ms;
      for (;;) {
        const due = timers.filter((timer) => timer.at <= until).sort((a, b) => a.at - b.at)[0];
        if (!due) break;
        if (due.at > now) now = Math.min(due.at + lateMs, until);
        timers = timers.filter((timer) => timer !== due);
        due.run();
        // The work that the timer resumed runs before the next timer fires.
        await new Promise((resolve) => setImmediate(resolve));
      }
      now = until;
    },
  };
}

/** Advances the time of a test until the work is done; its database works in real time. */
export async function whileTimePasses<T>(clock: TestClock, work: Promise<T>): Promise<T> {
  let isDone = false;
  const watched = work.finally(() => (isDone = true));
  watched.catch(() => {});
  while (!isDone) {
    await clock.advance(100);
    // A request must not reach its timeout before the database has had some real time.
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  return watched;
}
