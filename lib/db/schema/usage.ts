import { sql } from 'drizzle-orm';
import { bigint, date, index, pgTable, primaryKey, smallint, text } from 'drizzle-orm/pg-core';
import type { KeyId, OrgId } from '../../domain/ids';
import type { Mode } from '../../domain/video';
import type { Bucket, HoldSubject } from './ledger';

const amount = (name: string) =>
  bigint(name, { mode: 'bigint' })
    .notNull()
    .default(sql`0`);
const total = (name: string) => bigint(name, { mode: 'number' }).notNull().default(0);
/** A day of UTC, as an ISO date. */
const utcDay = () => date({ mode: 'string' }).notNull();

/**
 * Sums of the work that ended on one day, and of what it was charged, by key, model and provider. Written by
 * lib/db/usage-days.ts in the transaction that charges, so that the costs of an account on a day, less the refunds, are
 * what the ledger entered as revenue on that day. Kept when the rows of the work are deleted.
 */
export const usageDays = pgTable(
  'usage_days',
  {
    orgId: text('org_id').notNull().$type<OrgId>(),
    mode: text().notNull().$type<Mode>(),
    /** The day of the entries in the ledger; of a free message, which has none, the day of its request. */
    day: utcDay(),
    /** The kind of endpoint that did the work; empty only for a refund that names no work. */
    kind: text().notNull().$type<HoldSubject | ''>(),
    keyId: text('key_id').notNull().$type<KeyId | ''>(),
    model: text().notNull(),
    /** Empty if no provider took the work. */
    provider: text().notNull(),
    finished: total('finished'),
    succeeded: total('succeeded'),
    /** Work that ended without success for a reason that says nothing about the provider, such as a cancellation. */
    excused: total('excused'),
    costNanoUsd: amount('cost_nano_usd'),
    /** Refunds on this day, for work of any day. */
    refundedNanoUsd: amount('refunded_nano_usd'),
    /** Neither read from a cache nor written to one. */
    inputTokens: total('input_tokens'),
    cacheReadTokens: total('cache_read_tokens'),
    cacheWriteTokens: total('cache_write_tokens'),
    outputTokens: total('output_tokens'),
    /** Length of completed videos and of transcribed audio. */
    mediaMillis: total('media_millis'),
    characters: total('characters'),
  },
  (table) => [
    primaryKey({
      columns: [table.orgId, table.mode, table.day, table.kind, table.keyId, table.model, table.provider],
    }),
    index('usage_days_model').on(table.orgId, table.mode, table.model, table.day),
    index('usage_days_key').on(table.orgId, table.mode, table.keyId, table.day),
  ],
);

/**
 * The durations of successful work, from the request to the end, and for messages also to the first content: two
 * histograms for each day.
 */
export const usageDurations = pgTable(
  'usage_durations',
  {
    orgId: text('org_id').notNull().$type<OrgId>(),
    mode: text().notNull().$type<Mode>(),
    model: text().notNull(),
    day: utcDay(),
    provider: text().notNull(),
    /** The logarithm of the seconds, rounded; see `DURATION_BASE` in lib/db/usage-days.ts. */
    bucket: smallint().notNull(),
    /** Work whose end was in this bucket. */
    count: total('count'),
    /** Messages whose first content was in this bucket. */
    firstCount: total('first_count'),
  },
  (table) => [
    primaryKey({ columns: [table.orgId, table.mode, table.model, table.day, table.provider, table.bucket] }),
    // For the deletion by age.
    index('usage_durations_day').on(table.day),
  ],
);

/**
 * Sums of the ledger entries that were deleted by age, by the day on which they were made. An account's balances are
 * these sums plus its entries.
 */
export const ledgerDays = pgTable(
  'ledger_days',
  {
    orgId: text('org_id').notNull().$type<OrgId>(),
    mode: text().notNull().$type<Mode>(),
    day: utcDay(),
    bucket: text().notNull().$type<Bucket>(),
    amountNanoUsd: amount('amount_nano_usd'),
  },
  (table) => [primaryKey({ columns: [table.orgId, table.mode, table.day, table.bucket] })],
);
