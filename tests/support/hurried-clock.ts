import type { Clock } from '../../lib/domain/clock';
import { systemClock } from '../../lib/domain/clock';

/** The system clock with timers that run `factor` times as fast, for timeouts on real sockets. */
export function hurriedClock(factor: number): Clock {
  return {
    now: () => systemClock.now(),
    nowMs: () => systemClock.nowMs(),
    after: (ms, run) => systemClock.after(ms / factor, run),
    sleep: (ms, signal) => systemClock.sleep(ms / factor, signal),
  };
}
