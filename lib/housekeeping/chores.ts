import { randomUUID } from 'node:crypto';
import type { Cancel, Clock } from '../domain/clock';
import { errorForLog } from '../domain/errors';
import type { Log } from '../domain/log';
import type { Database } from '../db/database';
import { claimChore, finishChore, renewChore } from '../db/chores';

// Work that is due every so often and that one process at a time does for all of them. Each chore has its own row, so one that
// is slow or fails keeps no other waiting. A process that dies, or is paused, loses its lease; chores are safe to be done twice.

export interface Chore {
  readonly name: string;
  readonly everyMs: number;
  /** Does all there is to do, in small steps. Between two of them it asks `goesOn`: false, when another process may have taken over. */
  run(goesOn: () => Promise<boolean>): Promise<void>;
}

/** Longer than one step of a chore may take. */
const LEASE_MS = 60_000;
const RENEW_AFTER_MS = 10_000;
const FIRST_MS = 60_000;
const LOOK_MS = 60_000;

export function createChores(
  deps: { readonly db: Database; readonly clock: Clock; readonly log: Log },
  chores: readonly Chore[],
) {
  const { db, clock, log } = deps;
  const holder = randomUUID();
  const timers = new Map<Chore, Cancel>();
  let running = false;

  async function runDue(chore: Chore): Promise<void> {
    if (!(await claimChore(db, chore.name, holder, LEASE_MS))) return;
    let renewedMs = clock.nowMs();
    const goesOn = async () => {
      if (!running) return false;
      if (clock.nowMs() - renewedMs < RENEW_AFTER_MS) return true;
      renewedMs = clock.nowMs();
      return renewChore(db, chore.name, holder, LEASE_MS);
    };
    try {
      await chore.run(goesOn);
    } catch (error) {
      noteFailure(chore, error);
    }
    await finishChore(db, chore.name, holder, chore.everyMs);
  }

  function noteFailure({ name }: Chore, error: unknown): void {
    log.warn('a part of the housekeeping failed and will be tried again', { chore: name, error: errorForLog(error) });
  }

  function schedule(chore: Chore, ms: number): void {
    timers.set(
      chore,
      clock.after(ms, () => {
        runDue(chore)
          .catch((error: unknown) => noteFailure(chore, error))
          .finally(() => {
            if (running) schedule(chore, LOOK_MS);
          });
      }),
    );
  }

  return {
    /** Looks after a minute, and then every minute, which chores are due. */
    start(): void {
      running = true;
      for (const chore of chores) schedule(chore, FIRST_MS);
    },
    stop(): void {
      running = false;
      for (const cancel of timers.values()) cancel();
    },
    /** All of them, now, whether they are due or not. */
    async run(): Promise<void> {
      for (const chore of chores)
        await chore.run(async () => true).catch((error: unknown) => noteFailure(chore, error));
    },
  };
}
