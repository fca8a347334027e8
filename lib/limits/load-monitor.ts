import type { Clock } from '../domain/clock';
import type { Mode } from '../domain/video';

// Detects that this process cannot serve new work in time, so that it is refused at once instead of after a timeout.
// Test traffic is refused first, and live traffic only if the overload lasts.

/** Two measures of overload, each since the previous reading. */
export interface LoadReading {
  /** The median delay of the event loop in milliseconds. */
  readonly loopDelayMs: number;
  /** Queries that wait for a connection of the pool. */
  readonly waitingQueries: number;
}

export interface LoadMonitor {
  /** Whether new work of this mode must be refused. Takes a reading if the last one is old. */
  isOverloaded(mode: Mode): boolean;
  /** The last reading; takes one if it is old. */
  latest(): LoadReading;
}

const READ_INTERVAL_MS = 1_000;
/** Overloaded if half of all turns of the event loop take longer: each request waits about that long to be read. */
const MAX_LOOP_DELAY_MS = 200;
/**
 * Ten for each of the ten connections of the default DATABASE_POOL_SIZE; a wait of 1.5 s for a connection fails the
 * query.
 */
const MAX_WAITING_QUERIES = 100;
/** Consecutive readings, at least READ_INTERVAL_MS apart, until new work is refused. */
const READINGS: Readonly<Record<Mode, number>> = { test: 3, live: 5 };

export function createLoadMonitor({
  clock,
  read,
}: {
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly read: () => LoadReading;
}): LoadMonitor {
  let readings = 0;
  let latest: LoadReading = { loopDelayMs: 0, waitingQueries: 0 };
  let readAtMs = clock.nowMs();

  // Without a timer: a process without requests need not measure anything.
  function readIfDue(): void {
    const now = clock.nowMs();
    if (now - readAtMs < READ_INTERVAL_MS && now >= readAtMs) return;
    readAtMs = now;
    latest = read();
    const { loopDelayMs, waitingQueries } = latest;
    readings = loopDelayMs > MAX_LOOP_DELAY_MS || waitingQueries > MAX_WAITING_QUERIES ? readings + 1 : 0;
  }

  return {
    isOverloaded(mode) {
      readIfDue();
      return readings >= READINGS[mode];
    },
    latest() {
      readIfDue();
      return latest;
    },
  };
}
