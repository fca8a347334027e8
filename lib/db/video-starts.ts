import { and, eq, exists, isNull, sql } from 'drizzle-orm';
import type { OrgId, VideoId } from '../domain/ids';
import type { VideoOrder } from '../domain/video';
import type { Db, Tx } from './database';
import { joinInserts, type PartialInsert } from './sql';
import { videoAttempts, videos, type AttemptOutcome } from './schema/index';
import { IS_UNFINISHED, videoColumns, type VideoRow } from './videos';

// The steps of a start. Each step is one statement for many videos, because the starts of a backlog come together.

/** An order up to this size is read with its video. Larger ones, up to 25 MB, are read one by one. */
const MAX_JOINT_ORDER_BYTES = 20_000;

export interface StartingVideo {
  readonly video: VideoRow;
  /** Absent if the order is large or was removed, or if the video was deleted; see `findOrder`. */
  readonly order: VideoOrder | null;
  /** As stored; see `modelOfVideo`. */
  readonly catalogEntry: unknown;
  readonly attempts: readonly AttemptRow[];
}

export type AttemptRow = typeof videoAttempts.$inferSelect;

/** Returns the video of each id, in the order of the ids, with its attempts; undefined if it was deleted. */
export async function readStarts(db: Db, ids: readonly VideoId[]): Promise<(StartingVideo | undefined)[]> {
  const isOne = sql`${videos.id} = any(${sql.param(ids)}::text[])`;
  const rows = await db.orm
    .select({
      video: videoColumns,
      order: sql<VideoOrder | null>`case when pg_column_size(${videos.order}) <= ${MAX_JOINT_ORDER_BYTES} then ${videos.order} end`,
      catalogEntry: videos.catalogEntry,
      hasAttempts: exists(
        db.orm
          .select({ one: sql`1` })
          .from(videoAttempts)
          .where(eq(videoAttempts.videoId, videos.id)),
      ),
    })
    .from(videos)
    .where(and(isOne, isNull(videos.deletedAt)));
  const begun = rows.filter(({ hasAttempts }) => hasAttempts).map(({ video }) => video.id);
  const attempts = begun.length === 0 ? [] : await listAttemptsOf(db, begun);
  const byId = new Map(
    rows.map(({ video, order, catalogEntry }) => [
      video.id,
      { video, order, catalogEntry, attempts: attempts.filter(({ videoId }) => videoId === video.id) },
    ]),
  );
  return ids.map((id) => byId.get(id));
}

async function listAttemptsOf(db: Db, ids: readonly VideoId[]): Promise<AttemptRow[]> {
  return db.orm
    .select()
    .from(videoAttempts)
    .where(sql`${videoAttempts.videoId} = any(${sql.param(ids)}::text[])`)
    .orderBy(videoAttempts.attempt);
}

export async function listAttempts(db: Db, id: VideoId): Promise<AttemptRow[]> {
  return listAttemptsOf(db, [id]);
}

export interface StartClaim extends AttemptProvider {
  readonly id: VideoId;
  readonly attempt: number;
  readonly upstreamModel: string;
  readonly at: Date;
}

/**
 * Claims the next start attempt of each video and stores it. Returns false for a video if another runner was faster or
 * the video is finished. An earlier attempt that was still preparing can no longer be submitted; its process has ended
 * or is paused. The video no longer waits for another provider.
 */
export async function claimStarts(db: Db, claims: readonly StartClaim[]): Promise<boolean[]> {
  const text = claimText(claims.some(({ attempt }) => attempt > 1));
  return changed(db, text, claims, ['id', 'attempt', 'provider', 'upstreamModel', 'credentialId', 'at']);
}

const SUPERSEDE = `
  update video_attempts set outcome = 'failed', ended_at = claimed.at, code = 'internal_error'
  from claimed where video_id = claimed.id and outcome = 'preparing'`;

const claimText = (supersedes: boolean) => `
  with given as materialized (
    select * from unnest($1::text[], $2::int[], $3::text[], $4::text[], $5::text[], $6::timestamptz[])
      as given (id, attempt, provider, upstream_model, credential_id, at)
  ),
  claimed as (
    update videos set start_attempt = given.attempt, provider = given.provider,
      upstream_model = given.upstream_model, credential_id = given.credential_id
    from given
    where videos.id = any($1::text[]) and videos.id = given.id and start_attempt = given.attempt - 1
      and receipt is null and ${IS_UNFINISHED}
    returning given.*
  ),
  ${supersedes ? `superseded as (${SUPERSEDE}),` : ''}
  out_of_line as (
    delete from waiting_starts using claimed where video_id = any($1::text[]) and video_id = claimed.id
  ),
  prepared as (
    insert into video_attempts (video_id, attempt, provider, upstream_model, credential_id, outcome, started_at)
    select id, attempt, provider, upstream_model, credential_id, 'preparing', at from claimed
  )
  select id from claimed`;

