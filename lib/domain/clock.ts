// Time, the formats of times, and the periods of limits. Time is injected: tests control it, and code in `lib` never
// calls Date.now or setTimeout directly.

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

/**
 * Returns whether a time that was set at most `ms` ahead has not come yet. One that is further away was set before the
 * clock was set back, and has come: what waits for it would otherwise wait for as long as the clock was set back.
 */
export function isAhead(untilMs: number, ms: number, nowMs: number): boolean {
  return nowMs < untilMs && untilMs - nowMs <= ms;
}

/** The last second of the year 9999, in Unix seconds: the latest time that a request can name. */
export const LAST_SECOND = 253_402_300_799;

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

/** The period of a spend limit. `total` never resets; the others at 00:00 UTC (weeks on Monday, months on the first). */
export type LimitPeriod = 'total' | 'daily' | 'weekly' | 'monthly';

/** The names of the current periods, from `currentPeriods`. */
export type Periods = Readonly<Record<LimitPeriod, string>>;

/** The period of a spend limit that contains a given time, and when the next period begins. */
export interface KeyPeriod {
  /** ISO date of the period's first day, or `total` for a limit that never resets. */
  readonly period: string;
  readonly resetsAt?: Date;
}

/** Returns the period that contains `now`. Days begin at 00:00 UTC, weeks on Monday, months on the first. */
export function periodOf(limitPeriod: LimitPeriod, now: Date): KeyPeriod {
  if (limitPeriod === 'total') return { period: 'total' };
  const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()];
  const sinceMonday = (now.getUTCDay() + 6) % 7;
  const [first, next] = {
    daily: [Date.UTC(year, month, day), Date.UTC(year, month, day + 1)] as const,
    weekly: [Date.UTC(year, month, day - sinceMonday), Date.UTC(year, month, day - sinceMonday + 7)] as const,
    monthly: [Date.UTC(year, month, 1), Date.UTC(year, month + 1, 1)] as const,
  }[limitPeriod];
  return { period: new Date(first).toISOString().slice(0, 10), resetsAt: new Date(next) };
}

/** Returns the current period of each kind of limit, so that one query reads the spending of many keys. */
export function currentPeriods(now: Date): Periods {
  const name = (period: keyof Periods) => periodOf(period, now).period;
  return { total: name('total'), daily: name('daily'), weekly: name('weekly'), monthly: name('monthly') };
}

/** A period whose spending is counted from its start; a null start means from the first work. */
export interface CountedPeriod {
  readonly period: string;
  readonly since: Date | null;
}

/** Returns the current period of a limit whose spending is recalculated. */
export function countedFrom(limitPeriod: LimitPeriod, now: Date): CountedPeriod {
  const { period } = periodOf(limitPeriod, now);
  return { period, since: limitPeriod === 'total' ? null : new Date(period) };
}
