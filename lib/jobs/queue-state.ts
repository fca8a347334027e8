import type { Db } from '../db/database';
import type { Mode } from '../domain/video';
import { jobRules, type JobKind } from './job';

// The current work of the queue, for the operator. Reading it counts all rows, so it is not for requests of clients.

/** The jobs of one kind. */
export interface KindState {
  readonly kind: JobKind;
  /** Jobs that are due and not yet claimed. */
  readonly waiting: number;
  /** How long the oldest waiting job has been due; undefined if none waits. */
  readonly oldestWaitMs: number | undefined;
  /** Jobs that are due later. */
  readonly scheduled: number;
  readonly running: number;
  /** Jobs whose last run had no outcome. */
  readonly failing: number;
}

/** A job that a process runs now. */
export interface RunningJob {
  readonly kind: string;
  readonly mode: Mode;
  readonly orgId: string;
  readonly place: string;
  readonly subject: string;
  readonly failures: number;
}

export interface QueueState {
  /** In the order of `jobRules`. */
  readonly kinds: readonly KindState[];
  /** At most MAX_RUNNING. */
  readonly running: readonly RunningJob[];
}

/** The depth of the queue of one kind of job, for the metrics. */
export interface QueueDepth {
  readonly kind: JobKind;
  /** Jobs that are due and not yet claimed. */
  readonly waiting: number;
  /** How long the oldest waiting job has been due; 0 if none waits. */
  readonly oldestWaitMs: number;
  readonly running: number;
}

const MAX_RUNNING = 50;

const COUNT = `
  select kind,
    count(*) filter (where leased_until is null and (turn is not null or due_at <= now()))::int as waiting,
    max(extract(epoch from now() - coalesce(due_at, waits_since)))
      filter (where leased_until is null and (turn is not null or due_at <= now()))::float8 * 1000 as oldest_wait_ms,
    count(*) filter (where leased_until is null and turn is null and due_at > now())::int as scheduled,
    count(*) filter (where leased_until is not null)::int as running,
    count(*) filter (where failures > 0)::int as failing
  from jobs group by kind`;

const RUNNING = `
  select kind, mode, org_id as "orgId", place, subject, failures from jobs
  where leased_until is not null order by leased_until, id limit ${MAX_RUNNING}`;

/** Returns the state of the queue, all processes together. */
export async function readQueueState(db: Db): Promise<QueueState> {
  const { rows: counted } = await db.query(COUNT);
  const { rows: running } = await db.query(RUNNING);
  // Safe: the keys of `jobRules` are the kinds.
  const kinds = (Object.keys(jobRules) as JobKind[]).map((kind): KindState => {
    // Safe: the columns of COUNT.
    const row = counted.find((each) => each.kind === kind) as
      | { waiting: number; oldest_wait_ms: number | null; scheduled: number; running: number; failing: number }
      | undefined;
    return {
      kind,
      waiting: row?.waiting ?? 0,
      oldestWaitMs: row?.oldest_wait_ms == null ? undefined : Math.max(0, row.oldest_wait_ms),
      scheduled: row?.scheduled ?? 0,
      running: row?.running ?? 0,
      failing: row?.failing ?? 0,
    };
  });
  // Safe: the columns of RUNNING.
  return { kinds, running: running as unknown as RunningJob[] };
}

// Each part reads a partial index, and no part reads jobs that are due later. The part that reads `jobs_due` needs the
// list of kinds for that.
const DEPTH = `
  select kind, sum(waiting)::int as waiting, max(oldest_wait_ms)::float8 as oldest_wait_ms, sum(running)::int as running
  from (
    select kind, count(*) as waiting, extract(epoch from now() - min(coalesce(due_at, waits_since))) * 1000 as oldest_wait_ms, 0 as running
    from jobs where leased_until is null and turn is not null group by kind
    union all
    select kind, count(*), extract(epoch from now() - min(due_at)) * 1000, 0
    from jobs where leased_until is null and turn is null and due_at <= now() and kind = any($1) group by kind
    union all
    select kind, 0, null, count(*) from jobs where leased_until is not null group by kind
  ) as parts group by kind`;

/** Returns the queue depth of every kind, all processes together. Does not read jobs that are due later. */
export async function readQueueDepth(db: Db): Promise<readonly QueueDepth[]> {
  // Safe: the keys of `jobRules` are the kinds.
  const kinds = Object.keys(jobRules) as JobKind[];
  const { rows } = await db.query(DEPTH, [kinds]);
  return kinds.map((kind): QueueDepth => {
    // Safe: the columns of DEPTH.
    const row = rows.find((each) => each.kind === kind) as
      { waiting: number; oldest_wait_ms: number | null; running: number } | undefined;
    return {
      kind,
      waiting: row?.waiting ?? 0,
      oldestWaitMs: Math.max(0, row?.oldest_wait_ms ?? 0),
      running: row?.running ?? 0,
    };
  });
}
