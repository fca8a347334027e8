import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Clock } from '../domain/clock';
import type { Mode } from '../domain/video';

// What a process does when it has more work than time.
//
// It detects that this process cannot serve new work in time, so that it is refused at once instead of after a timeout.
// Test traffic is refused first, and live traffic only if the overload lasts.

/** Two measures of overload, each since the previous reading. */
export interface LoadReading {
  /** The median delay of the event loop in milliseconds. */
  readonly loopDelayMs: number;
  /** Queries that wait for a connection of the pool. */
  readonly waitingQueries: number;
}

/** Measures the event loop of this process, and the queries that wait for a connection of the pool. */
export function measureLoad(db: { pool(): { readonly waiting: number } }): { read(): LoadReading; stop(): void } {
  const histogram = monitorEventLoopDelay({ resolution: LOOP_DELAY_RESOLUTION_MS });
  histogram.enable();
  return {
    read() {
      const loopDelayMs = histogram.percentile(50) / NS_PER_MS;
      histogram.reset();
      return { loopDelayMs, waitingQueries: db.pool().waiting };
    },
    stop: () => void histogram.disable(),
  };
}

export interface LoadMonitor {
  /** Whether new work of this mode must be refused. Takes a reading if the last one is old. */
  isOverloaded(mode: Mode): boolean;
  /** The last reading; takes one if it is old. */
  latest(): LoadReading;
}

const LOOP_DELAY_RESOLUTION_MS = 20;
const NS_PER_MS = 1_000_000;
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

// And requests that arrive together begin in turns: each organisation begins a few, then the event loop looks for what
// else has arrived, and the next ones begin. Otherwise a thousand requests of one organisation, which take a second of
// processor time to begin, would delay for that second all that arrive after them.

/** How many requests of an organisation begin in one turn of the event loop: some milliseconds of work. */
export const PER_TURN = 16;
/**
 * Requests per turn while several organisations send: each of their requests needs several turns, and waits for each.
 */
export const PER_SHARED_TURN = 4;
/** How long the turns stay short after a request of another organisation. */
const SHARED_MS = 1_000;

export interface BeginTurns {
  /** Resolves when a request of this organisation may begin; undefined: at once. */
  wait(organization: string): Promise<void> | undefined;
  /** Whether requests of several organisations began within the last second. */
  isShared(): boolean;
}

/** `later` runs a function in the next turn of the event loop. */
export function createBeginTurns(
  later: (run: () => void) => unknown = setImmediate,
  now: () => number = () => performance.now(),
): BeginTurns {
  /** How many of each organisation have begun in this turn. */
  const begun = new Map<string, number>();
  const waiting = new Map<string, (() => void)[]>();
  let isScheduled = false;
  let latest: string | undefined;
  let sharedUntilMs = -Infinity;

  function trackSharing(organization: string): void {
    if (organization === latest) return;
    if (latest !== undefined) sharedUntilMs = now() + SHARED_MS;
    latest = organization;
  }

  const isShared = () => now() < sharedUntilMs;
  const perTurn = () => (isShared() ? PER_SHARED_TURN : PER_TURN);

  function schedule(): void {
    if (isScheduled) return;
    isScheduled = true;
    later(endTurn);
  }

  function endTurn(): void {
    isScheduled = false;
    begun.clear();
    const most = perTurn();
    for (const [organization, line] of waiting) {
      const next = line.splice(0, most);
      if (line.length === 0) waiting.delete(organization);
      begun.set(organization, next.length);
      for (const begin of next) begin();
    }
    if (begun.size > 0) schedule();
  }

  return {
    isShared,

    wait(organization) {
      schedule();
      trackSharing(organization);
      const count = begun.get(organization) ?? 0;
      // If requests of this organisation already wait, this one waits behind them, even if the turn has room again.
      if (!waiting.has(organization) && count < perTurn()) {
        begun.set(organization, count + 1);
        return undefined;
      }
      return new Promise((resolve) => {
        const line = waiting.get(organization);
        if (line) line.push(resolve);
        else waiting.set(organization, [resolve]);
      });
    },
  };
}
