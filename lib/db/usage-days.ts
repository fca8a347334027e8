import { and, eq, gte, sql } from 'drizzle-orm';
import type { Account } from '../domain/caller';
import type { KeyId, VideoId } from '../domain/ids';
import type { NanoUsd } from '../domain/money';
import type { Db, Tx } from './database';
import { usageDays, type HoldSubject } from './schema/index';

// The daily sums: what ended on a day of UTC, and what it was charged. Work is counted by the statement that stores its
// end, or in the same transaction, so a repeated write counts nothing twice. Pages and reports read these sums, never the
// rows of the work, which are too many and are deleted by age.
//
// The row of a key and model is locked until the transaction ends. Every transaction locks the account first, so that
// they cannot wait for each other in a circle.

/** A bucket of `usage_durations` is 10 % wide, so its middle is within 5 % of each duration in it. */
const DURATION_BASE = 1.1;
const MIN_SECONDS = 0.001;

/** Failures of videos that the provider did not cause, and that are left out of its error rate. */
const EXCUSED_CODES = [
  'cancelled',
  'content_policy_violation',
  'media_invalid',
  'media_unreachable',
  'media_too_large',
  'input_seconds_mismatch',
];

const MEASURES = [
  'finished',
  'succeeded',
  'excused',
  'cost_nano_usd',
  'refunded_nano_usd',
  'input_tokens',
  'cache_read_tokens',
  'cache_write_tokens',
  'output_tokens',
  'media_millis',
  'characters',
] as const;
type Measure = (typeof MEASURES)[number];
const DIMENSIONS = 'org_id, mode, day, kind, key_id, model, provider';

interface Source {
  /** SQL expressions over a row of the work. A measure that is absent counts as 0. */
  readonly measures: Readonly<Partial<Record<Measure, string>>>;
  readonly kind: string;
  /** From the request to the end of successful work; null for other work. Absent: the caller decides how long it takes. */
  readonly seconds?: string;
  /** From the request to the first content of successful work, in the same way. */
  readonly firstSeconds?: string;
}

/** The source for a row of `videos` that has ended. */
const ofVideo: Source = {
  kind: `'video'`,
  measures: {
    finished: '1',
    succeeded: `(status = 'completed')::int`,
    excused: `(status = 'failed' and coalesce(error_code, '') in (${EXCUSED_CODES.map((code) => `'${code}'`).join(', ')}))::int`,
    cost_nano_usd: 'coalesce(cost_nano_usd, 0)',
    media_millis: `case when status = 'completed' then round(coalesce(duration_seconds, seconds::float8) * 1000) else 0 end`,
  },
  seconds: `case when status = 'completed' then extract(epoch from completed_at - created_at) end`,
};

const ofMessage: Source = {
  kind: `'message'`,
  measures: {
    finished: '1',
    succeeded: `(outcome = 'completed')::int`,
    cost_nano_usd: 'cost_nano_usd',
    input_tokens: 'input_tokens',
    cache_read_tokens: 'cache_read_tokens',
    cache_write_tokens: 'cache_write_5m_tokens + cache_write_1h_tokens',
    output_tokens: 'output_tokens',
  },
  seconds: `case when outcome = 'completed' then total_ms / 1000.0 end`,
  firstSeconds: `case when outcome = 'completed' then first_token_ms / 1000.0 end`,
};

/** The source for a row of `meters` that has ended. */
const ofMeter: Source = {
  kind: 'kind',
  measures: {
    finished: '1',
    succeeded: `(outcome <> 'failed')::int`,
    cost_nano_usd: 'cost_nano_usd',
    media_millis: 'audio_millis',
    characters: 'characters',
  },
};

/** The UTC day of an instant as text, which is what `at` is in these statements. */
const dayOf = (at: string) => `(${at}::timestamptz at time zone 'UTC')::date`;

/**
 * Returns CTEs that add the rows of `from`, all of one kind of work, to the sums of the day of `at`. `from` is SQL for
 * a table or an earlier CTE. `at` is SQL for an instant, which must be that of the charge's entries in the ledger if
 * there are any.
 */
