import type { OrgId, VideoId } from '../domain/ids';
import type { Mode } from '../domain/video';
import type { Db } from './database';
import type { AttemptProvider } from './video-starts';
import { IS_UNFINISHED } from './videos';

// The queues of videos that wait for a slot of an account at a provider. The number of rows that a statement reads does
// not depend on how many videos wait. Except for `leaveQueues`, the caller has locked the account.

/** The starts at an account that wait for the same slots. */
export interface StartQueue extends AttemptProvider {
  /** The upstream model of its starts; null if those of all models wait together. */
  readonly model: string | null;
}

/** The text that identifies a queue, as in the column `account`. */
export const queueText = ({ provider, credentialId, model }: StartQueue): string =>
  [
    provider,
    ...(credentialId !== null || model !== null ? [credentialId ?? ''] : []),
    ...(model === null ? [] : [model]),
  ].join(' ');

function queueOfText(text: string): StartQueue {
  const [provider = '', credentialId = '', ...model] = text.split(' ');
  // Safe: `queueText` wrote it.
  const account = { provider, credentialId: credentialId === '' ? null : credentialId } as AttemptProvider;
  return { ...account, model: model.length === 0 ? null : model.join(' ') };
}

export interface WaitingStart {
  readonly id: VideoId;
  readonly orgId: OrgId;
  readonly mode: Mode;
  readonly createdAt: Date;
}

/**
 * Adds a start to the queue. Safe to repeat: the start keeps its place, and is no longer called. `refusedAt`: when the
 * provider refused it although its limits seemed to allow it.
 */
export async function joinQueue(
  db: Db,
  queue: string,
  { id, orgId, mode, createdAt }: WaitingStart,
  refusedAt?: Date,
): Promise<void> {
  await db.query(
    `insert into waiting_starts as known (video_id, account, org_id, mode, created_at, refused_at)
     values ($1, $2, $3, $4, $5, $6)
     on conflict (video_id, account) do update set called_at = null,
       refused_at = coalesce(excluded.refused_at, known.refused_at)`,
    [id, queue, orgId, mode, createdAt, refusedAt],
  );
}

/** Ends the wait of a video in all queues. `claimStarts` does the same. */
export async function leaveQueues(db: Db, id: VideoId): Promise<void> {
  await db.query('delete from waiting_starts where video_id = $1', [id]);
}

/** Returns how many starts wait, counted up to `max`. */
export async function countWaiting(db: Db, queue: string, max: number): Promise<number> {
  const { rows } = await db.query(
    'select count(*)::int as n from (select from waiting_starts where account = $1 limit $2) as waiting',
    [queue, max],
  );
  return Number(rows[0]?.['n']);
}

/** Returns the queues in which starts wait. */
export async function listQueues(db: Db): Promise<readonly StartQueue[]> {
  const { rows } = await db.query(LIST_QUEUES);
  return rows.map(({ account }) => queueOfText(String(account)));
}

const LIST_QUEUES = `
  with recursive queue (account) as (
    (select account from waiting_starts order by account limit 1)
    union all
    select (select next.account from waiting_starts as next where next.account > queue.account order by next.account limit 1)
    from queue where queue.account is not null
  )
  select account from queue where account is not null`;

/**
 * Returns whether a start may take one of the `free` slots. One that was called may, if there is a slot for each start
 * that was called. One that was not called may, if there is a slot for each start that waits; if it was refused after
 * `refusedSince`, only if no other waits.
 */
export async function hasTurn(db: Db, queue: string, id: VideoId, free: number, refusedSince: Date): Promise<boolean> {
  const { rows } = await db.query(HAS_TURN, [queue, id, free, refusedSince]);
  return rows[0]?.['hasTurn'] === true;
}

/** SQL condition; its argument is SQL too. A refusal in the future is from before the clock was set back. */
const isRefusedSince = (since: string) =>
  `(refused_at between ${since}::timestamptz and ${since}::timestamptz + interval '5 minutes') is true`;

