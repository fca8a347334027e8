import type { Periods } from '../db/spending';
import type { LimitPeriod } from '../db/schema/accounts';

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
