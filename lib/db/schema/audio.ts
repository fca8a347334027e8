import { sql } from 'drizzle-orm';
import { bigint, index, integer, jsonb, pgTable, text, timestamp } from 'drizzle-orm/pg-core';
import type { ProviderId } from '../../domain/ids';
import type { HoldId, KeyId, MeterId, OrgId, SessionId, SignInId } from '../../domain/ids';
import type { Mode } from '../../domain/video';

const amount = (name: string) =>
  bigint(name, { mode: 'bigint' })
    .notNull()
    .default(sql`0`);
const instant = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' });

export type MeterKind = 'transcription' | 'speech';
/** The reason of the end, for usage reports. */
export type MeterOutcome = 'done' | 'cancelled' | 'failed' | 'budget' | 'recovered';

/** One connection to a provider for a transcription. */
export interface MeterAttempt {
  readonly provider: ProviderId;
  /** `served`: until the end of the session · `lost`: it worked and then broke off · `refused`: it never started. */
  readonly outcome: 'served' | 'lost' | 'refused';
  /** From the request to its end. */
  readonly ms: number;
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
    startedAt: instant('started_at').notNull(),
    /** When the counts were last written; if this is old on a running meter, its process has ended. */
    checkedAt: instant('checked_at').notNull(),
    endedAt: instant('ended_at'),
    costNanoUsd: amount('cost_nano_usd'),
    outcome: text().$type<MeterOutcome>(),
    /** Written at the end. Empty for speech, which has one provider. */
    attempts: jsonb().notNull().default([]).$type<readonly MeterAttempt[]>(),
  },
  (table) => [
    index('meters_running')
      .on(table.checkedAt)
      .where(sql`${table.endedAt} is null`),
    index('meters_account').on(table.orgId, table.mode, table.startedAt),
    // Finds the charge of a session, for a refund.
    index('meters_session').on(table.sessionId),
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
