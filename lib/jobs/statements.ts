import type { Db } from '../db/database';
import type { PartialInsert } from '../db/sql';
import { jobRules, subjectOf, type Job, type JobKind, type JobOwner } from './job';

// The SQL statements of the queue. Each reads only the rows that it changes, or a number of rows that does not grow
// with the number of waiting jobs. Times come from the database's clock, because the clocks of two hosts differ.
//
// There is one line for each kind, place and mode. A due job gets a turn in its line: one more than the last turn of
// its organisation, but at least the turn of the first job in the line. Jobs are claimed in the order of their turns,
// so organisations alternate however many jobs each of them has.
//
// Joins also have the condition `id = any(array(…))`: without it the planner overestimates the joined rows and scans
// the table instead of using its primary key. For the same reason, further conditions on these rows apply to the rows
// that were read.

/** The end of a new lease. A process that died is detected when its lease ends. */
const LEASE_END = `clock_timestamp() + interval '30 seconds'`;

const IS_DUE_SOON = `leased_until is null and turn is null`;
const IS_IN_LINE = `leased_until is null and turn is not null`;

/** The kinds that keep one job per subject, as an SQL list. Safe to interpolate: they are constants of this code. */
const singleKinds = (Object.keys(jobRules) as JobKind[])
  .filter((kind) => jobRules[kind].isSingle)
  .map((kind) => `'${kind}'`)
  .join(', ');

/** Returns SQL for the next turn of an organisation in the line of a kind, place and mode. Arguments are SQL too. */
const nextTurn = (kind: string, place: string, mode: string, org: string) => `coalesce(greatest(
  (select line.turn from jobs as line
   where line.kind = ${kind} and line.place = ${place} and line.mode = ${mode} and line.leased_until is null and line.turn is not null
   order by line.turn limit 1),
  1 + (select line.turn from jobs as line
   where line.kind = ${kind} and line.place = ${place} and line.mode = ${mode} and line.org_id = ${org} and line.leased_until is null and line.turn is not null
   order by line.turn desc limit 1)), 0)`;

const dueIn = (milliseconds: string) => `now() + ${milliseconds}::float8 * interval '1 millisecond'`;

/**
 * Parameters: kind, mode, organisation, place, payload, subject, delay in milliseconds. A job without a delay joins its
 * line at once.
 */
export const INSERT = `
  insert into jobs (kind, mode, org_id, place, payload, subject, due_at, turn)
  values ($1, $2, $3, $4, $5, $6, ${dueIn('$7')}, case when $7::float8 <= 0 then ${nextTurn('$1', '$4', '$2', '$3')} end)
  on conflict do nothing`;

/**
 * Returns the SQL that inserts a job as a part of a statement. Its parameters begin at `$first`; it inserts nothing if
 * the part `from` has no row. The job gets its turn only when it is claimed, so that this part costs little.
 */
function insertText(first: number, from: string): string {
  const types = ['text', 'text', 'text', 'text', 'jsonb', 'text'];
  const parameters = types.map((type, at) => `$${first + at}::${type}`).join(', ');
  return `
  insert into jobs (kind, mode, org_id, place, payload, subject, due_at)
  select ${parameters}, ${dueIn(`$${first + types.length}`)} from ${from} on conflict do nothing`;
}

/**
 * Returns the SQL that inserts jobs which are due later; each parameter is an array. Only jobs whose subject is an id
 * in the part `from` are inserted.
 */
function insertManyText(first: number, from: string): string {
  const types = ['text', 'text', 'text', 'text', 'jsonb', 'text', 'float8'];
  const arrays = types.map((type, at) => `$${first + at}::${type}[]`).join(', ');
  return `
  insert into jobs (kind, mode, org_id, place, payload, subject, due_at)
  select kind, mode, org_id, place, payload, subject, ${dueIn('delay')}
  from unnest(${arrays}) as job (kind, mode, org_id, place, payload, subject, delay) join ${from} on ${from}.id = job.subject
  on conflict do nothing`;
}

