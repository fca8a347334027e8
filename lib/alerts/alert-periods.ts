import { utcDay } from '../domain/clock';
import type { AlertPeriods } from '../db/alerts';

/** Returns the periods of the spend alerts at this time. */
export function alertPeriods(nowMs: number): AlertPeriods {
  const day = utcDay(nowMs);
  return { day, month: day.slice(0, 7) };
}
