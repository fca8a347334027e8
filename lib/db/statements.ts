import type { Account } from '../domain/caller';
import type { TransferId } from '../domain/ids';
import type { NanoUsd } from '../domain/money';
import type { Db } from './database';
import type { CreditTransferKind } from './schema/index';

// The grants, adjustments and refunds of an account, for its statements. Their entries are never deleted by age. The
// kinds are written out, so that their own index is used.

const OWN = `org_id = $1 and mode = $2 and kind in ('grant', 'adjust', 'refund')`;

/** Returns what was granted and adjusted before a time, and when the first entry was made. */
export async function sumGrantedBefore(
  db: Db,
  { orgId, mode }: Account,
  time: Date,
): Promise<{ readonly granted: NanoUsd; readonly firstAt: Date | null }> {
  const { rows } = await db.query(
    `select coalesce(-sum(amount_nano_usd) filter (where bucket = 'world' and created_at < $3), 0) as granted, min(created_at) as first_at
     from ledger_entries where ${OWN}`,
    [orgId, mode, time.toISOString()],
  );
  const firstAt = rows[0]?.['first_at'];
  return {
    granted: BigInt(String(rows[0]?.['granted'] ?? 0)),
    firstAt: firstAt === null || firstAt === undefined ? null : new Date(firstAt as string | Date), // Safe: an instant.
  };
}

export interface StatementTransfer {
  readonly id: TransferId;
  readonly kind: CreditTransferKind;
  /** The change of the available credits. */
  readonly amount: NanoUsd;
  readonly reference: string | null;
  readonly reason: string | null;
  readonly subject: string | null;
  readonly at: Date;
}

/** Lists the transfers from one time until before another, oldest first. */
export async function listTransfersBetween(
  db: Db,
  { orgId, mode }: Account,
  from: Date,
  to: Date,
): Promise<StatementTransfer[]> {
  const { rows } = await db.query(
    `select e.transfer_id, e.kind, e.amount_nano_usd::text as amount, coalesce(t.reference, e.reference) as reference, t.reason, t.subject, e.created_at
     from (select * from ledger_entries where ${OWN} and bucket = 'available' and created_at >= $3 and created_at < $4) e
       left join credit_transfers t on t.id = e.transfer_id order by e.id`,
    [orgId, mode, from.toISOString(), to.toISOString()],
  );
  const textOf = (value: unknown) => (typeof value === 'string' ? value : null);
  return rows.map((row) => ({
    // Safe: the columns have these types.
    id: row['transfer_id'] as TransferId,
    kind: row['kind'] as CreditTransferKind,
    amount: BigInt(String(row['amount'])),
    reference: textOf(row['reference']),
    reason: textOf(row['reason']),
    subject: textOf(row['subject']),
    at: new Date(row['created_at'] as string | Date),
  }));
}
