import type { Database, Db, Tx } from '../db/database';
import { joinInserts, lockExpression, lockText, type PartialInsert } from '../db/sql';
import { makeRunningCounter } from '../db/running-videos';
import { makeSpendCounters, type SpendCounter } from '../db/spending';
import { newId, type HoldId } from '../domain/ids';
import type { LimitScope } from '../domain/limits';
import type { NanoUsd } from '../domain/money';
import type { NextHold } from './hold';
import { currentPeriods, type LimitPeriod } from '../domain/clock';
import { insufficientCredits, runningLimitReached, spendLimitExceeded, type SpendLimit } from './refusals';

// Closes a hold, opens one, or both, in one statement. Callers wait for a hold before the first audio or text, and a busy
// key renews its hold ten times a second; in separate steps a renewal takes ten queries.
//
// Rows are locked in the order of all movements: account, hold, running videos of the key, key, project, their spending.
// Each part reads what the part before it has locked, so it sees the newest balance, although a statement otherwise sees
// the rows as they were at its start. The limit of a key and the budget of its project are two rows of `scope`: both
// leave room for the hold, or nothing changes.
//
// The key and its project are the exception: a lock that reads their newest limits would block every change of them, such
// as a revocation. A change after which the spending is counted anew is recognised by the account (`limits_version`), and
// the statement is repeated. Of the others, such as a lower limit in the same period, it is as if the hold came before.

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
  /** The hold counts against the spend limit of its key or of the key's project. */
  readonly isLimited: boolean;
}

/** What the statement that opens a hold does besides. */
interface Besides {
  readonly inserts?: readonly PartialInsert[];
  /** A text that is locked before the account. */
  readonly lock?: string | undefined;
}

/**
 * Opens a hold. Rejects with `insufficient_credits`, `credits_held_by_running_jobs`, `key_limit_exceeded`,
 * `project_limit_exceeded` or `concurrency_limit_exceeded`, and then has changed nothing, even outside of a transaction.
 */
export async function openHold(db: Db, open: NextHold, now: Date, besides: Besides = {}): Promise<Opened> {
  return openedIn(await replaceSeen(db, now, { open, besides }), open, now);
}

/** Closes a hold. Resolves to false, and changes nothing, if it is no longer open. */
export async function closeHold(db: Db, close: Closing, now: Date): Promise<boolean> {
  return isClosedIn(await replaceSeen(db, now, { close }));
}

/**
 * Closes a hold and opens the next one of the same account and key. Resolves to undefined, and changes nothing, if the
 * old hold is no longer open. If it rejects, as `openHold` does, it has changed nothing.
 */
export async function renewHold(tx: Tx, close: Closing, open: NextHold, now: Date): Promise<Opened | undefined> {
  const row = await replaceSeen(tx, now, { close, open });
  return isClosedIn(row) ? openedIn(row, open, now) : undefined;
}

interface Change {
  readonly close?: Closing;
  readonly open?: NextHold;
  readonly besides?: Besides;
}

/**
 * Runs the statement of `replace`, and repeats it if it has missed a counter. The statement does not see a counter that
 * was created after it began, nor a limit that was set while it waited for the account; it then changes nothing, and is
 * repeated once the counter exists. A counter is created by the first work in a period of a limit.
 *
 * A script may set limits without a pause. Then the statement would never see the newest ones, so it begins only when
 * the account is locked.
 */
async function replaceSeen(db: Db, now: Date, change: Change): Promise<Row> {
  for (let tries = 1; ; tries += 1) {
    const row =
      tries <= UNLOCKED_TRIES
        ? await replace(db, now, change)
        : await withAccount(db, change, (locked) => replace(locked, now, change));
    // Safe: the statement makes this list.
    const unseen = row['unseen'] as readonly SpendCounter[] | null | undefined;
    if (row['reached'] !== 'unknown' && !unseen && row['is_stale'] !== true) return row;
    if (tries === MAX_REPEATS) throw new Error('The limits of a key changed while a hold was made or resolved.');
    if (!change.open) continue;
    const { account, keyId } = change.open;
    if (row['reached'] === 'unknown') await makeRunningCounter(db, { ...account, keyId });
    if (unseen) await makeSpendCounters(db, account.mode, unseen);
  }
}

