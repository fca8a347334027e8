import type { Db } from '../db/database';
import { jobRules, type JobKind } from './job';
import { LOOK, SHARE_OF_ORGANIZATION, TAKE_DUE, TAKE_FROM_LINE } from './statements';
import { takenJobOf, type TakenJob, type TakenRow } from './taken-job';

// Takes jobs of one kind so that each organisation and each place gets its share of the handlers. See the decision
// docs/decisions/own-job-queue.md.

/** How many jobs that became due get their turn at once. */
const MAX_DUE = 1_000;
/** How many places are looked at in one take; the next one continues behind the last of them. */
const MAX_PLACES = 100;

export interface FairTaking {
  /**
   * Takes jobs for the free handlers. If it is unlikely that there are some, it looks first: a look costs a fraction of a
   * take, and a process without work polls ten times a second.
   */
  take(isLikely?: boolean): Promise<Taken>;
  /** Frees the handler of a job. */
  release(job: TakenJob): void;
}

export interface Taken {
  readonly jobs: readonly TakenJob[];
  /** Jobs wait in line: for a free handler, or for one of their place. */
  readonly hasLine: boolean;
  /** The time until the next delayed job is due. */
  readonly nextInMs: number;
}

interface DueRow {
  readonly taken: TakenRow[];
  readonly has_line: boolean;
  readonly next_in_ms: number | null;
}

export function createFairTaking(db: Db, kind: JobKind): FairTaking {
  const { parallel, parallelPerPlace = parallel } = jobRules[kind];
  const places = createCounter();
  const organizations = createCounter();
  let inHand = 0;
  let lastPlace = '';

  /** How many jobs may be taken whatever their places and organisations are. */
  function freeForAnyone(): number {
    const free = parallel - inHand + 1;
    const ofPlace = Math.floor((free - places.max()) / 2);
    const ofOrganization = Math.floor(
      (SHARE_OF_ORGANIZATION * free - organizations.max()) / (SHARE_OF_ORGANIZATION + 1),
    );
    return Math.max(0, Math.min(ofPlace, ofOrganization, parallelPerPlace - places.max()));
  }

  async function takeFromLine(): Promise<readonly TakenRow[]> {
    const { rows } = await db.query(TAKE_FROM_LINE, [
      kind,
      lastPlace,
      MAX_PLACES,
      parallel - inHand,
      parallelPerPlace,
      ...places.columns(),
      ...organizations.columns(),
    ]);
    // Safe: the statement returns one row with these columns.
    const [{ taken, last_place }] = rows as unknown as [{ taken: TakenRow[]; last_place: string | null }];
    lastPlace = last_place ?? '';
    return taken;
  }

  /** If there is nothing to take now, the time until the next delayed job is due. */
  async function waitMs(): Promise<number | undefined> {
    const { rows } = await db.query(LOOK, [kind]);
    // Safe: as above.
    const [{ has_line: hasLine, next_in_ms: nextInMs }] = rows as unknown as [Omit<DueRow, 'taken'>];
    if (hasLine) return undefined;
    if (nextInMs === null) return Infinity;
    return nextInMs > 0 ? nextInMs : undefined;
  }

  return {
    async take(isLikely = true) {
      if (inHand >= parallel) return { jobs: [], hasLine: true, nextInMs: Infinity };
      const idleMs = isLikely ? undefined : await waitMs();
      if (idleMs !== undefined) return { jobs: [], hasLine: false, nextInMs: idleMs };
      const { rows } = await db.query(TAKE_DUE, [kind, MAX_DUE, freeForAnyone()]);
      // Safe: as above.
      const [{ taken, has_line: hasLine, next_in_ms: nextInMs }] = rows as unknown as [DueRow];
      const jobs = (hasLine ? await takeFromLine() : taken).map((row) => takenJobOf(kind, row));
      for (const { owner } of jobs) {
        inHand += 1;
        places.add(owner.place, 1);
        organizations.add(owner.orgId, 1);
      }
      return { jobs, hasLine, nextInMs: nextInMs ?? Infinity };
    },

    release({ owner }) {
      inHand -= 1;
      places.add(owner.place, -1);
      organizations.add(owner.orgId, -1);
    },
  };
}

/** Numbers by name, without those that are zero. */
function createCounter() {
  const numbers = new Map<string, number>();
  return {
    add(name: string, by: 1 | -1): void {
      const number = (numbers.get(name) ?? 0) + by;
      if (number > 0) numbers.set(name, number);
      else numbers.delete(name);
    },
    max: () => Math.max(0, ...numbers.values()),
    columns: () => [[...numbers.keys()], [...numbers.values()]] as const,
  };
}
