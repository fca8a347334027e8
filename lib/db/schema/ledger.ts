import { sql } from 'drizzle-orm';
import { bigint, bigserial, check, index, integer, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import type { HoldId, KeyId, OrgId, ProjectId, TransferId } from '../../domain/ids';
import type { Mode } from '../../domain/video';
import { organizations } from './accounts';
import { instant } from './instant';

const amount = (name: string) => bigint(name, { mode: 'bigint' }).notNull();

/**
 * The balance accounts. The two CHECKs guarantee that credit is never negative; every movement is a conditional update.
 */
export const accounts = pgTable(
  'accounts',
  {
    orgId: text('org_id')
      .notNull()
      .$type<OrgId>()
      .references(() => organizations.id, { onDelete: 'restrict' }),
    mode: text().notNull().$type<Mode>(),
    availableNanoUsd: amount('available_nano_usd').default(sql`0`),
    heldNanoUsd: amount('held_nano_usd').default(sql`0`),
    spentNanoUsd: amount('spent_nano_usd').default(sql`0`),
    /** The number of the account's open holds for videos; it changes with them. */
    runningVideos: integer('running_videos').notNull().default(0),
    /**
     * Incremented when the spending of a key or a project is recalculated. A statement that waited for this row sees
     * the limits as they were before its wait, and recognises by this number that they have changed.
     */
    limitsVersion: integer('limits_version').notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.orgId, table.mode] }),
    check('accounts_available_not_negative', sql`${table.availableNanoUsd} >= 0`),
    check('accounts_held_not_negative', sql`${table.heldNanoUsd} >= 0`),
    check('accounts_spent_not_negative', sql`${table.spentNanoUsd} >= 0`),
  ],
);

/** The number of open holds for videos of each key, which is that of its queued and running videos. */
export const runningVideos = pgTable(
  'running_videos',
  {
    orgId: text('org_id').notNull().$type<OrgId>(),
    mode: text().notNull().$type<Mode>(),
    /** All users of the console of an organisation share one id. */
    keyId: text('key_id').notNull().$type<KeyId>(),
    running: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.orgId, table.mode, table.keyId] })],
);

export type HoldState = 'open' | 'captured' | 'released';
export type HoldSubject = 'video' | 'message' | 'transcription' | 'speech';

/** Credits reserved for one subject; resolved once, by capture or release. */
export const holds = pgTable(
  'holds',
  {
    id: text().primaryKey().$type<HoldId>(),
    orgId: text('org_id').notNull().$type<OrgId>(),
    mode: text().notNull().$type<Mode>(),
    keyId: text('key_id').notNull().$type<KeyId>(),
    /** The key's limit period that this hold counts against; null without a limit. */
    keyPeriod: text('key_period'),
    /** The project whose budget this hold counts against, and the period of it; null without a budget. */
    projectId: text('project_id').$type<ProjectId>(),
    projectPeriod: text('project_period'),
    subjectKind: text('subject_kind').notNull().$type<HoldSubject>(),
    subjectId: text('subject_id').notNull(),
    amountNanoUsd: amount('amount_nano_usd'),
    capturedNanoUsd: amount('captured_nano_usd').default(sql`0`),
    state: text().notNull().$type<HoldState>().default('open'),
    createdAt: instant('created_at').notNull().defaultNow(),
    resolvedAt: instant('resolved_at'),
  },
  (table) => [
    uniqueIndex('holds_subject').on(table.subjectKind, table.subjectId),
    index('holds_open')
      .on(table.orgId, table.mode)
      .where(sql`${table.state} = 'open'`),
    // For the ledger's filter by key.
    index('holds_key').on(table.orgId, table.mode, table.keyId),
    // For holds that a killed process left open (lib/housekeeping/housekeeping.ts).
    index('holds_open_messages')
      .on(table.createdAt, table.id)
      .where(sql`${table.subjectKind} = 'message' and ${table.state} = 'open'`),
    // For the deletion by age.
    index('holds_resolved')
      .on(table.resolvedAt)
      .where(sql`${table.state} <> 'open'`),
    check('holds_amount_not_negative', sql`${table.amountNanoUsd} >= 0`),
    check(
      'holds_captured_within',
      sql`${table.capturedNanoUsd} >= 0 and ${table.capturedNanoUsd} <= ${table.amountNanoUsd}`,
    ),
  ],
);