/** Inserts a job that is due after `inMs`, unless its kind keeps one per subject and one with this subject waits. */
export async function insertJob(db: Db, job: Job, owner: JobOwner, inMs: number): Promise<void> {
  await db.query(INSERT, valuesOf(job, owner, inMs));
}

/** Returns the job of `insertJob` as an insert that becomes a part of the caller's statement. */
export function jobInsert(job: Job, owner: JobOwner, inMs: number): PartialInsert {
  return { text: insertText, values: valuesOf(job, owner, inMs) };
}

export interface NewJob {
  readonly job: Job;
  readonly owner: JobOwner;
  readonly inMs: number;
}

/**
 * Returns an insert of several jobs that becomes a part of the caller's statement. Each job is inserted only if that
 * statement has a row with its subject.
 */
export function jobsInsert(jobs: readonly NewJob[]): PartialInsert {
  const rows = jobs.map(({ job, owner, inMs }) => valuesOf(job, owner, inMs));
  return { text: insertManyText, values: Array.from({ length: 7 }, (_, column) => rows.map((row) => row[column])) };
}

function valuesOf(job: Job, { mode, orgId, place }: JobOwner, inMs: number): unknown[] {
  return [job.kind, mode, orgId, place, payloadOf(job), subjectOf(job), inMs];
}

export function payloadOf(job: Job): string {
  const { kind: _kind, ...payload } = job;
  return JSON.stringify(payload);
}

/**
 * SQL condition: jobs of the kind `$1` are in line. In the order of an index and not `exists`: the planner would expect
 * one soon, and if only jobs of other kinds are in line, it would read all of them.
 */
const HAS_LINE = `(
  select true from jobs where kind = $1 and ${IS_IN_LINE} order by place, mode, turn limit 1) is not null`;

/**
 * Parameter: kind. Returns one row: whether jobs are in line, and the milliseconds until the next job is due, which is
 * zero or negative if it is due now.
 */
export const LOOK = `
  select ${HAS_LINE} as has_line,
    (select extract(epoch from due_at - now())::float8 * 1000 from jobs where kind = $1 and ${IS_DUE_SOON} order by due_at limit 1) as next_in_ms`;

const CLAIMED_COLUMNS = `id, payload, org_id, mode, place, failures, run`;

/**
 * Parameters: kind, number of rows, number of rows that may be claimed without a line. If few jobs have become due and
 * none is in line, claims them; otherwise gives each its turn. Returns one row: the claimed jobs, whether jobs are in
 * line, and the milliseconds until the next job is due.
 */
export const CLAIM_DUE = `
  with due as materialized (
    select id, place, mode, org_id, due_at from jobs
    where kind = $1 and ${IS_DUE_SOON} and due_at <= now()
    order by due_at limit $2 for update skip locked
  ),
  direct as materialized (
    select (select count(*) from due) <= $3::int and not ${HAS_LINE} as is_direct
  ),
  first as (
    select place, mode, org_id, ${nextTurn('$1', 'due.place', 'due.mode', 'due.org_id')} as turn
    from (select distinct place, mode, org_id from due) as due where not (select is_direct from direct)
  ),
  changed as (
    update jobs set
      turn = placed.turn,
      leased_until = case when placed.turn is null then ${LEASE_END} end,
      run = run + case when placed.turn is null then 1 else 0 end,
      due_at = case when placed.turn is null then null else jobs.due_at end
    from (
      select due.id, first.turn - 1 + row_number() over (partition by due.place, due.mode, due.org_id order by due.due_at) as turn
      from due left join first using (place, mode, org_id)
    ) as placed
    where jobs.id = placed.id and jobs.id = any(array(select id from due)) returning jobs.*
  )
  select not (select is_direct from direct) as has_line,
    (select extract(epoch from due_at - now())::float8 * 1000 from jobs where kind = $1 and ${IS_DUE_SOON} and due_at > now() order by due_at limit 1) as next_in_ms,
    coalesce(
    (select json_agg(claimed) from (select ${CLAIMED_COLUMNS} from changed where leased_until is not null) as claimed), '[]') as claimed`;

