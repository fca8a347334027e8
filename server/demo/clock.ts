import { systemClock, type Clock } from '../../lib/domain/clock';

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
