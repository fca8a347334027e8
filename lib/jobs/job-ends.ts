import type { Clock } from '../domain/clock';
import type { Database } from '../db/database';
import { createBatches, type Batches } from '../io/batches';
import { COMPLETE, EXISTS, insertJob, payloadOf, PUT_BACK, RETRY } from './statements';
import type { Job } from './job';
import type { ClaimedJob } from './claimed-job';

// Ends runs of jobs. Runs that end within a few milliseconds of each other share one statement.

const PAUSE_MS = 10;
const MAX_ITEMS = 500;

/** Each method ends a run. It changes nothing and resolves with false if the lease was lost. */
export interface JobEnds {
  complete(claimed: ClaimedJob): Promise<boolean>;
  /**
   * Makes the job due again after `inMs`. Even if its lease was lost, the job continues: another runner has it, or it
   * is inserted again if its row is gone.
   */
  putBack(claimed: ClaimedJob, next: Job, inMs: number): Promise<boolean>;
  /** Makes a job due again after a failed run, which counts as a failure. */
  retry(claimed: ClaimedJob, inMs: number): Promise<boolean>;
  /** From now on, each run is ended at once instead of waiting to share a statement. */
  hurry(): void;
}

interface Ended {
  readonly claimed: ClaimedJob;
  readonly payload: string;
  readonly inMs: number;
}

export function createJobEnds({ db, clock }: { readonly db: Database; readonly clock: Clock }): JobEnds {
  const batchesOf = (text: string, ...columns: (keyof Ended)[]): Batches<Ended, boolean> =>
    createBatches({ clock, pauseMs: PAUSE_MS, maxItems: MAX_ITEMS }, (ends) => endAll(text, columns, ends));
  const completed = batchesOf(COMPLETE);
  const putBacks = batchesOf(PUT_BACK, 'payload', 'inMs');
  const retries = batchesOf(RETRY, 'inMs');

  async function endAll(
    text: string,
    columns: readonly (keyof Ended)[],
    ends: readonly Ended[],
  ): Promise<readonly boolean[]> {
    try {
      const { rows } = await db.query(text, [
        ends.map(({ claimed }) => claimed.id),
        ends.map(({ claimed }) => claimed.run),
        ...columns.map((column) => ends.map((end) => end[column])),
      ]);
      const ids = new Set(rows.map(({ id }) => Number(id)));
      return ends.map(({ claimed }) => ids.has(claimed.id));
    } catch (error) {
      // Two jobs of a kind that keeps one per subject collided, within this statement or with a concurrent one. If they
      // are put back one by one, the second finds the first and is dropped.
      if (!isUniqueViolation(error)) throw error;
      const results: boolean[] = [];
      for (const end of ends) results.push(...(await endAll(text, columns, [end])));
      return results;
    }
  }

  return {
    complete: (claimed) => completed.add({ claimed, payload: '', inMs: 0 }),

    async putBack(claimed, next, inMs) {
      const payload = payloadOf(next);
      if (await putBacks.add({ claimed, payload, inMs })) return true;
      const { rows } = await db.query(EXISTS, [claimed.id]);
      if (rows.length === 0) await insertJob(db, next, claimed.owner, inMs);
      return false;
    },

    retry: (claimed, inMs) => retries.add({ claimed, payload: '', inMs }),

    hurry() {
      for (const batches of [completed, putBacks, retries]) batches.hurry();
    },
  };
}

const isUniqueViolation = (error: unknown) => error instanceof Error && 'code' in error && error.code === '23505';