export interface SubmittedAttempt {
  readonly id: VideoId;
  readonly attempt: number;
  readonly submittedAt: Date;
  /** The body of the request, as JSON text. */
  readonly sent: string;
}

/**
 * Marks the point of no return of attempts. Returns false for an attempt if its video has ended or a later attempt has
 * been claimed; then nothing is changed and nothing may be sent.
 */
export async function markSubmitted(db: Db, attempts: readonly SubmittedAttempt[]): Promise<boolean[]> {
  return changed(db, MARK_SUBMITTED, attempts, ['id', 'attempt', 'submittedAt', 'sent']);
}

// The video is locked, so that a cancellation comes either before this or sees the attempt.
const MARK_SUBMITTED = `
  with given as materialized (
    select * from unnest($1::text[], $2::int[], $3::timestamptz[], $4::json[]) as given (id, attempt, submitted_at, sent)
  ),
  current as (
    select videos.id, given.attempt, given.submitted_at, given.sent from videos join given on videos.id = given.id
    where videos.id = any($1::text[]) and start_attempt = given.attempt and receipt is null
      and ${IS_UNFINISHED}
    for update of videos
  )
  update video_attempts set outcome = 'unknown', submitted_at = current.submitted_at, sent = current.sent
  from current
  where video_attempts.video_id = any($1::text[]) and video_attempts.video_id = current.id
    and video_attempts.attempt = current.attempt
  returning video_attempts.video_id as id`;

/** Returns the state of the start that this attempt prepares. `ended`: its video has ended, or runs at a provider. */
export async function readStartState(
  db: Db,
  { id, attempt }: Pick<StartClaim, 'id' | 'attempt'>,
): Promise<'preparing' | 'replaced' | 'ended'> {
  const { rows } = await db.query(
    `select start_attempt as attempt from videos where id = $1 and receipt is null and ${IS_UNFINISHED}`,
    [id],
  );
  if (!rows[0]) return 'ended';
  return Number(rows[0].attempt) === attempt ? 'preparing' : 'replaced';
}

export interface StoredStart {
  readonly id: VideoId;
  readonly attempt: number;
  /** As JSON text. */
  readonly receipt: string;
  readonly providerJobId?: string;
  readonly deadlineAt: Date;
  /** The time of acceptance of the attempt, and the start of the work. */
  readonly acceptedAt: Date;
}

/**
 * Stores that providers have started the videos with these attempts. Also runs `inserts`, which select from the ids of
 * the videos. Returns false for a video that is finished or already started; then nothing is changed.
 */
export async function storeStarts(
  db: Db,
  starts: readonly StoredStart[],
  inserts: readonly PartialInsert[],
): Promise<boolean[]> {
  const columns = ['id', 'attempt', 'receipt', 'providerJobId', 'deadlineAt', 'acceptedAt'] as const;
  const inserted = joinInserts(inserts, columns.length + 1, 'stored');
  return changed(db, `${STORE_STARTS}${inserted.text} select id from stored`, starts, columns, inserted.values);
}

const STORE_STARTS = `
  with given as materialized (
    select * from unnest($1::text[], $2::int[], $3::jsonb[], $4::text[], $5::timestamptz[], $6::timestamptz[])
      as given (id, attempt, receipt, provider_job_id, deadline_at, accepted_at)
  ),
  stored as (
    update videos set receipt = given.receipt, deadline_at = given.deadline_at, started_at = given.accepted_at,
      provider_job_id = coalesce(given.provider_job_id, videos.provider_job_id)
    from given
    where videos.id = any($1::text[]) and videos.id = given.id and videos.receipt is null
      and ${IS_UNFINISHED}
    returning videos.id, given.attempt, given.accepted_at
  ),
  ended as (
    update video_attempts set outcome = 'accepted', ended_at = stored.accepted_at
    from stored
    where video_attempts.video_id = any($1::text[]) and video_attempts.video_id = stored.id
      and video_attempts.attempt = stored.attempt
  )`;

/** Runs a statement with one array for each column. Returns for each row whether the statement returned its id. */
async function changed<Row extends { readonly id: VideoId }>(
  db: Db,
  text: string,
  rows: readonly Row[],
  columns: readonly (keyof Row)[],
  moreValues: readonly unknown[] = [],
): Promise<boolean[]> {
  const values = columns.map((column) => rows.map((row) => row[column]));
  const { rows: found } = await db.query(text, [...values, ...moreValues]);
  const ids = new Set(found.map(({ id }) => id));
  return rows.map(({ id }) => ids.has(id));
}

