import { systemClock, type Clock } from '../../lib/domain/clock';

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** The system's clock, which can be set to a time in the past. */
export interface DemoClock extends Clock {
  /** Sets the clock to this time, where it stays; undefined returns to the system's time. */
  moveTo(atMs: number | undefined): void;
}

export function createDemoClock(): DemoClock {
  let movedTo: number | undefined;
  const nowMs = () => movedTo ?? systemClock.nowMs();
  return {
    ...systemClock,
    nowMs,
    now: () => new Date(nowMs()),
    moveTo(atMs) {
      movedTo = atMs;
    },
  };
}