/** A limit that is set in the meantime has a counter of its own, so more than one repetition may be needed. */
const MAX_REPEATS = 5;
const UNLOCKED_TRIES = 2;

/** Runs `run` in a transaction that has locked the account: in that of `db`, or in one of its own. */
async function withAccount(db: Db, change: Change, run: (locked: Db) => Promise<Row>): Promise<Row> {
  if (isDatabase(db)) return db.inTransaction((tx) => withAccount(tx, change, run));
  const { close, open, besides } = change;
  if (besides?.lock !== undefined) await lockText(db, besides.lock);
  await db.query(
    `select from accounts where (org_id, mode) in (select org_id, mode from holds where id = $1 union all select $2, $3) for update`,
    [close?.id, open?.account.orgId, open?.account.mode],
  );
  return run(db);
}

const isDatabase = (db: Db): db is Database => 'inTransaction' in db;

type Row = Record<string, unknown>;

async function replace(db: Db, now: Date, { close, open, besides = {} }: Change): Promise<Row> {
  if (open && open.amount < 0n) throw new RangeError('A hold cannot be negative.');
  const values = valuesOf(parameter, {
    now,
    closedId: close?.id,
    closedState: close?.state,
    charged: close?.charged?.toString(),
    closingId: close && newId('transfer'),
    openedId: open?.id,
    orgId: open?.account.orgId,
    mode: open?.account.mode,
    keyId: open?.keyId,
    subjectKind: open?.subject.kind,
    subjectId: open?.subject.id,
    amount: open?.amount.toString(),
    atLeast: open?.atLeast.toString(),
    openingId: open && newId('transfer'),
    periods: open && JSON.stringify(currentPeriods(now)),
  });
  const { inserts = [], lock } = besides;
  const countsVideo = open?.subject.kind === 'video' && !close;
  if (countsVideo) {
    const maxRunning = (of: LimitScope) => open.maxRunning?.find(({ scope }) => scope === of)?.max;
    values.push(
      ...valuesOf(runningLimit, {
        key: maxRunning('key'),
        organization: maxRunning('organization'),
        installation: maxRunning('installation'),
      }),
    );
  }
  if (lock !== undefined) values.push(lock);
  const lockAt = lock === undefined ? undefined : values.length;
  const inserted = joinInserts(inserts, values.length + 1, 'opened');
  const text = `with ${lockAt === undefined ? '' : `locked as materialized (select ${lockExpression(lockAt)}),`}
    ${oldHold(lockAt !== undefined)}${countsVideo ? RUNNING : ''} ${nextHold(countsVideo)} ${CHANGES}
    ${countsVideo ? COUNTED : ''}${open ? '' : UNCOUNTED}${inserted.text} ${result(countsVideo)}`;
  const { rows } = await db.query(text, [...values, ...inserted.values], { prepare: true });
  return rows[0] ?? {};
}

const isClosedIn = (row: Row) => nanoUsd(row['charged']) !== undefined;

function openedIn(row: Row, { account, atLeast, maxRunning }: NextHold, now: Date): Opened {
  const amount = nanoUsd(row['opened']);
  const available = nanoUsd(row['available']) ?? 0n;
  if (amount !== undefined) return { amount, available: available - amount, isLimited: row['is_limited'] === true };
  const reached = maxRunning?.find(({ scope }) => scope === row['reached']);
  if (reached && available >= atLeast) throw runningLimitReached(reached);
  const limit = nanoUsd(row['limit_nano_usd']);
  if (limit === undefined || available < atLeast)
    throw insufficientCredits(account, atLeast, { available, held: nanoUsd(row['held']) ?? 0n });
  throw spendLimitExceeded(
    {
      // Safe: the statement has only these levels, and the column only these periods.
      level: row['level'] as SpendLimit['level'],
      period: row['limit_period'] as LimitPeriod,
      name: row['name'] === null ? undefined : String(row['name']),
      amount: limit,
      spent: nanoUsd(row['limit_spent']) ?? 0n,
    },
    atLeast,
    now,
  );
}

