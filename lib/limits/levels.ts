import { errorForLog } from '../domain/errors';
import { isAhead, type Cancel, type Clock } from '../domain/clock';
import type { Log } from '../domain/log';
import { replyWithin, STORE_RETRY_MS } from './reply-within';

// Counts concurrent use, such as open streams. With a shared store (Redis) the total of all processes
// is limited exactly. The store keeps one number for each process, and each process reports its numbers every few
// seconds: what a process that died had counted ends with it, and a store that was emptied is filled again. While the
// store does not reply, each process allows its share of the limit.

/** The levels of all processes. */
export interface SharedLevels {
  /** Adds one for this process if the total stays within `max`. Rejects while the store cannot be reached. */
  take(name: string, max: number): Promise<boolean>;
  /** Never fails. */
  release(name: string): void;
  /** The total of all processes. */
  read(name: string): Promise<number>;
  /**
   * Sets the levels of this process and shows that it is running. Resolves with the number of running processes. A
   * process that has not reported for `ttlMs` counts as ended.
   */
  report(levels: readonly (readonly [name: string, level: number])[], ttlMs: number): Promise<number>;
}

export interface Levels {
  /** Adds one if the limit of all processes allows it; then `release` must be called once. */
  take(name: string, max: number): boolean | Promise<boolean>;
  release(name: string): void;
  /** The level of all processes, or of this one while the store does not reply. */
  read(name: string): Promise<number>;
  /** Returns the number of running processes, including this one. */
  processes(): number;
  start(): void;
  stop(): Promise<void>;
}

export interface LevelsDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly shared?: SharedLevels | undefined;
  /** The configured number of processes on this machine; more are known from their reports. */
  readonly configuredProcesses: number;
}

const REPORT_INTERVAL_MS = 5_000;
const TTL_MS = 15_000;

export function createLevels({ clock, log, shared, configuredProcesses }: LevelsDeps): Levels {
  const here = new Map<string, number>();
  /** Names whose level in the store may differ from zero. */
  const reported = new Set<string>();
  let known = 1;
  let aloneUntilMs = Number.NEGATIVE_INFINITY;
  let cancelReport: Cancel | undefined;
  let isStopped = false;

  const processes = () => Math.max(configuredProcesses, known);
  const isAlone = () => isAhead(aloneUntilMs, STORE_RETRY_MS, clock.nowMs());

  function add(name: string, points: number): void {
    const level = (here.get(name) ?? 0) + points;
    if (level > 0) here.set(name, level);
    else here.delete(name);
  }

  function isWithinShare(name: string, max: number): boolean {
    return (here.get(name) ?? 0) <= Math.ceil(max / processes());
  }

  async function takeTogether(store: SharedLevels, name: string, max: number): Promise<boolean> {
    const allowed = await replyWithin(clock, store.take(name, max));
    if (allowed === undefined) aloneUntilMs = clock.nowMs() + STORE_RETRY_MS;
    const result = allowed ?? isWithinShare(name, max);
    if (!result) add(name, -1);
    return result;
  }

  async function report(store: SharedLevels): Promise<void> {
    const changed: (readonly [string, number])[] = [...here];
    for (const name of reported) if (!here.has(name)) changed.push([name, 0]);
    reported.clear();
    for (const name of here.keys()) reported.add(name);
    try {
      known = Math.max(1, await store.report(changed, TTL_MS));
    } catch (error) {
      // The number of processes stays as last known: the share of each must not grow because the store is gone.
      for (const [name] of changed) reported.add(name);
      log.debug('the use of limits could not be reported', { error: errorForLog(error) });
    }
  }

  function reportSoon(store: SharedLevels): void {
    if (isStopped) return;
    cancelReport = clock.after(REPORT_INTERVAL_MS, () => void report(store).finally(() => reportSoon(store)));
  }

  return {
    take(name, max) {
      // Counted before the call of the store, so that a report that is sent meanwhile includes it.
      add(name, 1);
      // Also if the store is not asked now: it may still receive the release.
      if (shared) reported.add(name);
      if (shared && !isAlone()) return takeTogether(shared, name, max);
      const allowed = isWithinShare(name, max);
      if (!allowed) add(name, -1);
      return allowed;
    },
    release(name) {
      add(name, -1);
      shared?.release(name);
    },
    async read(name) {
      const together = shared && !isAlone() ? await replyWithin(clock, shared.read(name)) : undefined;
      return together ?? here.get(name) ?? 0;
    },
    processes,
    start() {
      if (shared) void report(shared).finally(() => reportSoon(shared));
    },
    async stop() {
      isStopped = true;
      cancelReport?.();
      // Gives back this process's levels now, so that the others need not wait until it counts as ended.
      if (shared)
        await replyWithin(
          clock,
          shared.report(
            [...reported].map((name) => [name, 0]),
            0,
          ),
        );
    },
  };
}
