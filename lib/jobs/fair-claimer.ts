import type { Db } from '../db/database';
import { jobRules, type JobKind } from './job';
import { LOOK, SHARE_OF_ORGANIZATION, CLAIM_DUE, CLAIM_FROM_LINE } from './statements';
import { claimedJobOf, type ClaimedJob, type ClaimedRow } from './claimed-job';

// Claims jobs of one kind so that each organisation and each place gets its share of the handlers. See the decision
// docs/decisions/own-job-queue.md.

/** The maximum number of jobs that have become due and get their turn in one claim. */
const MAX_DUE = 1_000;
/** The maximum number of places that one claim visits; the next claim continues after the last of them. */
const MAX_PLACES = 100;

export interface FairClaimer {
  /**
   * Claims jobs for the free handlers. With `isLikely` false, it first checks whether there are any: the check costs a
   * fraction of a claim, and an idle process polls ten times a second.
   */
  claim(isLikely?: boolean): Promise<Claimed>;
  /** Frees the handler of a job. */
  release(job: ClaimedJob): void;
}

export interface Claimed {
  readonly jobs: readonly ClaimedJob[];
  /** Whether jobs wait in line, for any free handler or for one that their place may use. */
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

  /** Returns how many jobs can be claimed without exceeding the share of any place or organisation. */
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

  /** Returns the time until the next delayed job is due; undefined if there are jobs to claim now. */
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

/** Counts by name; a name whose count falls to zero is removed. */
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
