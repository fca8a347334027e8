import type { Clock } from '../domain/clock';
import type { VideoId } from '../domain/ids';
import type { Database } from '../db/database';
import {
  claimStarts,
  markSubmitted,
  readStarts,
  storeStarts,
  type StartClaim,
  type StartingVideo,
  type StoredStart,
  type SubmittedAttempt,
} from '../db/video-starts';
import { createBatches } from '../io/batches';
import type { Queue } from '../jobs/queue';
import type { NewJob } from '../jobs/statements';

// The database steps of a start, batched for all starts that reach the same step at the same time. Otherwise a backlog
// of starts would be limited by its statements instead of by its providers.

export interface StartSteps {
  /** Reads a video; undefined if it was deleted. */
  read(id: VideoId): Promise<StartingVideo | undefined>;
  /** Does what `claimStarts` does, for one start. */
  claim(claim: StartClaim): Promise<boolean>;
  /** Does what `markSubmitted` does, for one attempt. */
  mark(attempt: SubmittedAttempt): Promise<boolean>;
  /** Does what `storeStarts` does, for one start; the job is inserted if the start is stored. */
  store(start: StoredStart, next: NewJob): Promise<boolean>;
}

const MAX_ITEMS = 100;
/** The number of concurrent statements per step: one that waits for a locked row must not stop all others. */
const MAX_RUNNING = 2;

export function createStartSteps({
  db,
  clock,
  queue,
}: {
  readonly db: Database;
  readonly clock: Clock;
  readonly queue: Pick<Queue, 'insertAllOf'>;
}): StartSteps {
  const batchesOf = <Item, Result>(work: (items: readonly Item[]) => Promise<readonly Result[]>) =>
    createBatches({ clock, pauseMs: 0, maxItems: MAX_ITEMS, maxRunning: MAX_RUNNING, isolates: true }, work);
  const reads = batchesOf((ids: readonly VideoId[]) => readStarts(db, ids));
  const claims = batchesOf((items: readonly StartClaim[]) => claimStarts(db, items));
  const marks = batchesOf((items: readonly SubmittedAttempt[]) => markSubmitted(db, items));
  const stores = batchesOf((items: readonly { readonly start: StoredStart; readonly next: NewJob }[]) =>
    storeStarts(
      db,
      items.map(({ start }) => start),
      [queue.insertAllOf(items.map(({ next }) => next))],
    ),
  );
  return {
    read: reads.add,
    claim: claims.add,
    mark: marks.add,
    store: (start, next) => stores.add({ start, next }),
  };
}