/** The driver reads a bigint as text. */
const nanoUsd = (value: unknown): NanoUsd | undefined => (typeof value === 'string' ? BigInt(value) : undefined);

/** Returns a placeholder such as `$3::text` for each parameter, numbered from `first` in the order of `types`. */
const placeholders = <Name extends string>(types: Readonly<Record<Name, string>>, first: number) =>
  // Safe: the same names.
  Object.fromEntries(
    Object.entries<string>(types).map(([name, type], index) => [name, `$${first + index}::${type}`]),
  ) as Readonly<Record<Name, string>>;

/** Returns the values of these parameters in the order of their placeholders. */
const valuesOf = <Name extends string>(of: Readonly<Record<Name, string>>, values: Readonly<Record<Name, unknown>>) =>
  // Safe: the same names.
  Object.keys(of).map((name) => values[name as Name]);

/** The parameters of the statement. Those of a hold that is not closed, or not opened, are null. */
const parameter = placeholders(
  {
    now: 'timestamptz',
    closedId: 'text',
    closedState: 'text',
    charged: 'bigint',
    /** The transfer of the ledger entries that close the hold. */
    closingId: 'text',
    openedId: 'text',
    orgId: 'text',
    mode: 'text',
    keyId: 'text',
    subjectKind: 'text',
    subjectId: 'text',
    amount: 'bigint',
    atLeast: 'bigint',
    /** The transfer of the ledger entries that open the hold. */
    openingId: 'text',
    /** The current period of each kind, by kind. */
    periods: 'jsonb',
  },
  1,
);

/** The limits of running videos, only in a statement that counts a video. */
const runningLimit = placeholders(
  { key: 'int', organization: 'int', installation: 'int' },
  Object.keys(parameter).length + 1,
);

const CLOSES = `(${parameter.closedId} is not null)`;
const OPENS = `(${parameter.openedId} is not null)`;

/** Locks the account and the old hold. `waits`: only once the text of `locked` is locked. */
const oldHold = (waits: boolean) => `
owner as (
  -- Read without a lock: a hold never changes its account or its key.
  select org_id, mode, key_id from holds where id = ${parameter.closedId}
  union all
  select ${parameter.orgId}, ${parameter.mode}, ${parameter.keyId}
  where not ${CLOSES}${waits ? ' and exists (select from locked)' : ''}
), balance as (
  select owner.key_id, accounts.*
  from owner join accounts on accounts.org_id = owner.org_id and accounts.mode = owner.mode
  for update of accounts
), seen as (
  -- Read without a lock: as it was at the start of this statement, as the limits below are.
  select accounts.limits_version <> balance.limits_version as is_stale
  from balance join accounts on accounts.org_id = balance.org_id and accounts.mode = balance.mode
), open_hold as (
  select holds.org_id, holds.mode, holds.key_id, key_period, project_id, project_period, subject_kind,
    amount_nano_usd as amount, coalesce(${parameter.charged}, amount_nano_usd) as charged
  from balance join holds on holds.id = ${parameter.closedId} and holds.state = 'open'
  for update of holds
), old as (
  select *, amount - charged as unused from open_hold
  union all
  select org_id, mode, key_id, null, null, null, '', 0, 0, 0 from balance where not ${CLOSES}
), account as (
  -- The balances with the old hold given back.
  select old.*, balance.available_nano_usd + old.unused as available, balance.held_nano_usd - old.amount as held,
    balance.spent_nano_usd + old.charged as spent, balance.running_videos
  from old, balance, seen where not seen.is_stale
),`;

