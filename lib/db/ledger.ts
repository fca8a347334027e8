import { and, asc, eq } from 'drizzle-orm';
import type { Account } from '../domain/caller';
import type { HoldId } from '../domain/ids';
import type { Db } from './database';
import { holds, ledgerEntries } from './schema/index';

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

/** All entries of one hold, oldest first. */
export async function listEntriesOfHold(db: Db, account: Account, id: HoldId): Promise<LedgerEntryRow[]> {
  return db.orm
    .select()
    .from(ledgerEntries)
    .where(
      and(eq(ledgerEntries.orgId, account.orgId), eq(ledgerEntries.mode, account.mode), eq(ledgerEntries.holdId, id)),
    )
    .orderBy(asc(ledgerEntries.id));
}