/** A transfer by the operator; see `creditTransfers`. */
export type CreditTransferKind = 'grant' | 'adjust' | 'refund';
export type TransferKind = CreditTransferKind | 'hold' | 'capture' | 'release';
/**
 * `world` is the counterpart of a grant or an adjustment, `revenue` of a capture or a refund; `available` and `held`
 * belong to the account.
 */
export type Bucket = 'world' | 'available' | 'held' | 'revenue';

/**
 * Double entry: the entries of a transfer add up to zero, an account's entries to its balances. Entries never change.
 * Entries of old work are deleted and added to `ledgerDays` in one statement.
 */
export const ledgerEntries = pgTable(
  'ledger_entries',
  {
    id: bigserial({ mode: 'bigint' }).primaryKey(),
    transferId: text('transfer_id').notNull().$type<TransferId>(),
    kind: text().notNull().$type<TransferKind>(),
    orgId: text('org_id').notNull().$type<OrgId>(),
    mode: text().notNull().$type<Mode>(),
    bucket: text().notNull().$type<Bucket>(),
    amountNanoUsd: amount('amount_nano_usd'),
    holdId: text('hold_id').$type<HoldId>(),
    /** For grants: a reference that makes the grant idempotent, such as `first-run`. */
    reference: text(),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (table) => [
    index('ledger_entries_account').on(table.orgId, table.mode, table.id),
    index('ledger_entries_transfer').on(table.transferId),
    index('ledger_entries_hold').on(table.holdId),
    // For a key's spending when its limit changes; each capture has one such entry.
    index('ledger_entries_spent')
      .on(table.orgId, table.mode, table.createdAt)
      .where(sql`${table.bucket} = 'revenue'`),
    // The few entries that the operator or a refill made, for statements and the ledger's filter by kind.
    index('ledger_entries_transfers')
      .on(table.orgId, table.mode, table.id)
      .where(sql`${table.kind} in ('grant', 'adjust', 'refund')`),
    uniqueIndex('ledger_entries_grant_once')
      .on(table.orgId, table.mode, table.reference, table.bucket)
      .where(sql`${table.reference} is not null`),
  ],
);

/**
 * The operator's grants, adjustments and refunds, with their reasons. The movement is the transfer with the same id in
 * `ledgerEntries`.
 */
export const creditTransfers = pgTable(
  'credit_transfers',
  {
    id: text().primaryKey().$type<TransferId>(),
    orgId: text('org_id')
      .notNull()
      .$type<OrgId>()
      .references(() => organizations.id, { onDelete: 'restrict' }),
    mode: text().notNull().$type<Mode>(),
    kind: text().notNull().$type<CreditTransferKind>(),
    /** The change of the available credits; negative only for an adjustment. */
    amountNanoUsd: amount('amount_nano_usd'),
    /** Id of the video, message or audio session that a refund is for. */
    subject: text(),
    /** Chosen by the operator; makes the transfer idempotent. */
    reference: text().notNull(),
    reason: text().notNull(),
    /** The available credits right after the transfer. */
    availableNanoUsd: amount('available_nano_usd'),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [
    uniqueIndex('credit_transfers_reference').on(table.orgId, table.mode, table.reference),
    index('credit_transfers_account').on(table.orgId, table.mode, table.createdAt, table.id),
    index('credit_transfers_subject')
      .on(table.subject)
      .where(sql`${table.subject} is not null`),
    check(
      'credit_transfers_amount',
      sql`${table.amountNanoUsd} > 0 or (${table.kind} = 'adjust' and ${table.amountNanoUsd} < 0)`,
    ),
    check('credit_transfers_subject_of_refund', sql`${table.subject} is null or ${table.kind} = 'refund'`),
  ],
);
