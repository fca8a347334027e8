import { randomUUID } from 'node:crypto';
import type { Cancel, Clock } from '../domain/clock';
import { errorForLog } from '../domain/errors';
import type { Log } from '../domain/log';
import type { Database } from '../db/database';
import { claimChore, finishChore, renewChore } from '../db/chores';

// Periodic work that one process at a time does for all processes, or for all that share its data directory. Each chore
// has its own row, so that a slow or failing chore does not delay the others. A process that dies or is paused loses its
// lease; every chore is safe to run twice.

export interface Chore {
  readonly name: string;
  readonly everyMs: number;
  /**
   * Whether a process of each data directory does it, and not one process for all: for work on files that may be in any
   * of the directories.
   */
  readonly inEachDirectory?: true;
  /**
   * Does all pending work in small steps. Between two steps it calls `goesOn`, which returns false if another process
   * may have taken over.
   */
  run(goesOn: () => Promise<boolean>): Promise<void>;
}

/** Longer than any single step of a chore takes. */
const LEASE_MS = 60_000;
const RENEW_AFTER_MS = 10_000;
const FIRST_MS = 60_000;
const LOOK_INTERVAL_MS = 60_000;

export function createChores(
  deps: {
    readonly db: Database;
    readonly clock: Clock;
    readonly log: Log;
    /** The id of this process's data directory. */
    readonly readDirectoryId: () => Promise<string>;
  },
  chores: readonly Chore[],
) {
  const { db, clock, log } = deps;
  const holder = randomUUID();
  const timers = new Map<Chore, Cancel>();
  let running = false;

  async function runDue(chore: Chore): Promise<void> {
    const name = chore.inEachDirectory ? `${chore.name} in ${await deps.readDirectoryId()}` : chore.name;
    if (!(await claimChore(db, name, holder, LEASE_MS))) return;
    let renewedMs = clock.nowMs();
    const goesOn = async () => {
      if (!running) return false;
      if (clock.nowMs() - renewedMs < RENEW_AFTER_MS) return true;
      renewedMs = clock.nowMs();
      return renewChore(db, name, holder, LEASE_MS);
    };
    try {
      await chore.run(goesOn);
    } catch (error) {
      recordFailure(chore, error);
    }
    // What a stop has interrupted is continued at once: by another process, or after the next start.
    await finishChore(db, name, holder, running ? chore.everyMs : 0);
  }

  function recordFailure({ name }: Chore, error: unknown): void {
    log.warn('a part of the housekeeping failed and will be tried again', { chore: name, error: errorForLog(error) });
  }

  function schedule(chore: Chore, ms: number): void {
    timers.set(
      chore,
      clock.after(ms, () => {
        runDue(chore)
          .catch((error: unknown) => recordFailure(chore, error))
          .finally(() => {
            if (running) schedule(chore, LOOK_INTERVAL_MS);
          });
      }),
    );
  }

  return {
    /** Checks after a minute, and then every minute, which chores are due. */
    start(): void {
      running = true;
      for (const chore of chores) schedule(chore, FIRST_MS);
    },
    stop(): void {
      running = false;
      for (const cancel of timers.values()) cancel();
    },
    /** Runs all chores now, whether or not they are due. */
    async run(): Promise<void> {
      for (const chore of chores)
        await chore.run(async () => true).catch((error: unknown) => recordFailure(chore, error));
    },
  };
}