/** The starts that count against the limits of an account at a provider. */
export interface StartCount {
  /** Videos that the provider works on or is about to start. */
  readonly running: number;
  /** Those of them that it works on. */
  readonly accepted: number;
  /** Starts that the provider has received since a given time or is about to receive. */
  readonly recent: number;
  /** The starts in both numbers that have not been received yet because their media take long to prepare. */
  readonly slow: number;
  /** `running` without `slow`, of all models. */
  readonly ofAllModels: number;
}

/** Counts starts that were submitted, or have begun to prepare their media, since these times. */
interface CountedSince {
  readonly submitted: Date;
  /** A start that began to prepare before this time is `slow`. */
  readonly preparing: Date;
}

/**
 * Counts the starts of each organisation at an account, of one upstream model or, if it is null, of all. Starts that
 * failed before they were sent do not count, because the provider does not know of them. An earlier attempt of `except`
 * does not count either, because a new one replaces it.
 */
export async function countStarts(
  db: Db,
  { provider, credentialId, model }: AttemptProvider & { readonly model: string | null },
  since: CountedSince,
  except?: VideoId,
): Promise<ReadonlyMap<OrgId, StartCount>> {
  const { rows } = await db.query(COUNT_STARTS, [
    provider,
    credentialId,
    since.submitted,
    except ?? '',
    since.preparing,
    model,
  ]);
  // Safe: the columns are those of the statement.
  const counts = rows as unknown as readonly (StartCount & { readonly org_id: OrgId })[];
  return new Map(counts.map(({ org_id: orgId, ...count }) => [orgId, count]));
}

// An attempt of a process that has died stays `preparing` until the video is started again. Only that of an unfinished
// video counts, because no other will be sent. Only the last attempt of a video is open. None of the parts reads the
// videos that wait for another attempt, of which there may be thousands. An attempt that seems to have been submitted
// in the future was submitted before the clock was set back, and is not recent.
const COUNT_STARTS = `
  select org_id, coalesce(sum(running) filter (where counts), 0)::int as running,
    coalesce(sum(accepted) filter (where counts), 0)::int as accepted,
    coalesce(sum(recent) filter (where counts), 0)::int as recent, coalesce(sum(slow) filter (where counts), 0)::int as slow,
    sum(running - slow)::int as "ofAllModels"
  from (
    select org_id, 1 as running, 1 as accepted, 0 as recent, 0 as slow,
      ($6::text is null or upstream_model = $6) as counts
    from videos
    where provider = $1 and credential_id is not distinct from $2 and id <> $4
      and ${IS_UNFINISHED} and receipt is not null and upstream_result is null
    union all
    select org_id, 1, 0, (outcome = 'preparing')::int, (outcome = 'preparing' and video_attempts.started_at <= $5)::int,
      ($6::text is null or video_attempts.upstream_model = $6)
    from video_attempts join videos on videos.id = video_id
    where video_attempts.provider = $1 and video_attempts.credential_id is not distinct from $2
      and ended_at is null and id <> $4 and ${IS_UNFINISHED} and receipt is null
    union all
    select org_id, 0, 0, 1, 0, ($6::text is null or video_attempts.upstream_model = $6)
    from video_attempts join videos on videos.id = video_id
    where video_attempts.provider = $1 and video_attempts.credential_id is not distinct from $2
      and submitted_at > $3 and submitted_at < $3 + interval '2 minutes'
  ) as counted
  group by org_id`;

/** The provider of an attempt to start a video, and its credential. */
export type AttemptProvider = Pick<typeof videoAttempts.$inferSelect, 'provider' | 'credentialId'>;

/**
 * Returns the state of a video's start: started, requested from a provider whose response is not known, or neither.
 * Locks the video until the transaction ends, so that no start can begin in the meantime.
 */
export async function lockStart(
  tx: Tx,
  id: VideoId,
): Promise<'begun' | 'idle' | (AttemptProvider & { readonly upstreamModel: string })> {
  const [video] = await tx.orm.select({ receipt: videos.receipt }).from(videos).where(eq(videos.id, id)).for('update');
  if (video && video.receipt !== null) return 'begun';
  const [open] = await tx.orm
    .select({
      provider: videoAttempts.provider,
      credentialId: videoAttempts.credentialId,
      upstreamModel: videoAttempts.upstreamModel,
    })
    .from(videoAttempts)
    .where(and(eq(videoAttempts.videoId, id), eq(videoAttempts.outcome, 'unknown')))
    .limit(1);
  return open ?? 'idle';
}

export interface AttemptEnd {
  readonly outcome: AttemptOutcome;
  readonly endedAt: Date;
  readonly code?: string;
}

export async function endAttempt(db: Db, id: VideoId, attempt: number, end: AttemptEnd): Promise<void> {
  await db.orm
    .update(videoAttempts)
    .set(end)
    .where(and(eq(videoAttempts.videoId, id), eq(videoAttempts.attempt, attempt)));
}
