import type { Db, Tx } from '../db/database';
import type { HoldCompanion } from '../db/meters';
import type { LimitPeriod } from '../db/schema/accounts';
import { newId, type HoldId } from '../domain/ids';
import type { NanoUsd } from '../domain/money';
import type { NextHold } from './hold';
import { currentPeriods } from './key-period';
import { insufficientCredits, keyLimitExceeded } from './refusals';

// Closes a hold, opens one, or both, in one statement. Callers wait for a hold before the first audio or text, and a busy
// key renews its hold ten times a second; in separate steps a renewal takes ten queries.
//
// Rows are locked in the order of all movements: hold, account, spending of the key. Each part reads what the part before
// it has locked, so it sees the newest balance, although a statement otherwise sees the rows as they were at its start.

export interface Closing {
  readonly id: HoldId;
  readonly state: 'captured' | 'released';
  /** Charged from the hold; at most its amount. Absent: all of it. */
  readonly charged?: NanoUsd | undefined;
}

export interface Opened {
  readonly amount: NanoUsd;
  /** What the account has available afterwards. */
  readonly available: NanoUsd;
  /** The hold counts against the spend limit of its key. */
  readonly isLimited: boolean;
}

/**
 * Opens a hold, and inserts the row of `companion` with it. Rejects with `insufficient_credits`,
 * `credits_held_by_running_jobs` or `key_limit_exceeded`, and then has changed nothing, even outside of a transaction.
 */
export async function openHold(db: Db, open: NextHold, now: Date, companion?: HoldCompanion): Promise<Opened> {
  return openedIn(await replace(db, now, { open, companion }), open, now);
}

/** Closes a hold. False: it is no longer open, and nothing has changed. */
export async function closeHold(db: Db, close: Closing, now: Date): Promise<boolean> {
  return isClosedIn(await replace(db, now, { close }));
}

/**
 * Closes a hold and opens the next one of the same account and key. Undefined: the old hold is no longer open, and nothing
 * has changed. Rejects as `openHold` does; the transaction must then be rolled back.
 */
export async function renewHold(tx: Tx, close: Closing, open: NextHold, now: Date): Promise<Opened | undefined> {
  const row = await replace(tx, now, { close, open });
  return isClosedIn(row) ? openedIn(row, open, now) : undefined;
}

type Row = Record<string, unknown>;

async function replace(
  db: Db,
  now: Date,
  { close, open, companion }: { close?: Closing; open?: NextHold; companion?: HoldCompanion | undefined },
): Promise<Row> {
  if (open && open.amount < 0n) throw new RangeError('A hold cannot be negative.');
  const values = [
    now,
    close?.id,
    close?.state,
    close?.charged?.toString(),
    close && newId('transfer'),
    open?.id,
    open?.account.orgId,
    open?.account.mode,
    open?.keyId,
    open?.subject.kind,
    open?.subject.id,
    open?.amount.toString(),
    open?.atLeast.toString(),
    open && newId('transfer'),
    open && JSON.stringify(currentPeriods(now)),
  ];
  const inserted = companion ? `, companion as (${companion.text(values.length + 1)})` : '';
  const { rows } = await db.query(`${replacement}${inserted} ${result}`, [...values, ...(companion?.values ?? [])]);
  return rows[0] ?? {};
}

const isClosedIn = (row: Row) => nanoUsd(row['charged']) !== undefined;

function openedIn(row: Row, { account, atLeast }: NextHold, now: Date): Opened {
  const limit = nanoUsd(row['limit_nano_usd']);
  const amount = nanoUsd(row['opened']);
  const available = nanoUsd(row['available']) ?? 0n;
  if (amount !== undefined) return { amount, available: available - amount, isLimited: limit !== undefined };
  if (limit === undefined || available < atLeast)
    throw insufficientCredits(account, atLeast, { available, held: nanoUsd(row['held']) ?? 0n });
  // Safe: the column has only these values.
  throw keyLimitExceeded({ amount: limit, period: row['limit_period'] as LimitPeriod }, atLeast, now);
}

/** The driver reads a bigint as text. */
const nanoUsd = (value: unknown): NanoUsd | undefined => (typeof value === 'string' ? BigInt(value) : undefined);