function adding({ kind, measures, seconds, firstSeconds }: Source, from: string, at: string): string {
  const columns = MEASURES.filter((measure) => measures[measure] !== undefined);
  const counted = `counted as (
    insert into usage_days as sums (${DIMENSIONS}, ${columns.join(', ')})
    select org_id, mode, ${dayOf(at)}, ${kind}, key_id, model, coalesce(provider, ''), ${columns.map((column) => `sum(${measures[column]})`).join(', ')}
    from ${from} group by 1, 2, 3, 4, 5, 6, 7 order by 1, 2, 3, 4, 5, 6, 7
    on conflict (${DIMENSIONS}) do update set ${columns.map((column) => `${column} = sums.${column} + excluded.${column}`).join(', ')}
  )`;
  if (seconds === undefined) return counted;
  const times = [`select ${seconds} as seconds, 1 as ended, 0 as begun`];
  if (firstSeconds !== undefined) times.push(`select ${firstSeconds}, 0, 1`);
  return `${counted}, timed as (
    insert into usage_durations as histogram (org_id, mode, model, day, provider, bucket, count, first_count)
    select org_id, mode, model, ${dayOf(at)}, provider, ${bucketOf('times.seconds::float8')}, sum(ended), sum(begun)
    from ${from} work cross join lateral (${times.join(' union all ')}) times
    where times.seconds is not null and provider is not null group by 1, 2, 3, 4, 5, 6 order by 1, 2, 3, 4, 5, 6
    on conflict (org_id, mode, model, day, provider, bucket) do update
      set count = histogram.count + excluded.count, first_count = histogram.first_count + excluded.first_count
  )`;
}

const bucketOf = (seconds: string) =>
  `round(ln(greatest(${seconds}, ${MIN_SECONDS})) / ln(${DURATION_BASE}))::smallint`;

/** Returns the seconds in the middle of a bucket of `usage_durations`. */
export const secondsOfBucket = (bucket: number): number => DURATION_BASE ** bucket;

export const addingMessages = (from: string, at: string) => adding(ofMessage, from, at);
export const addingMeters = (from: string, at: string) => adding(ofMeter, from, at);
const countVideo = `with ended as (select * from videos where id = $1), ${adding(ofVideo, 'ended', '$2')} select`;

/** Counts a video that ends in this transaction. Call it once, after its hold was captured or released at `at`. */
export async function addEndedVideo(tx: Tx, id: VideoId, at: Date): Promise<void> {
  await tx.query(countVideo, [id, at.toISOString()]);
}

/** The work that a refund is for, as the sums count it. */
export interface RefundedWork {
  readonly kind: HoldSubject;
  readonly keyId: KeyId;
  readonly model: string;
  readonly provider: string | null;
}

/** Counts a refund on its own day. Call it after the ledger has moved the credits at `at`. */
export async function addRefund(
  tx: Tx,
  { orgId, mode }: Account,
  work: RefundedWork | undefined,
  { amount, at }: { readonly amount: NanoUsd; readonly at: Date },
): Promise<void> {
  const { kind = '', keyId = '', model = '', provider = null } = work ?? {};
  await tx.query(
    `insert into usage_days as sums (${DIMENSIONS}, refunded_nano_usd) values ($1, $2, ${dayOf('$3')}, $4, $5, $6, $7, $8)
     on conflict (${DIMENSIONS}) do update set refunded_nano_usd = sums.refunded_nano_usd + excluded.refunded_nano_usd`,
    [orgId, mode, at.toISOString(), kind, keyId, model, provider ?? '', amount.toString()],
  );
}

/**
 * Returns the charges of each day since then (UTC, ISO date), minus the refunds made on that day. Days without either
 * are absent.
 */
export async function sumSpentByDay(
  db: Db,
  { orgId, mode }: Account,
  sinceDay: string,
): Promise<readonly { day: string; spent: NanoUsd }[]> {
  return db.orm
    .select({
      day: usageDays.day,
      spent: sql<NanoUsd>`sum(${usageDays.costNanoUsd} - ${usageDays.refundedNanoUsd})`.mapWith(BigInt),
    })
    .from(usageDays)
    .where(and(eq(usageDays.orgId, orgId), eq(usageDays.mode, mode), gte(usageDays.day, sinceDay)))
    .groupBy(usageDays.day);
}
