import type { Database } from '../../lib/db/database';
import type { Mode } from '../../lib/domain/video';

/** Adds credits to every account of the mode, with its entries in the ledger. */
export async function grantCredits(db: Database, mode: Mode, dollars: number): Promise<void> {
  const nanoUsd = String(BigInt(dollars) * 1_000_000_000n);
  await db.query(`update accounts set available_nano_usd = available_nano_usd + $1::bigint where mode = $2`, [
    nanoUsd,
    mode,
  ]);
  await db.query(
    `insert into ledger_entries (transfer_id, kind, org_id, mode, bucket, amount_nano_usd)
     select 'tr_more', 'grant', org_id, mode, b, case b when 'available' then $1::bigint else -$1::bigint end
     from accounts, unnest(array['available', 'world']) as b where mode = $2`,
    [nanoUsd, mode],
  );
}
