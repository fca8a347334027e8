import { systemClock, type Clock } from '../../lib/domain/clock';

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** The system's clock with a hand that can be moved to the past. */
export interface DemoClock extends Clock {
  /** From now on it is this time; undefined: the time of the system. */
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
