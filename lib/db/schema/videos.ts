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
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import type { CredentialId, HoldId, KeyId, OrgId, UserId, VideoId } from '../../domain/ids';
import type { Json } from '../../domain/json';
import type { QuoteJson } from '../../contract/quotes';
import type { FinishedVideo, Mode, VideoOrder, VideoStatus } from '../../domain/video';
import { instant } from './instant';

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
    /**
     * The bindings that may serve it, in order; narrowed at submission by pin and policy, so that a later change cannot
     * widen it.
     */
    candidates: jsonb().notNull().$type<Candidate[]>(),
    /**
     * Deleted, with prompt and media, when the video is deleted, and some time after its end
     * (lib/housekeeping/housekeeping.ts).
     */
    order: jsonb().$type<VideoOrder>(),
    /**
     * The request snapshot for display, with the fields in their original order (so no `jsonb`); see `snapshotRequest`.
     * Deleted with the order.
     */
    request: json().$type<Json>(),
    /** The request fields that had no effect. */
    ignoredParams: text('ignored_params')
      .array()
      .notNull()
      .default(sql`'{}'`),
    /**
     * The catalog entry of the model as it was at submission, if it may change before the start, as for a model of
     * CATALOG_FILE. Parsed where it is read (lib/videos/model-of-video.ts).
     */
    catalogEntry: jsonb('catalog_entry'),
    scenario: text(),
    /** As requested, for the response: the duration as text, the size as `WIDTHxHEIGHT`. */
    seconds: text().notNull(),
    size: text().notNull(),
    quoteNanoUsd: bigint('quote_nano_usd', { mode: 'bigint' }).notNull(),
    /** The lines of the quote, to display how the price is computed. */
    quoteLines: jsonb('quote_lines').notNull().$type<QuoteJson['lines']>(),
    costNanoUsd: bigint('cost_nano_usd', { mode: 'bigint' }),
    holdId: text('hold_id').notNull().$type<HoldId>(),

    /** The provider that does the work, set just before it is called. */
    provider: text(),
    upstreamModel: text('upstream_model'),
    /** The credential of the organisation's own account there; null for that of the installation. */
    credentialId: text('credential_id').$type<CredentialId>(),
    providerJobId: text('provider_job_id'),
    /** The provider's own job reference; null until it accepted. */
    receipt: jsonb().$type<Json>(),
    /** Incremented and stored before each start; without a receipt it shows that a start's outcome is unknown. */
    startAttempt: integer('start_attempt').notNull().default(0),
    startedAt: instant('started_at'),
    /** The number of checks of the provider, and the time of the last one. */
    checks: integer().notNull().default(0),
    checkedAt: instant('checked_at'),
    /** When the provider first reported that it is working on it. */
    inProgressAt: instant('in_progress_at'),
    /**
     * When the video fails: the end of waiting for a provider and, after its acceptance, the end of waiting for the
     * result.
     */
    deadlineAt: instant('deadline_at').notNull(),
    /** How long the work may take, from its start. */
    deadlineSeconds: integer('deadline_seconds').notNull().default(900),

    /** The provider's reference to the finished file. */
    file: jsonb().$type<Json>(),
    /**
     * The length of the finished file in bytes. Null until it is known; the first download of the file then stores it.
     */
    fileBytes: bigint('file_bytes', { mode: 'number' }),
    /**
     * Where the archive has the file, or will have it. Set before the file is copied, so that it is found even if the
     * video ends in another way. Null if the file stays with its provider.
     */
    archiveKey: text('archive_key'),
    /** What the provider reported of a completed video, while its file is copied to the archive; null before and after. */
    upstreamResult: jsonb('upstream_result').$type<UpstreamResult>(),
    publicUrl: text('public_url'),
    width: integer(),
    height: integer(),
    fps: doublePrecision(),
    durationSeconds: doublePrecision('duration_seconds'),
    errorCode: text('error_code'),
    errorMessage: text('error_message'),
    expiresAt: instant('expires_at'),
    /** What the provider charges the operator, also for a failure: in billionths of a dollar, or in its own unit. */
    upstreamNanoUsd: bigint('upstream_nano_usd', { mode: 'bigint' }),
    upstreamUnits: text('upstream_units'),

    webhookUrl: text('webhook_url'),

    /** SHA-256 of the canonical request, by which a client's automatic retry is recognised. */
    bodyHash: text('body_hash').notNull(),
    /** Whether the response to the submission was cut off before its last byte. */
    answerCut: boolean('answer_cut').notNull().default(false),
    /** The first time that a client referred to the video after its submission: read, downloaded or cancelled it. */
    polledAt: instant('polled_at'),
    /** Whether an automatic retry was answered with this video. */
    replayed: boolean().notNull().default(false),

    createdAt: instant('created_at').notNull().defaultNow(),
    completedAt: instant('completed_at'),
    deletedAt: instant('deleted_at'),
  },
  (table) => [
    // Ascending, and read backwards: for a list ordered by `desc`, Postgres does not use a `desc nulls last` index,
    // which is what `.desc()` creates.
    index('videos_list')
      .on(table.orgId, table.mode, table.createdAt, table.id)
      .where(sql`${table.deletedAt} is null`),
    index('videos_list_status')
      .on(table.orgId, table.mode, table.status, table.createdAt, table.id)
      .where(sql`${table.deletedAt} is null`),
    // Also for model performance, which counts deleted videos.
    index('videos_list_model').on(table.orgId, table.mode, table.model, table.createdAt, table.id),
    index('videos_list_provider')
      .on(table.orgId, table.mode, table.provider, table.createdAt, table.id)
      .where(sql`${table.deletedAt} is null`),
    index('videos_list_code')
      .on(table.orgId, table.mode, table.errorCode, table.createdAt, table.id)
      .where(sql`${table.deletedAt} is null and ${table.errorCode} is not null`),
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
    // Videos that a provider works on, for its limits. There may be many more that wait for another attempt.
    index('videos_started_at')
      .on(table.provider)
      .where(sql`${table.status} in ('queued', 'in_progress') and ${table.receipt} is not null`),
    // For housekeeping: each index has only the rows that still have something to delete.
    index('videos_files')
      .on(table.expiresAt, table.id)
      .where(sql`${table.file} is not null`),
    index('videos_failed_traces')
      .on(table.completedAt, table.id)
      .where(sql`${table.status} = 'failed' and ${table.receipt} is not null`),
    index('videos_deleted_traces')
      .on(table.deletedAt, table.id)
      .where(sql`${table.deletedAt} is not null and (${table.file} is not null or ${table.receipt} is not null)`),
    index('videos_requests')
      .on(table.status, table.completedAt)
      .where(sql`(${table.order} is not null or ${table.request} is not null) and ${table.completedAt} is not null`),
  ],
);