/** SQL for the number of other starts in the queue, counted up to `max`. */
const othersUpTo = (max: string, condition = 'true') =>
  `(select count(*) from (
    select from waiting_starts where account = $1 and video_id <> $2 and ${condition} limit ${max}
  ) as other)`;

const HAS_TURN = `
  select case
    when own.called_at is not null then ${othersUpTo('$3::int', 'called_at is not null')} < $3::int
    when ${isRefusedSince('$4')} then ${othersUpTo('1')} = 0
    else ${othersUpTo('$3::int')} < $3::int
  end as "hasTurn"
  from (select) as one left join waiting_starts as own on own.account = $1 and own.video_id = $2`;

/**
 * Returns the starts whose turn it is, at most `max`: live ones first, then those of the organisation with the smallest
 * share of the slots, then the oldest. `shares` contains the number of starts that count against the limits of the
 * queue, by organisation. Those that were refused after `refusedSince` are left out. An organisation gets at most twice
 * its part of `max`, so that little more is read than is returned: if the others have fewer starts, some slots are left
 * for the next time.
 */
export async function listNext(
  db: Db,
  queue: string,
  shares: ReadonlyMap<OrgId, number>,
  max: number,
  refusedSince?: Date,
): Promise<readonly { readonly id: VideoId; readonly isCalled: boolean }[]> {
  const { rows } = await db.query(LIST_NEXT, [queue, max, [...shares.keys()], [...shares.values()], refusedSince]);
  // Safe: the columns are those of the statement.
  return rows as unknown as Awaited<ReturnType<typeof listNext>>;
}

// A video that is cancelled while its job runs may stay in a queue until its job runs again.
const LIST_NEXT = `
  with recursive org (org_id) as (
    (select org_id from waiting_starts where account = $1 order by org_id limit 1)
    union all
    select (select next.org_id from waiting_starts as next where next.account = $1 and next.org_id > org.org_id order by next.org_id limit 1)
    from org where org.org_id is not null
  ),
  head as (
    select head.*, coalesce(share.number, 0) + row_number() over (partition by head.org_id order by head.mode, head.created_at, head.video_id) as nth
    from org
    cross join lateral (
      select * from waiting_starts as waiting
      where waiting.account = $1 and waiting.org_id = org.org_id
        and not ${isRefusedSince('$5')}
        and exists (
        select from videos where videos.id = waiting.video_id and ${IS_UNFINISHED}
      )
      order by waiting.mode, waiting.created_at, waiting.video_id
      limit greatest(1, 2 * $2::int / (select greatest(1, count(org_id)) from org))
    ) as head
    left join unnest($3::text[], $4::int[]) as share (org_id, number) on share.org_id = head.org_id
  )
  select video_id as id, called_at is not null as "isCalled" from head order by mode, nth, created_at, video_id limit $2::int`;

// The time of a call is that of the database's clock, because the clocks of two hosts differ.

/** Marks these starts as called: it is their turn. */
export async function markCalled(db: Db, queue: string, ids: readonly VideoId[]): Promise<void> {
  await db.query(`update waiting_starts set called_at = now() where ${isLocked('video_id = any($2::text[])')}`, [
    queue,
    ids,
  ]);
}

/** Removes the starts that were called more than `timeoutMs` ago and have not come. Returns them. */
export async function removeLate(db: Db, queue: string, timeoutMs: number): Promise<readonly VideoId[]> {
  const { rows } = await db.query(
    `delete from waiting_starts where ${isLocked(`called_at < now() - $2::float8 * interval '1 millisecond'`)}
     returning video_id as id`,
    [queue, timeoutMs],
  );
  // Safe: the column is that of the statement.
  return rows.map(({ id }) => id as VideoId);
}

// Starts that leave several queues at once lock their rows in a different order, so this statement waits for none of
// them.
const isLocked = (condition: string) => `account = $1 and video_id = any(array(
  select video_id from waiting_starts where account = $1 and ${condition} for update skip locked))`;