/**
 * An organisation may use this many times the number of free handlers, so at most three quarters of all; a place may
 * use as many as are free, so at most half. The difference is left to the organisation's other jobs when a place hangs.
 */
export const SHARE_OF_ORGANIZATION = 3;

/**
 * Parameters: kind, first place (exclusive), number of places, free handlers, limit per place, places in use and their
 * counts, organisations in use and their counts. Claims jobs from the lines of these places, live jobs first, as long
 * as neither the place nor the organisation of a job exceeds its share of the handlers. Returns one row: the claimed
 * jobs, and the last place if there may be more.
 */
export const CLAIM_FROM_LINE = `
  with recursive place_of_line (place, nth) as (
    (select place, 1 from jobs where kind = $1 and ${IS_IN_LINE} and place > $2 order by place limit 1)
    union all
    select (select jobs.place from jobs where kind = $1 and ${IS_IN_LINE} and jobs.place > place_of_line.place order by jobs.place limit 1), nth + 1
    from place_of_line where place is not null and nth < $3::int
  ),
  head as (
    select head.*, coalesce(used.number, 0) + row_number() over (partition by head.place order by head.mode, head.turn, head.id) as nth_of_place
    from place_of_line
    left join unnest($6::text[], $7::int[]) as used (place, number) on used.place = place_of_line.place
    cross join lateral (
      select id, org_id, mode, place, turn from jobs
      where kind = $1 and jobs.place = place_of_line.place and ${IS_IN_LINE}
      order by mode, turn limit greatest(least($4::int, $5::int - coalesce(used.number, 0)), 0)
    ) as head
  ),
  ranked as (
    select head.id, head.mode, head.turn, nth_of_place,
      coalesce(used.number, 0) + row_number() over (partition by head.org_id order by head.mode, nth_of_place, head.id) as nth_of_org
    from head left join unnest($8::text[], $9::int[]) as used (org_id, number) on used.org_id = head.org_id
    where nth_of_place <= $4::int
  ),
  chosen as (
    select id from (
      select *, row_number() over (order by mode, greatest(nth_of_place, nth_of_org), turn, id) as rank
      from ranked where nth_of_org <= ${SHARE_OF_ORGANIZATION} * $4::int
    ) as ranked
    where nth_of_place <= $4::int - rank + 1 and nth_of_org <= ${SHARE_OF_ORGANIZATION} * ($4::int - rank + 1)
  ),
  locked as (
    select id, turn, leased_until from jobs where id = any(array(select id from chosen)) for update skip locked
  ),
  changed as (
    update jobs set turn = null, leased_until = ${LEASE_END}, run = run + 1, due_at = null
    where id = any(array(select id from locked where ${IS_IN_LINE})) returning jobs.*
  )
  select
    (select place from place_of_line where nth = $3::int) as last_place,
    coalesce((select json_agg(claimed) from (select ${CLAIMED_COLUMNS} from changed) as claimed), '[]') as claimed`;

/** SQL condition: the job is leased to the run in the row `given`. */
const IS_GIVEN = `jobs.id = any($1::bigint[]) and jobs.id = given.id and jobs.run = given.run and jobs.leased_until is not null`;

/** Parameters: ids, runs. Like the next three statements, returns the ids whose lease was not lost. */
export const RENEW = `
  update jobs set leased_until = ${LEASE_END}
  from unnest($1::bigint[], $2::int[]) as given (id, run) where ${IS_GIVEN} returning jobs.id`;

export const COMPLETE = `
  delete from jobs using unnest($1::bigint[], $2::int[]) as given (id, run) where ${IS_GIVEN} returning jobs.id`;

// Not `exists`: the planner would turn it into a join and read every waiting job.
const hasTwin = (job: string) => `${job}.kind in (${singleKinds}) and (
  select true from jobs as twin where twin.kind in (${singleKinds}) and twin.kind = ${job}.kind and twin.subject = ${job}.subject and twin.leased_until is null
  limit 1) is not null`;