const replacement = `
with closed as (
  update holds set state = $3::text, captured_nano_usd = coalesce($4::bigint, amount_nano_usd), resolved_at = $1::timestamptz
  where id = $2::text and state = 'open'
  returning org_id, mode, key_id, key_period, amount_nano_usd as amount, captured_nano_usd as charged
), old as (
  select *, amount - charged as unused from closed
  union all
  select $7::text, $8::text, $9::text, null, 0, 0, 0 where $2::text is null
), account as (
  -- The balances with the old hold given back.
  select old.*, accounts.available_nano_usd + old.unused as available, accounts.held_nano_usd - old.amount as held,
    accounts.spent_nano_usd + old.charged as spent
  from old join accounts on accounts.org_id = old.org_id and accounts.mode = old.mode
  for update of accounts
), key as (
  -- The lock is for reading the newest limit; it blocks no change of the key.
  select coalesce(api_keys.spend_key_id, api_keys.id) as spend_key_id, api_keys.limit_nano_usd, api_keys.limit_period,
    case when api_keys.limit_nano_usd is not null then $15::jsonb ->> api_keys.limit_period end as period
  from account join api_keys on api_keys.id = account.key_id
  where account.key_period is not null or (api_keys.limit_nano_usd is not null and api_keys.limit_period is not null)
  for key share of api_keys
), wanted as (
  select case when key.period is null and account.available >= $12::bigint then $12::bigint else $13::bigint end as amount
  from account left join key on true where $6::text is not null
), counted as (
  -- The unused part of a hold in the same period is given back here, because a statement can change a row only once.
  insert into key_spend as spend (key_id, period, spent_nano_usd)
  select key.spend_key_id, key.period, wanted.amount - case when account.key_period = key.period then account.unused else 0 end
  from wanted, account, key
  where key.period is not null and account.available >= wanted.amount and wanted.amount <= key.limit_nano_usd
  on conflict (key_id, period) do update set spent_nano_usd = spend.spent_nano_usd + excluded.spent_nano_usd
    where spend.spent_nano_usd + excluded.spent_nano_usd <= (select limit_nano_usd from key)
  returning 1
), given_back as (
  update key_spend set spent_nano_usd = key_spend.spent_nano_usd - account.unused
  from account, key
  where key_spend.key_id = key.spend_key_id and key_spend.period = account.key_period and account.unused > 0
    and key.period is distinct from account.key_period
), next as (
  select wanted.amount, key.period
  from wanted join account on account.available >= wanted.amount left join key on true
  where key.period is null or exists (select 1 from counted)
), moved as (
  -- Not computed from the row itself: Postgres checks the constraints of a row first with the values at the start.
  update accounts set
    available_nano_usd = account.available - coalesce(next.amount, 0),
    held_nano_usd = account.held + coalesce(next.amount, 0),
    spent_nano_usd = account.spent
  from account left join next on true
  where accounts.org_id = account.org_id and accounts.mode = account.mode and ($6::text is null or next.amount is not null)
), opened as (
  insert into holds (id, org_id, mode, key_id, key_period, subject_kind, subject_id, amount_nano_usd, created_at)
  select $6::text, account.org_id, account.mode, account.key_id, next.period, $10::text, $11::text, next.amount, $1::timestamptz
  from account, next
  returning *
), entered as (
  insert into ledger_entries (transfer_id, kind, org_id, mode, bucket, amount_nano_usd, hold_id, created_at)
  select entry.transfer_id, entry.kind, account.org_id, account.mode, entry.bucket, entry.amount, entry.hold_id, $1::timestamptz
  from account left join next on true, lateral (values
    ($5::text, case $3::text when 'captured' then 'capture' else 'release' end, 'held', -account.amount, $2::text),
    ($5::text, 'capture', 'revenue', account.charged, $2::text),
    ($5::text, case $3::text when 'captured' then 'capture' else 'release' end, 'available', account.unused, $2::text),
    ($14::text, 'hold', 'available', -next.amount, $6::text),
    ($14::text, 'hold', 'held', next.amount, $6::text)
  ) as entry (transfer_id, kind, bucket, amount, hold_id)
  where entry.amount <> 0
)`;

const result = `
select account.charged::text, account.available::text, account.held::text, key.limit_nano_usd::text, key.limit_period,
  next.amount::text as opened
from account left join key on key.period is not null left join next on true`;
