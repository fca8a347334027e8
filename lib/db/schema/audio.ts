import { sql } from 'drizzle-orm';
import { bigint, index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import type { ProviderId } from '../../domain/ids';
import type { HoldId, KeyId, MeterId, OrgId, SessionId, SignInId } from '../../domain/ids';
import type { Mode } from '../../domain/video';
import { instant } from './instant';

const amount = (name: string) =>
  bigint(name, { mode: 'bigint' })
    .notNull()
    .default(sql`0`);

export type MeterKind = 'transcription' | 'speech';
/**
 * How it ended. `budget`: the credits or the limit of the key were used up · `recovered`: its process died, and the last
 * written count was charged.
 */
export type MeterOutcome = 'done' | 'cancelled' | 'failed' | 'budget' | 'recovered';

/** One connection to a provider for a transcription, or one request for the speech of a text. */
export interface MeterAttempt {
  readonly provider: ProviderId;
  /**
   * `served`: until the end of the session · `lost`: it worked and was then interrupted · `refused`: it never started.
   */
  readonly outcome: 'served' | 'lost' | 'refused';
  /** Our public error code of the failure; absent if it served, or if the client disconnected. */
  readonly code?: string;
  /** Milliseconds from the request to its end. */
  readonly ms: number;
  /** Milliseconds from the first attempt to this one; absent in the first one. */
  readonly startMs?: number;
}

/**
 * The usage of one transcription or one generation of speech. Written at the start, every few seconds and at the end,
 * so that a crash loses some seconds of the count and never charges too much.
 */
export const meters = pgTable(
  'meters',
  {
    id: text().primaryKey().$type<MeterId>(),
    kind: text().notNull().$type<MeterKind>(),
    orgId: text('org_id').notNull().$type<OrgId>(),
    mode: text().notNull().$type<Mode>(),
    keyId: text('key_id').notNull().$type<KeyId>(),
    sessionId: text('session_id').notNull().$type<SessionId>(),
    model: text().notNull(),
    provider: text().notNull(),
    holdId: text('hold_id').notNull().$type<HoldId>(),
    audioMillis: integer('audio_millis').notNull().default(0),
    characters: integer().notNull().default(0),
    accruedNanoUsd: amount('accrued_nano_usd'),
    /**
     * The price of a minute of audio or of one character, in 10⁻¹⁸ dollars as text. Null in rows of earlier versions.
     */
    unitPrice: text('unit_price'),
    startedAt: instant('started_at').notNull(),
    /** When the counts were last written. If this is long ago on a running meter, its process has ended. */
    checkedAt: instant('checked_at').notNull(),
    endedAt: instant('ended_at'),
    costNanoUsd: amount('cost_nano_usd'),
    outcome: text().$type<MeterOutcome>(),
    /** The error code that ended it, or `slow_reader`, `process_ended`; null for a regular end. */
    code: text(),
    /** From the start to the first text or audio that the client got; null if it got none. */
    firstResultMs: integer('first_result_ms'),
    /** Written at the end. */
    attempts: jsonb().notNull().default([]).$type<readonly MeterAttempt[]>(),
  },
  (table) => [
    index('meters_running')
      .on(table.checkedAt)
      .where(sql`${table.endedAt} is null`),
    index('meters_list').on(table.orgId, table.mode, table.kind, table.startedAt, table.id),
    index('meters_list_model').on(table.orgId, table.mode, table.kind, table.model, table.startedAt, table.id),
    index('meters_list_provider').on(table.orgId, table.mode, table.kind, table.provider, table.startedAt, table.id),
    index('meters_list_key').on(table.keyId, table.mode, table.kind, table.startedAt, table.id),
    // Sessions that are running or did not end as planned. Most sessions are done and not in this index.
    index('meters_list_outcome')
      .on(table.orgId, table.mode, table.kind, table.outcome, table.startedAt, table.id)
      .where(sql`${table.outcome} is null or ${table.outcome} <> 'done'`),
    index('meters_list_code')
      .on(table.orgId, table.mode, table.kind, table.code, table.startedAt, table.id)
      .where(sql`${table.code} is not null`),
    // Finds the charge of a session, for a refund.
    index('meters_session').on(table.sessionId),
  ],
);

/** The texts of speech, for organisations that keep them. */
export const sessionContents = pgTable(
  'session_contents',
  {
    meterId: text('meter_id').primaryKey().$type<MeterId>(),
    orgId: text('org_id').notNull().$type<OrgId>(),
    /** The text to be spoken; null for a transcription, and if it was too long to be kept. */
    request: text(),
    /**
     * What was transcribed, one line for each final text; null for speech, if there was none, or if it was too long to
     * be kept.
     */
    answer: text(),
    expiresAt: instant('expires_at').notNull(),
  },
  (table) => [
    index('session_contents_org').on(table.orgId),
    // For the deletion by age.
    index('session_contents_age').on(table.expiresAt),
  ],
);

/** Single-use credentials for the console's sockets; only the hash is stored. */
export const socketTickets = pgTable(
  'socket_tickets',
  {
    hash: text().primaryKey(),
    orgId: text('org_id').notNull().$type<OrgId>(),
    mode: text().notNull().$type<Mode>(),
    /** The key that requested it; null for a person in the console. */
    keyId: text('key_id').$type<KeyId>(),
    /**
     * `signIns.originId` of the sign-in that requested it; null for a key. The socket ends when no sign-in of that
     * origin is left.
     */
    signInOrigin: text('sign_in_origin').$type<SignInId>(),
    path: text().notNull(),
    expiresAt: instant('expires_at').notNull(),
    spentAt: instant('spent_at'),
  },
  (table) => [index('socket_tickets_expiry').on(table.expiresAt)],
);
