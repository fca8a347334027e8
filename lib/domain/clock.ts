// Time is injected: tests control it, and code in `lib` never calls Date.now or setTimeout directly.

/** Cancels a timer that has not fired; has no effect afterwards. */
export type Cancel = () => void;

export interface Clock {
  now(): Date;
  /** Returns the current time in milliseconds since 1970, for hot paths that should not allocate a Date. */
  nowMs(): number;
  /** Calls `run` once after `ms`; the timer does not keep the process alive. */
  after(ms: number, run: () => void): Cancel;
  /** Resolves after `ms`, or immediately (without an error) when the signal aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: () => new Date(),
  nowMs: () => Date.now(),
  after(ms, run) {
    const timer = setTimeout(run, ms);
    timer.unref();
    return () => clearTimeout(timer);
  },
  sleep(ms, signal) {
    return new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const done = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      signal?.addEventListener('abort', done, { once: true });
    });
  },
};

/** Returns whole seconds since 1970, the format of times in the API. */
export function unixSeconds(at: Date): number {
  return Math.floor(at.getTime() / 1000);
}

/** Returns seconds since 1970 with milliseconds as decimals, for the histories in the console. */
export function exactSeconds(at: Date): number {
  return at.getTime() / 1000;
}

/** Returns the UTC day as an ISO date. */
export function utcDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