/**
 * Parameters: ids, runs, payloads, delays in milliseconds. If the kind keeps one job per subject and another one waits,
 * the job is deleted; two such jobs in one call are a unique violation. A job that was made due while it ran is due at
 * that time.
 */
export const PUT_BACK = `
  with given as materialized (
    select * from unnest($1::bigint[], $2::int[], $3::jsonb[], $4::float8[]) as given (id, run, payload, delay)
  ),
  twins as (
    delete from jobs using given where ${IS_GIVEN} and ${hasTwin('jobs')} returning jobs.id
  ),
  changed as (
    update jobs set payload = given.payload, turn = null, leased_until = null, failures = 0, waits_since = now(),
      due_at = case when jobs.due_at is null then ${dueIn('given.delay')} else greatest(now(), jobs.due_at) end
    from given where ${IS_GIVEN} and not (${hasTwin('jobs')}) returning jobs.id
  )
  select id from twins union all select id from changed`;

/** Parameters: ids, runs, pauses in milliseconds. Puts back jobs that failed; deletes duplicates as `PUT_BACK` does. */
export const RETRY = `
  with given as materialized (
    select * from unnest($1::bigint[], $2::int[], $3::float8[]) as given (id, run, pause)
  ),
  twins as (
    delete from jobs using given where ${IS_GIVEN} and ${hasTwin('jobs')} returning jobs.id
  ),
  changed as (
    update jobs set turn = null, leased_until = null, failures = failures + 1, due_at = ${dueIn('given.pause')}
    from given where ${IS_GIVEN} and not (${hasTwin('jobs')}) returning jobs.id
  )
  select id from twins union all select id from changed`;

/** Parameter: id. Returns a row if the job exists. */
export const EXISTS = `select from jobs where id = $1`;

/**
 * Parameters: whether to take back all leased jobs or only those whose lease has expired; number of rows. Makes them
 * available again and counts their runs as failures.
 */
export const RETURN_LEASED = `
  with returned as materialized (
    select id, kind, subject, row_number() over (partition by kind, subject order by id) as nth from (
      select id, kind, subject from jobs
      where leased_until < case when $1::boolean then 'infinity'::timestamptz else now() end
      order by leased_until limit $2 for update skip locked
    ) as locked
  ),
  twins as (
    delete from jobs using returned
    where jobs.id = any(array(select id from returned)) and jobs.id = returned.id and ((returned.nth > 1 and returned.kind in (${singleKinds})) or (${hasTwin('returned')}))
    returning jobs.id
  ),
  changed as (
    update jobs set turn = null, leased_until = null, failures = failures + 1, due_at = now()
    from returned
    where jobs.id = any(array(select id from returned)) and jobs.id = returned.id and not ((returned.nth > 1 and returned.kind in (${singleKinds})) or (${hasTwin('returned')}))
    returning jobs.id
  )
  select id from twins union all select id from changed`;

/**
 * Parameters: kind, subject, minimum pause in milliseconds after the last run, or from now while the job is running. A
 * job that failed keeps its pause, and one that is in line is due already.
 */
export const MAKE_DUE = `
  update jobs set due_at = case
    when leased_until is not null then greatest(${dueIn('$3')}, due_at)
    else least(due_at, greatest(now(), waits_since + $3::float8 * interval '1 millisecond')) end
  where kind = $1 and subject = $2 and (leased_until is not null or (turn is null and failures = 0))`;

/**
 * Parameters: kind, subject. Makes the job due now and first in its line; while it is running, its next run is due when
 * this one ends. A job that failed keeps its pause, and one that is in line keeps its turn.
 */
export const RUN_NEXT = `
  update jobs set due_at = now(), turn = case when leased_until is null then coalesce((
    select line.turn from jobs as line
    where line.kind = jobs.kind and line.place = jobs.place and line.mode = jobs.mode and line.leased_until is null and line.turn is not null
    order by line.turn limit 1), 0) end
  where kind = $1 and subject = $2 and (leased_until is not null or (turn is null and failures = 0))`;
