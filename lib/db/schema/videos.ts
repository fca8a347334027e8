import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  doublePrecision,
  index,
  integer,
  json,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import type { HoldId, KeyId, OrgId, VideoId } from '../../domain/ids';
import type { Json } from '../../domain/json';
import type { QuoteJson } from '../../domain/money';
import type { Mode, VideoOrder, VideoStatus } from '../../domain/video';

const instant = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' });

export const videos = pgTable(
  'videos',
  {
    id: text().primaryKey().$type<VideoId>(),
    orgId: text('org_id').notNull().$type<OrgId>(),
    keyId: text('key_id').notNull().$type<KeyId>(),
    mode: text().notNull().$type<Mode>(),
    requestId: text('request_id').notNull(),
    status: text().notNull().$type<VideoStatus>().default('queued'),
    model: text().notNull(),
    /** The bindings that may serve it, in order; narrowed at submission by pin and policy, so a later change cannot widen it. */
    candidates: jsonb().notNull().$type<Candidate[]>(),
    /** Removed, with prompt and media, when the video is deleted, and some time after its end (lib/housekeeping/housekeeping.ts). */
    order: jsonb().$type<VideoOrder>(),
    /** The request as it came, its fields in their order (so no `jsonb`), for showing: see `keptRequest`. Removed like the order. */
    request: json().$type<Json>(),
    /** The fields of it that nobody looked at. */
    ignoredParams: text('ignored_params')
      .array()
      .notNull()
      .default(sql`'{}'`),
    scenario: text(),
    /** As asked, for the answer: the length as text, the size as `WIDTHxHEIGHT`. */
    seconds: text().notNull(),
    size: text().notNull(),
    quoteNanoUsd: bigint('quote_nano_usd', { mode: 'bigint' }).notNull(),
    /** The lines of the quote, for showing how the price came about. */
    quoteLines: jsonb('quote_lines').notNull().$type<QuoteJson['lines']>(),
    costNanoUsd: bigint('cost_nano_usd', { mode: 'bigint' }),
    holdId: text('hold_id').notNull().$type<HoldId>(),

    /** Who does the work, from the moment before we ask. */
    provider: text(),
    upstreamModel: text('upstream_model'),
    providerJobId: text('provider_job_id'),
    /** The provider's own note; null until it said yes. */
    receipt: jsonb().$type<Json>(),
    /** Raised and stored before each start; with no receipt it tells that a start's outcome is unknown. */
    startAttempt: integer('start_attempt').notNull().default(0),
    startedAt: instant('started_at'),
    /** How often the provider was asked how far it is, and when last. */
    checks: integer().notNull().default(0),
    checkedAt: instant('checked_at'),
    /** When the provider first said that it is at work. */
    inProgressAt: instant('in_progress_at'),
    deadlineAt: instant('deadline_at').notNull(),

    /** The provider's note of the finished file. */
    file: jsonb().$type<Json>(),
    publicUrl: text('public_url'),
    width: integer(),
    height: integer(),
    fps: doublePrecision(),
    durationSeconds: doublePrecision('duration_seconds'),
    errorCode: text('error_code'),
    errorMessage: text('error_message'),
    expiresAt: instant('expires_at'),

    webhookUrl: text('webhook_url'),

    /** SHA-256 of the canonical request, to recognise a client's automatic retry. */
    bodyHash: text('body_hash').notNull(),
    /** True once the answer to the submission was cut off before its last byte. */
    answerCut: boolean('answer_cut').notNull().default(false),
    /** First time that somebody named the job after its submission: read, downloaded or cancelled it. */
    polledAt: instant('polled_at'),
    /** True once an automatic retry was answered with this job. */
    replayed: boolean().notNull().default(false),

    createdAt: instant('created_at').notNull().defaultNow(),
    completedAt: instant('completed_at'),
    deletedAt: instant('deleted_at'),
  },
  (table) => [
    // Ascending, and read backwards: Postgres does not use an index `desc nulls last` (which is what `.desc()` makes) for a
    // list that is ordered by `desc`.
    index('videos_list')
      .on(table.orgId, table.mode, table.createdAt, table.id)
      .where(sql`${table.deletedAt} is null`),
    index('videos_list_status')
      .on(table.orgId, table.mode, table.status, table.createdAt, table.id)
      .where(sql`${table.deletedAt} is null`),
    // Also for how a model has done, which counts deleted videos.
    index('videos_list_model').on(table.orgId, table.mode, table.model, table.createdAt, table.id),
    index('videos_list_key')
      .on(table.keyId, table.mode, table.createdAt, table.id)
      .where(sql`${table.deletedAt} is null`),
    index('videos_request').on(table.orgId, table.requestId),
    index('videos_provider_job')
      .on(table.providerJobId)
      .where(sql`${table.providerJobId} is not null`),
    index('videos_retry').on(table.keyId, table.bodyHash, table.createdAt),
    index('videos_running')
      .on(table.status)
      .where(sql`${table.status} in ('queued', 'in_progress')`),
    // What housekeeping looks for: each holds only rows that still have something to remove.
    index('videos_files')
      .on(table.expiresAt, table.id)
      .where(sql`${table.file} is not null`),
    index('videos_failed_traces')
      .on(table.completedAt, table.id)
      .where(sql`${table.status} = 'failed' and ${table.receipt} is not null`),
    index('videos_deleted_traces')
      .on(table.deletedAt, table.id)
      .where(sql`${table.deletedAt} is not null and (${table.file} is not null or ${table.receipt} is not null)`),
    index('videos_inputs')
      .on(table.status, table.completedAt)
      .where(sql`${table.order} is not null and ${table.completedAt} is not null`),
  ],
);

export interface Candidate {
  provider: string;
  upstreamModel: string;
}

/** Every time a provider was asked to begin a video, with what came of it. */
export const videoAttempts = pgTable(
  'video_attempts',
  {
    videoId: text('video_id')
      .notNull()
      .$type<VideoId>()
      .references(() => videos.id, { onDelete: 'cascade' }),
    attempt: integer().notNull(),
    provider: text().notNull(),
    upstreamModel: text('upstream_model').notNull(),
    startedAt: instant('started_at').notNull().defaultNow(),
    endedAt: instant('ended_at'),
    outcome: text().notNull().$type<AttemptOutcome>().default('unknown'),
    /** Our public code of the failure. */
    code: text(),
    /** What the provider was sent, as its folder tells it; without credentials. Removed when the video is deleted. */
    sent: json().$type<Json>(),
  },
  (table) => [primaryKey({ columns: [table.videoId, table.attempt] })],
);

/** `unknown`: asked, and no answer stored yet. */
export type AttemptOutcome = 'unknown' | 'accepted' | 'refused' | 'failed';

/** Outcomes of requests that carried an Idempotency-Key, stored in the transaction of their effect. */
export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    orgId: text('org_id').notNull().$type<OrgId>(),
    mode: text().notNull().$type<Mode>(),
    route: text().notNull(),
    key: text().notNull(),
    bodyHash: text('body_hash').notNull(),
    videoId: text('video_id').notNull().$type<VideoId>(),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.orgId, table.mode, table.route, table.key] }),
    index('idempotency_keys_age').on(table.createdAt),
    uniqueIndex('idempotency_keys_video').on(table.videoId),
  ],
);
