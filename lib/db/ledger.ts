import { and, asc, eq } from 'drizzle-orm';
import type { Account } from '../domain/caller';
import type { HoldId } from '../domain/ids';
import type { Mode } from '../domain/video';
import type { Db } from './database';
import { holds, ledgerEntries, type HoldSubject } from './schema/index';

// Reads the ledger; only lib/billing/ledger.ts writes it.

export type HoldRow = typeof holds.$inferSelect;
export type LedgerEntryRow = typeof ledgerEntries.$inferSelect;

export async function findHold(db: Db, account: Account, id: HoldId): Promise<HoldRow | undefined> {
  const [row] = await db.orm
    .select()
    .from(holds)
    .where(and(eq(holds.id, id), eq(holds.orgId, account.orgId), eq(holds.mode, account.mode)));
  return row;
}

/** Lists all entries of one hold, oldest first. */
export async function listEntriesOfHold(db: Db, account: Account, id: HoldId): Promise<LedgerEntryRow[]> {
  return db.orm
    .select()
    .from(ledgerEntries)
    .where(
      and(eq(ledgerEntries.orgId, account.orgId), eq(ledgerEntries.mode, account.mode), eq(ledgerEntries.holdId, id)),
    )
    .orderBy(asc(ledgerEntries.id));
}

/** The open holds of one kind of work. */
export interface OpenHolds {
  readonly subject: HoldSubject;
  readonly mode: Mode;
  readonly count: number;
  readonly usd: number;
  readonly oldestMs: number;
}

/** Returns the open holds of all organisations. Kinds of work without open holds are left out. */
export async function readOpenHolds(db: Db): Promise<readonly OpenHolds[]> {
  const { rows } = await db.query(
    `select subject_kind as subject, mode, count(*)::int as count, (sum(amount_nano_usd) / 1e9)::float8 as usd,
       greatest(0, extract(epoch from now() - min(created_at)) * 1000)::float8 as "oldestMs"
     from holds where state = 'open' group by subject_kind, mode`,
  );
  // Safe: the columns of the query.
  return rows as unknown as OpenHolds[];
}
