import { sql } from 'drizzle-orm';
import { bigint, boolean, index, integer, jsonb, pgTable, text, timestamp } from 'drizzle-orm/pg-core';
import type { HoldId, KeyId, OrgId } from '../../domain/ids';
import type { Mode } from '../../domain/video';

const instant = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' });

/** `partial`: part of the answer was delivered, and that part is charged. `failed`: nothing was. */
export type MessageOutcome = 'completed' | 'partial' | 'failed';

/** One call of a provider for a message, with its outcome. */
export interface MessageAttempt {
  readonly provider: string;
  readonly upstreamModel: string;
  /** Our public error code of the failure; absent if it succeeded. */
  readonly code?: string;
  readonly ms: number;
}

/** The usage and the cost of each message. The conversation itself is not stored. */
export const messages = pgTable(
  'messages',
  {
    id: text().primaryKey(),
    orgId: text('org_id').notNull().$type<OrgId>(),
    keyId: text('key_id').notNull().$type<KeyId>(),
    mode: text().notNull().$type<Mode>(),
    requestId: text('request_id').notNull(),
    model: text().notNull(),
    /** The provider that answered; null if none did. */
    provider: text(),
    upstreamModel: text('upstream_model'),
    attempts: jsonb().notNull().$type<readonly MessageAttempt[]>(),
    streamed: boolean().notNull(),
    outcome: text().notNull().$type<MessageOutcome>(),
    /** Our public error code if it ended early. */
    code: text(),
    stopReason: text('stop_reason'),
    /** Neither read from a cache nor written to one. */
    inputTokens: integer('input_tokens').notNull(),
    cacheReadTokens: integer('cache_read_tokens').notNull(),
    cacheWrite5mTokens: integer('cache_write_5m_tokens').notNull(),
    cacheWrite1hTokens: integer('cache_write_1h_tokens').notNull(),
    outputTokens: integer('output_tokens').notNull(),
    webSearches: integer('web_searches').notNull(),
    /** Some counts are our own estimates, because the provider reported none. */
    estimated: boolean().notNull(),
    holdId: text('hold_id').$type<HoldId>(),
    costNanoUsd: bigint('cost_nano_usd', { mode: 'bigint' }).notNull(),
    /** From the request to the first event with content; null if there was none. */
    firstTokenMs: integer('first_token_ms'),
    totalMs: integer('total_ms').notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [
    index('messages_list').on(table.orgId, table.mode, table.createdAt, table.id),
    // For the deletion by age.
    index('messages_age').on(table.createdAt),
    // The messages behind an entry of the ledger.
    index('messages_hold')
      .on(table.holdId)
      .where(sql`${table.holdId} is not null`),
  ],
);
