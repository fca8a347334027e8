import type { Config } from '../lib/config/config';
import type { Database } from '../lib/db/database';
import { openSpendWindows } from '../lib/db/spend-windows';
import type { Clock } from '../lib/domain/clock';
import type { Log } from '../lib/domain/log';
import { createBodyBudget, MIB } from '../lib/limits/body-budget';
import { createLevels } from '../lib/limits/levels';
import { createLimits } from '../lib/limits/limits';
import { createLoadMonitor, measureLoad } from '../lib/limits/overload';
import { createWindowCounters } from '../lib/limits/window-counters';
import type { Redis } from '../lib/redis/open-redis';

/** Composes the limits between tenants and their counters. `stop` ends the measurements. */
export function composeLimits(
  { limits: configured, webConcurrency, databaseUrl }: Config,
  {
    db,
    redis,
    clock,
    log,
  }: { readonly db: Database; readonly redis: Redis | undefined; readonly clock: Clock; readonly log: Log },
) {
  const levels = createLevels({ clock, log, shared: redis?.levels, configuredProcesses: webConcurrency });
  const { processes } = levels;
  const windows = createWindowCounters({ clock, shared: redis?.windows, processes });
  // The embedded database has one process, which needs no other counters than its own.
  const spendWindows =
    redis || databaseUrl === undefined
      ? windows
      : createWindowCounters({ clock, shared: openSpendWindows(db), processes });
  const measured = measureLoad(db);
  const load = createLoadMonitor({ clock, read: measured.read });
  const { body_mebibytes: bodyMebibytes } = configured.installation;
  const limits = createLimits({
    windows,
    spendWindows,
    levels,
    bodies: createBodyBudget(bodyMebibytes === undefined ? undefined : bodyMebibytes * MIB),
    load,
    configured,
    clock,
  });
  return {
    limits,
    windows,
    load,
    /** From this call on, the process takes its share of the limits. Called in processes that answer requests. */
    start: () => levels.start(),
    stop() {
      measured.stop();
      return levels.stop();
    },
  };
}
