import { getTableName } from 'drizzle-orm';
import type { Db } from './database';
import { ledgerDays } from './schema/index';

// Deletes old work with its ledger entries. A resolved hold, its entries, and the video or session that it paid for are
// deleted by one statement, which adds the entries to the sums of their days: an account's balances can be proved
// before and after it. Grants, adjustments and refunds stay.

/**
 * Deletes at most `limit` holds that were resolved before a time, oldest first, with their work. Returns how many. A
 * video whose file could not be removed yet is kept.
 */
export async function deleteOldWork(db: Db, before: Date, limit: number): Promise<number> {
  const { rows } = await db.query(
    `select id, subject_kind, subject_id from holds h
     where state <> 'open' and resolved_at < $1
       and not exists (select 1 from videos v where v.id = h.subject_id and (v.file is not null or v.archive_key is not null))
     order by resolved_at limit $2`,
    [before.toISOString(), limit],
  );
  const subjects = (...kinds: string[]) =>
    rows.filter(({ subject_kind: kind }) => kinds.includes(String(kind))).map(({ subject_id: id }) => String(id));
  await db.query(DELETION, [rows.map(({ id }) => String(id)), subjects('video'), subjects('transcription', 'speech')]);
  return rows.length;
}

const DELETION = `
with holds_gone as (
  delete from holds where id = any($1::text[]) and state <> 'open'
), videos_gone as (
  delete from videos where id = any($2::text[])
), meters_gone as (
  delete from meters where id = any($3::text[])
), entries_gone as (
  delete from ledger_entries where hold_id = any($1::text[]) and kind in ('hold', 'capture', 'release')
  returning org_id, mode, bucket, created_at, amount_nano_usd
)
insert into ${getTableName(ledgerDays)} as sums (org_id, mode, day, bucket, amount_nano_usd)
select org_id, mode, (created_at at time zone 'UTC')::date, bucket, sum(amount_nano_usd)
from entries_gone group by 1, 2, 3, 4 order by 1, 2, 3, 4
on conflict (org_id, mode, day, bucket) do update set amount_nano_usd = sums.amount_nano_usd + excluded.amount_nano_usd`;
