import type { Db } from '../db/database';
import type { HoldCompanion } from '../db/meters';
import { newId, type HoldId } from '../domain/ids';
import type { NanoUsd } from '../domain/money';
import type { HoldRequest } from './hold';

// Opens a hold in one statement, because callers wait for it before the first audio or text. In separate steps it would
// take four queries, and four more for a transaction and the row of the work that it is for.

/**
 * Opened, with what is available afterwards. Otherwise nothing has changed: the credits do not suffice (`short`), or
 * the key has a limit (`limited`), whose periods this statement does not know.
 */
export type Opening = { readonly left: NanoUsd } | 'short' | 'limited';

/** Outside of a transaction, it happens as a whole or not at all; so does the row `beside`. */
export async function openHold(
  db: Db,
  { account, keyId, amount, subject }: HoldRequest,
  id: HoldId,
  now: Date,
  beside?: HoldCompanion,
): Promise<Opening> {
  if (amount < 0n) throw new RangeError('A hold cannot be negative.');
  const values = [
    account.orgId,
    account.mode,
    keyId,
    amount.toString(),
    id,
    subject.kind,
    subject.id,
    now,
    newId('transfer'),
  ];
  const besides = beside ? `, besides as (${beside.text(values.length + 1)})` : '';
  const { rows } = await db.query(`${opening}${besides} ${answer}`, [...values, ...(beside?.values ?? [])]);
  const { left, limited } = rows[0] ?? {};
  if (typeof left === 'string') return { left: BigInt(left) };
  return limited === 1 ? 'limited' : 'short';
}

const opening = `
with limited as (
  select 1 from api_keys where id = $3::text and limit_nano_usd is not null
), moved as (
  update accounts set available_nano_usd = available_nano_usd - $4::bigint, held_nano_usd = held_nano_usd + $4::bigint
  where org_id = $1::text and mode = $2::text and available_nano_usd >= $4::bigint
    and not exists (select 1 from limited)
  returning available_nano_usd
), opened as (
  insert into holds (id, org_id, mode, key_id, subject_kind, subject_id, amount_nano_usd, created_at)
  select $5::text, $1::text, $2::text, $3::text, $6::text, $7::text, $4::bigint, $8::timestamptz from moved
  returning *
), entered as (
  insert into ledger_entries (transfer_id, kind, org_id, mode, bucket, amount_nano_usd, hold_id, created_at)
  select $9::text, 'hold', $1::text, $2::text, entry.bucket, entry.amount, $5::text, $8::timestamptz
  from opened, (values ('available', -$4::bigint), ('held', $4::bigint)) as entry (bucket, amount)
  where entry.amount <> 0
)`;

const answer =
  'select (select available_nano_usd::text from moved) as left, (select count(*)::int from limited) as limited';