/** Locks the limits of the next hold, and finds out whether they and the balance leave room for it. */
const nextHold = (countsVideo: boolean) => `
key as (
  -- The lock blocks no change of the key, and therefore reads it as it was at the start of this statement.
  select coalesce(api_keys.spend_key_id, api_keys.id) as scope_id, api_keys.project_id, api_keys.limit_nano_usd, api_keys.limit_period
  from account join api_keys on api_keys.id = account.key_id
  where ${OPENS} or account.key_period is not null
  for key share of api_keys
), project as (
  select projects.id as scope_id, projects.name, projects.limit_nano_usd, projects.limit_period
  from key join projects on projects.id = key.project_id
  where ${OPENS}
  for key share of projects
), scope as (
  -- The limits of the next hold.
  select 'key' as level, scope_id, null as name, limit_nano_usd, limit_period, ${parameter.periods} ->> limit_period as period
  from key where limit_nano_usd is not null and limit_period is not null and ${OPENS}
  union all
  select 'project', scope_id, name, limit_nano_usd, limit_period, ${parameter.periods} ->> limit_period
  from project where limit_nano_usd is not null and limit_period is not null
), counter as (
  select spending.scope_id, spending.spent_nano_usd
  from account join scope on true
  join spending on spending.scope_id = scope.scope_id and spending.mode = account.mode and spending.period = scope.period
  for update of spending
), room as (
  -- What is spent of each limit with the old hold given back. Null: its counter cannot be seen by this statement.
  select scope.*, counter.spent_nano_usd - case
      when scope.level = 'key' and account.key_period = scope.period then account.unused
      when scope.level = 'project' and account.project_id = scope.scope_id and account.project_period = scope.period then account.unused
      else 0
    end as spent
  from account join scope on true left join counter on counter.scope_id = scope.scope_id
), wanted as (
  select case when not exists (select from scope) and account.available >= ${parameter.amount} then ${parameter.amount} else ${parameter.atLeast} end as amount
  from account
  where ${OPENS}${countsVideo ? ' and (select scope from reached) is null' : ''}
), refusing as (
  select room.* from room, wanted where room.spent + wanted.amount > room.limit_nano_usd
  order by room.level limit 1
), next as (
  select wanted.amount, of_key.period as key_period, of_project.scope_id as project_id, of_project.period as project_period
  from wanted join account on account.available >= wanted.amount
  left join scope as of_key on of_key.level = 'key'
  left join scope as of_project on of_project.level = 'project'
  where not exists (select from room where spent is null) and not exists (select from refusing)
),`;

