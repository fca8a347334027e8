import type { Tx } from '../db/database';
import { newId } from '../domain/ids';
import type { Renewal } from './hold';

// Renews a hold in one statement, because a busy key does it ten times a second: it charges the part that was used and
// holds the rest under a new id. It moves the same amounts and writes the same entries as a capture and a hold, which
// take a dozen statements.

/**
 * Returns false and changes nothing if the old hold was resolved before, its key has a spend limit (whose periods only
 * `hold` knows), or the credits do not suffice. Rejects if another process took the credits while the statement ran.
 */
export async function renewHold(tx: Tx, { hold, charged, next }: Renewal, now: Date): Promise<boolean> {
  const amount = next?.amount ?? 0n;
  const { rows } = await tx.query(renewal, [
    hold,
    charged.toString(),
    amount.toString(),
    now,
    next?.id ?? null,
    next?.subject.id ?? null,
    newId('transfer'),
    newId('transfer'),
  ]);
  const [counts] = rows;
  if (counts?.['closed'] !== 1) return false;
  if (counts['moved'] !== 1) throw new Error('The credit of a hold was taken while it was renewed.');
  return true;
}

const renewal = `
with closed as (
  update holds set state = case when $2::bigint > 0 then 'captured' else 'released' end, captured_nano_usd = $2::bigint, resolved_at = $4::timestamptz
  where id = $1::text and state = 'open' and key_period is null and amount_nano_usd >= $2::bigint
    and not exists (select 1 from api_keys where api_keys.id = holds.key_id and api_keys.limit_nano_usd is not null)
    and exists (
      select 1 from accounts where accounts.org_id = holds.org_id and accounts.mode = holds.mode
        and accounts.available_nano_usd + holds.amount_nano_usd - $2::bigint >= $3::bigint
    )
  returning org_id, mode, key_id, subject_kind, amount_nano_usd
), moved as (
  update accounts set
    available_nano_usd = accounts.available_nano_usd + closed.amount_nano_usd - $2::bigint - $3::bigint,
    held_nano_usd = accounts.held_nano_usd - closed.amount_nano_usd + $3::bigint,
    spent_nano_usd = accounts.spent_nano_usd + $2::bigint
  from closed
  where accounts.org_id = closed.org_id and accounts.mode = closed.mode and accounts.available_nano_usd + closed.amount_nano_usd - $2::bigint >= $3::bigint
  returning 1
), opened as (
  insert into holds (id, org_id, mode, key_id, subject_kind, subject_id, amount_nano_usd, created_at)
  select $5::text, org_id, mode, key_id, subject_kind, $6::text, $3::bigint, $4::timestamptz from closed where $5::text is not null
), entered as (
  insert into ledger_entries (transfer_id, kind, org_id, mode, bucket, amount_nano_usd, hold_id, created_at)
  select entry.transfer_id, entry.kind, closed.org_id, closed.mode, entry.bucket, entry.amount, entry.hold_id, $4::timestamptz
  from closed, lateral (values
    ($7::text, case when $2::bigint > 0 then 'capture' else 'release' end, 'held', -closed.amount_nano_usd, $1::text),
    ($7::text, 'capture', 'revenue', $2::bigint, $1::text),
    ($7::text, case when $2::bigint > 0 then 'capture' else 'release' end, 'available', closed.amount_nano_usd - $2::bigint, $1::text),
    ($8::text, 'hold', 'available', -$3::bigint, $5::text),
    ($8::text, 'hold', 'held', $3::bigint, $5::text)
  ) as entry (transfer_id, kind, bucket, amount, hold_id)
  where entry.amount <> 0
)
select (select count(*)::int from closed) as closed, (select count(*)::int from moved) as moved`;
