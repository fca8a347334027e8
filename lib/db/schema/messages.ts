import { sql } from 'drizzle-orm';
import { bigint, boolean, index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import type { HoldId, KeyId, OrgId } from '../../domain/ids';
import type { Mode } from '../../domain/video';
import { instant } from './instant';

/** `partial`: a part of the answer was delivered and is charged. `failed`: nothing was delivered. */
export type MessageOutcome = 'completed' | 'partial' | 'failed';

/** One call of a provider for a message, with its outcome. */
export interface MessageAttempt {
  readonly provider: string;
  readonly upstreamModel: string;
  /** Our public error code of the failure; absent if it succeeded. */
  readonly code?: string;
  /** Milliseconds until the answer began, or until the failure. */
  readonly ms: number;
  /** Milliseconds from the request to this call; absent in the first one. */
  readonly startMs?: number;
}

/**
 * The prices that a message was charged with, per token or per search, in 10⁻¹⁸ dollars. They are text, because JSON
 * has no such numbers. The prices of what was not used are absent.
 */
export interface MessagePrices {
  readonly input?: string;
  readonly cacheRead?: string;
  readonly cacheWrite5m?: string;
  readonly cacheWrite1h?: string;
  readonly output?: string;
  readonly webSearch?: string;
}

/** The usage and the cost of each message. */
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
    /** Whether some counts are our own estimates, because the provider reported none. */
    estimated: boolean().notNull(),
    holdId: text('hold_id').$type<HoldId>(),
    /** Null if nothing was charged, and for messages of earlier versions. */
    prices: jsonb().$type<MessagePrices>(),
    costNanoUsd: bigint('cost_nano_usd', { mode: 'bigint' }).notNull(),
    /** Milliseconds from the request to the first event with content; null if there was none. */
    firstTokenMs: integer('first_token_ms'),
    totalMs: integer('total_ms').notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [
    index('messages_list').on(table.orgId, table.mode, table.createdAt, table.id),
    index('messages_list_model').on(table.orgId, table.mode, table.model, table.createdAt, table.id),
    index('messages_list_provider').on(table.orgId, table.mode, table.provider, table.createdAt, table.id),
    index('messages_list_key').on(table.keyId, table.mode, table.createdAt, table.id),
    // Most messages are completed and have no code, so these two indexes are small.
    index('messages_list_outcome')
      .on(table.orgId, table.mode, table.outcome, table.createdAt, table.id)
      .where(sql`${table.outcome} <> 'completed'`),
    index('messages_list_code')
      .on(table.orgId, table.mode, table.code, table.createdAt, table.id)
      .where(sql`${table.code} is not null`),
    index('messages_request').on(table.orgId, table.requestId),
    // For the deletion by age.
    index('messages_age').on(table.createdAt),
    // The messages behind an entry of the ledger.
    index('messages_hold')
      .on(table.holdId)
      .where(sql`${table.holdId} is not null`),
  ],
);

/** The conversations of messages, for organisations that keep them. */
export const messageContents = pgTable(
  'message_contents',
  {
    /** The row in `messages` is written a moment later. */
    messageId: text('message_id').primaryKey(),
    orgId: text('org_id').notNull().$type<OrgId>(),
    /** The body of the request as it was sent; null if it was too long to be kept. */
    request: text(),
    /** The answer as it was sent: a JSON object, or the events of a stream; null if it was too long, or there was none. */
    answer: text(),
    expiresAt: instant('expires_at').notNull(),
  },
  (table) => [
    index('message_contents_org').on(table.orgId),
    // For the deletion by age.
    index('message_contents_age').on(table.expiresAt),
  ],
);