/** Closes the old hold and opens the next one, in the rows that are locked by now. */
const CHANGES = `
closed as (
  -- The amount, too, is set: Postgres checks the constraints of a row first with the values at the start.
  update holds set state = ${parameter.closedState}, amount_nano_usd = account.amount, captured_nano_usd = account.charged, resolved_at = ${parameter.now}
  from account
  where holds.id = ${parameter.closedId} and holds.state = 'open' and (not ${OPENS} or exists (select from next))
), counted as (
  -- The unused part of the old hold and the next hold may be in the same period, and a statement can change a row only once.
  update spending set spent_nano_usd = spending.spent_nano_usd + change.amount
  from account, (
    select scope_id, period, sum(amount)::bigint as amount from (
      select scope.scope_id, scope.period, next.amount from next, scope
      union all
      select key.scope_id, account.key_period, -account.unused from account, key where account.key_period is not null
      union all
      select account.project_id, account.project_period, -account.unused from account where account.project_period is not null
    ) as part
    group by scope_id, period
  ) as change
  where spending.scope_id = change.scope_id and spending.mode = account.mode and spending.period = change.period
    and change.amount <> 0 and (not ${OPENS} or exists (select from next))
), moved as (
  -- Not computed from the row itself, for the same reason.
  update accounts set
    available_nano_usd = account.available - coalesce(next.amount, 0),
    held_nano_usd = account.held + coalesce(next.amount, 0),
    spent_nano_usd = account.spent,
    running_videos = greatest(0, account.running_videos
      + (next.amount is not null and ${parameter.subjectKind} = 'video')::int - (account.subject_kind = 'video')::int)
  from account left join next on true
  where accounts.org_id = account.org_id and accounts.mode = account.mode and (not ${OPENS} or next.amount is not null)
), opened as (
  insert into holds (id, org_id, mode, key_id, key_period, project_id, project_period, subject_kind, subject_id, amount_nano_usd, created_at)
  select ${parameter.openedId}, account.org_id, account.mode, account.key_id, next.key_period, next.project_id, next.project_period,
    ${parameter.subjectKind}, ${parameter.subjectId}, next.amount, ${parameter.now}
  from account, next
  returning *
), entered as (
  insert into ledger_entries (transfer_id, kind, org_id, mode, bucket, amount_nano_usd, hold_id, created_at)
  select entry.transfer_id, entry.kind, account.org_id, account.mode, entry.bucket, entry.amount, entry.hold_id, ${parameter.now}
  from account left join next on true, lateral (values
    (${parameter.closingId}, case ${parameter.closedState} when 'captured' then 'capture' else 'release' end, 'held', -account.amount, ${parameter.closedId}),
    (${parameter.closingId}, 'capture', 'revenue', account.charged, ${parameter.closedId}),
    (${parameter.closingId}, case ${parameter.closedState} when 'captured' then 'capture' else 'release' end, 'available', account.unused, ${parameter.closedId}),
    (${parameter.openingId}, 'hold', 'available', -next.amount, ${parameter.openedId}),
    (${parameter.openingId}, 'hold', 'held', next.amount, ${parameter.openedId})
  ) as entry (transfer_id, kind, bucket, amount, hold_id)
  where entry.amount <> 0 and (not ${OPENS} or next.amount is not null)
)`;

// This statement cannot see a counter that a running transaction has created, so its limit is unknown. The other counts
// of the installation may change in the meantime, so the limit of the installation is not exact.
const RUNNING = `
of_key as (
  select of_key.running from account
  join running_videos as of_key on of_key.org_id = account.org_id and of_key.mode = account.mode and of_key.key_id = account.key_id
  for update of of_key
), reached as (
  select case
    when ${runningLimit.key} is not null and of_key.running is null then 'unknown'
    when of_key.running >= ${runningLimit.key} then 'key'
    when account.running_videos >= ${runningLimit.organization} then 'organization'
    when ${runningLimit.installation} is not null and (select sum(accounts.running_videos) from accounts) >= ${runningLimit.installation} then 'installation'
  end as scope
  from account left join of_key on true
),`;

const COUNTED = `, counted_video as (
  insert into running_videos as of_key (org_id, mode, key_id, running)
  select account.org_id, account.mode, account.key_id, 1 from account, next
  on conflict (org_id, mode, key_id) do update set running = of_key.running + 1
)`;

/** For a hold that is closed and not replaced. Holds of videos are never replaced. */
const UNCOUNTED = `, uncounted as (
  update running_videos as of_key set running = greatest(0, of_key.running - 1)
  from account
  where account.subject_kind = 'video'
    and of_key.org_id = account.org_id and of_key.mode = account.mode and of_key.key_id = account.key_id
)`;

const result = (countsVideo: boolean) => `
select seen.is_stale, account.charged::text, account.available::text, account.held::text, next.amount::text as opened,
  exists (select from scope) as is_limited, refusing.level, refusing.name, refusing.limit_nano_usd::text, refusing.limit_period,
  refusing.spent::text as limit_spent,
  (select jsonb_agg(jsonb_build_object('scopeId', scope_id, 'period', period)) from room where spent is null) as unseen${countsVideo ? ', (select scope from reached) as reached' : ''}
from seen left join account on true left join next on true left join refusing on true`;
