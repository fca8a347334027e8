import { utcDay } from '../domain/clock';
import type { AlertPeriods } from '../db/alerts';

/** The periods of the spend alerts at a time. */
export function alertPeriods(nowMs: number): AlertPeriods {
  const day = utcDay(nowMs);
  return { day, month: day.slice(0, 7) };
}