/**
 * The videos that a person has marked. `owner_id` is the person's id; for a key without a person, such as one of the
 * operator, the id of the key.
 */
export const favoriteVideos = pgTable(
  'favorite_videos',
  {
    ownerId: text('owner_id').notNull().$type<UserId | KeyId>(),
    videoId: text('video_id')
      .notNull()
      .$type<VideoId>()
      .references(() => videos.id, { onDelete: 'cascade' }),
    createdAt: instant('created_at').notNull(),
  },
  // The second index is for the deletion of a video.
  (table) => [
    primaryKey({ columns: [table.ownerId, table.videoId] }),
    index('favorite_videos_video').on(table.videoId),
  ],
);

/** As JSON: the times are ISO texts. */
export interface UpstreamResult extends Omit<FinishedVideo, 'expiresAt'> {
  /** When the provider deletes the file. */
  readonly expiresAt: string;
  readonly reportedAt: string;
}

export interface Candidate {
  provider: string;
  upstreamModel: string;
  /** The credential of the organisation's own account there; absent: the installation's. */
  credentialId?: CredentialId;
}

/** Every start request to a provider, with its outcome. */
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
    credentialId: text('credential_id').$type<CredentialId>(),
    startedAt: instant('started_at').notNull().defaultNow(),
    /** The point of no return: from here on the provider may have received the request. */
    submittedAt: instant('submitted_at'),
    endedAt: instant('ended_at'),
    outcome: text().notNull().$type<AttemptOutcome>().default('unknown'),
    /** Our public error code of the failure. */
    code: text(),
    /** The body of the request, without credentials; stored before the request is sent. Deleted with the video. */
    sent: json().$type<Json>(),
  },
  (table) => [
    primaryKey({ columns: [table.videoId, table.attempt] }),
    // For counting the starts that a provider received in the last minute.
    index('video_attempts_submitted')
      .on(table.provider, table.submittedAt)
      .where(sql`${table.submittedAt} is not null`),
    // For counting the starts that a provider may be receiving.
    index('video_attempts_open')
      .on(table.provider)
      .where(sql`${table.endedAt} is null`),
  ],
);

/** `preparing`: nothing has been sent yet · `unknown`: sent, and no response stored yet. */
export type AttemptOutcome = 'preparing' | 'unknown' | 'accepted' | 'refused' | 'failed';

/** Outcomes of requests with an Idempotency-Key, stored in the same transaction as their effect. */
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
