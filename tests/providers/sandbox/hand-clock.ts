import type { Clock } from '../../../lib/domain/clock';

/** A clock that stands still until it is moved; timers that come due run in their order, and what they begin is awaited. */
export function handClock(): Clock & { pass(ms: number): Promise<void>; readonly waiting: number } {
  let nowMs = Date.UTC(2026, 0, 1);
  let timers: { at: number; run: () => void }[] = [];
  const after = (ms: number, run: () => void) => {
    const timer = { at: nowMs + ms, run };
    timers.push(timer);
    return () => {
      timers = timers.filter((each) => each !== timer);
    };
  };
  return {
    now: () => new Date(nowMs),
    after,
    sleep: (ms) => new Promise((resolve) => after(ms, resolve)),
    get waiting() {
      return timers.length;
    },
    async pass(ms) {
      const until = nowMs + ms;
      for (;;) {
        const next = timers.filter((timer) => timer.at <= until).sort((a, b) => a.at - b.at)[0];
        if (!next) break;
        timers = timers.filter((timer) => timer !== next);
        nowMs = next.at;
        next.run();
        // File system calls that the timer began need turns of the event loop, not time.
        for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
      }
      nowMs = until;
    },
  };
}
