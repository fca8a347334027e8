import type { Db } from '../db/database';
import { jobRules, type JobKind } from './job';
import { LOOK, SHARE_OF_ORGANIZATION, CLAIM_DUE, CLAIM_FROM_LINE } from './statements';
import { claimedJobOf, type ClaimedJob, type ClaimedRow } from './claimed-job';

// Claims jobs of one kind so that each organisation and each place gets its share of the handlers. See the decision
// docs/decisions/own-job-queue.md.

/** How many jobs that became due get their turn at once. */
const MAX_DUE = 1_000;
/** How many places are looked at in one claim; the next one continues behind the last of them. */
const MAX_PLACES = 100;

export interface FairClaimer {
  /**
   * Claims jobs for the free handlers. If it is unlikely that there are some, it looks first: a look costs a fraction of a
   * claim, and a process without work polls ten times a second.
   */
  claim(isLikely?: boolean): Promise<Claimed>;
  /** Frees the handler of a job. */
  release(job: ClaimedJob): void;
}

export interface Claimed {
  readonly jobs: readonly ClaimedJob[];
  /** Jobs wait in line: for a free handler, or for one of their place. */
  readonly hasLine: boolean;
  /** The time until the next delayed job is due. */
  readonly nextInMs: number;
}

interface DueRow {
  readonly claimed: ClaimedRow[];
  readonly has_line: boolean;
  readonly next_in_ms: number | null;
}

export function createFairClaimer(db: Db, kind: JobKind): FairClaimer {
  const { parallel, parallelPerPlace = parallel } = jobRules[kind];
  const places = createCounter();
  const organizations = createCounter();
  let inHand = 0;
  let lastPlace = '';

  /** How many jobs may be claimed whatever their places and organisations are. */
  function freeForAnyone(): number {
    const free = parallel - inHand + 1;
    const ofPlace = Math.floor((free - places.max()) / 2);
    const ofOrganization = Math.floor(
      (SHARE_OF_ORGANIZATION * free - organizations.max()) / (SHARE_OF_ORGANIZATION + 1),
    );
    return Math.max(0, Math.min(ofPlace, ofOrganization, parallelPerPlace - places.max()));
  }

  async function claimFromLine(): Promise<readonly ClaimedRow[]> {
    const { rows } = await db.query(CLAIM_FROM_LINE, [
      kind,
      lastPlace,
      MAX_PLACES,
      parallel - inHand,
      parallelPerPlace,
      ...places.columns(),
      ...organizations.columns(),
    ]);
    // Safe: the statement returns one row with these columns.
    const [{ claimed, last_place }] = rows as unknown as [{ claimed: ClaimedRow[]; last_place: string | null }];
    lastPlace = last_place ?? '';
    return claimed;
  }

  /** If there is nothing to claim now, the time until the next delayed job is due. */
  async function waitMs(): Promise<number | undefined> {
    const { rows } = await db.query(LOOK, [kind]);
    // Safe: as above.
    const [{ has_line: hasLine, next_in_ms: nextInMs }] = rows as unknown as [Omit<DueRow, 'claimed'>];
    if (hasLine) return undefined;
    if (nextInMs === null) return Infinity;
    return nextInMs > 0 ? nextInMs : undefined;
  }

  return {
    async claim(isLikely = true) {
      if (inHand >= parallel) return { jobs: [], hasLine: true, nextInMs: Infinity };
      const idleMs = isLikely ? undefined : await waitMs();
      if (idleMs !== undefined) return { jobs: [], hasLine: false, nextInMs: idleMs };
      const { rows } = await db.query(CLAIM_DUE, [kind, MAX_DUE, freeForAnyone()]);
      // Safe: as above.
      const [{ claimed, has_line: hasLine, next_in_ms: nextInMs }] = rows as unknown as [DueRow];
      const jobs = (hasLine ? await claimFromLine() : claimed).map((row) => claimedJobOf(kind, row));
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
