import { errorForLog } from '../domain/errors';
import type { Cancel, Clock } from '../domain/clock';
import type { Log } from '../domain/log';
import type { Db } from '../db/database';
import { RENEW, RETURN_LEASED } from './statements';
import type { ClaimedJob } from './claimed-job';

// A process that runs a job has a lease on it, and renews the lease while the handler works. A process can be paused
// for longer than its lease, and then two have the same job; so a job is completed or put back only by the run that has
// the lease.

/** A lease lasts for three renewals, so that two may fail. */
const RENEW_INTERVAL_MS = 10_000;
/** A lease younger than this is not renewed: most handlers end before their first renewal. */
const MIN_RENEWAL_AGE_MS = 5_000;
const RETURN_INTERVAL_MS = 10_000;
const MAX_RETURNED = 1_000;

export interface Leases {
  /** From now on the lease of this job is renewed. */
  keep(job: ClaimedJob): void;
  /** Stops renewing. Resolves when no renewal is running, because a renewal must not follow the end of the job. */
  release(job: ClaimedJob): Promise<void>;
  stop(): void;
}

export function createLeases({ db, clock }: { readonly db: Db; readonly clock: Clock }): Leases {
  /** The kept jobs, with the time from which their leases are renewed. */
  const kept = new Map<ClaimedJob, number>();
  let renewal: Promise<void> = Promise.resolve();
  let cancelTimer = clock.after(RENEW_INTERVAL_MS, renew);

  function renew(): void {
    cancelTimer = clock.after(RENEW_INTERVAL_MS, renew);
    const now = clock.nowMs();
    // One that seems to be further away was kept before the clock was set back.
    const isDue = (fromMs: number) => fromMs <= now || fromMs > now + MIN_RENEWAL_AGE_MS;
    const due = [...kept].flatMap(([job, fromMs]) => (isDue(fromMs) ? [job] : []));
    // Runs after the previous renewal: two at once could deadlock on each other's rows.
    if (due.length > 0) renewal = renewal.then(() => renewAll(due));
  }

  async function renewAll(due: readonly ClaimedJob[]): Promise<void> {
    const jobs = due.filter((job) => kept.has(job));
    if (jobs.length === 0) return;
    try {
      await db.query(RENEW, [jobs.map(({ id }) => id), jobs.map(({ run }) => run)]);
    } catch {
      // The database is unavailable for a moment; the next renewal tries again.
    }
  }

  return {
    keep(job) {
      kept.set(job, clock.nowMs() + MIN_RENEWAL_AGE_MS);
    },
    async release(job) {
      kept.delete(job);
      await renewal;
    },
    stop() {
      cancelTimer();
    },
  };
}

/**
 * Makes jobs available again whose lease has expired, or all leased jobs if no other process can use this database.
 */
export async function returnLeasedJobs(db: Db, which: 'expired' | 'all'): Promise<void> {
  for (;;) {
    const { rows } = await db.query(RETURN_LEASED, [which === 'all', MAX_RETURNED]);
    if (rows.length < MAX_RETURNED) return;
  }
}

/** Returns the jobs of dead processes every ten seconds. Returns a function that ends this and waits for it. */
export function watchLeases({
  db,
  clock,
  log,
}: {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
}): () => Promise<void> {
  let isOver = false;
  let round = Promise.resolve();
  let cancelTimer: Cancel = clock.after(RETURN_INTERVAL_MS, look);

  function look(): void {
    round = returnLeasedJobs(db, 'expired')
      .catch((error: unknown) => log.warn('the job queue could not reach the database', { error: errorForLog(error) }))
      .then(() => {
        if (!isOver) cancelTimer = clock.after(RETURN_INTERVAL_MS, look);
      });
  }

  return async () => {
    isOver = true;
    cancelTimer();
    await round;
  };
}
