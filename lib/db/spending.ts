import { eq, sql, type SQL } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import type { Account } from '../domain/caller';
import type { KeyId, ProjectId } from '../domain/ids';
import type { Mode } from '../domain/video';
import type { Db, Tx } from './database';
import type { Periods } from '../domain/clock';
import { apiKeys, type SpendScopeId } from './schema/accounts';

// The spending within the limits of keys and projects. It changes with the holds (lib/billing).

/** A limit in one of its periods. */
export interface SpendCounter {
  readonly scopeId: SpendScopeId;
  readonly period: string;
}

/** Returns the key under which the spending of the key `id`, or of each row of `api_keys`, is counted. */
export function spendKeyOf(id?: KeyId): SQL<KeyId> {
  const own = sql<KeyId>`coalesce(${apiKeys.spendKeyId}, ${apiKeys.id})`;
  return id === undefined ? own : sql<KeyId>`(select ${own} from ${apiKeys} where ${eq(apiKeys.id, id)})`;
}

/** Returns the name of the current period of a limit, for a query that reads many limits. */
export function periodNow(limitPeriod: AnyPgColumn, periods: Periods): SQL {
  return sql`case ${limitPeriod}
    when 'total' then ${periods.total}::text when 'daily' then ${periods.daily}::text
    when 'weekly' then ${periods.weekly}::text when 'monthly' then ${periods.monthly}::text end`;
}

/** Creates the counters that do not exist yet. */
export async function makeSpendCounters(db: Db, mode: Mode, counters: readonly SpendCounter[]): Promise<void> {
  // In a fixed order, so that two processes that create the same counters do not wait for each other.
  const ordered = counters.toSorted((one, other) => (one.scopeId < other.scopeId ? -1 : 1));
  await db.query(
    `insert into spending (scope_id, mode, period)
     select made.scope_id, $1, made.period from unnest($2::text[], $3::text[]) as made (scope_id, period)
     on conflict do nothing`,
    [mode, ordered.map(({ scopeId }) => scopeId), ordered.map(({ period }) => period)],
  );
}

/** A limit whose spending is recounted. For a key, `id` is the id that its spending is counted under. */
export type RecountedScope =
  { readonly kind: 'key'; readonly id: KeyId } | { readonly kind: 'project'; readonly id: ProjectId };

/**
 * Recalculates the spending of a period from its start: the captures since the day of `since` (null: all) of the keys
 * that share the limit, plus their open holds, which count in this period from now on. The captures come from the daily
 * sums, because old entries of the ledger are deleted.
 */
export async function recountSpending(
  tx: Tx,
  { orgId, mode }: Account,
  scope: RecountedScope,
  { period, since }: { readonly period: string; readonly since: Date | null },
): Promise<void> {
  await lockForRecount(tx, { orgId, mode });
  const isKey = scope.kind === 'key';
  const shared = `(select id from api_keys where ${isKey ? 'coalesce(spend_key_id, id)' : 'project_id'} = $1 and org_id = $3 and mode = $4)`;
  const values = [scope.id, period, orgId, mode, (since ?? new Date(0)).toISOString()];
  await tx.query(
    `with captured as (
       select coalesce(sum(cost_nano_usd), 0) as amount from usage_days
       where org_id = $3 and mode = $4 and day >= ($5::timestamptz at time zone 'UTC')::date and key_id in ${shared}
     ), held as (
       select coalesce(sum(amount_nano_usd), 0) as amount from holds
       where org_id = $3 and mode = $4 and state = 'open' and created_at >= $5 and key_id in ${shared}
     )
     insert into spending (scope_id, mode, period, spent_nano_usd)
     select $1, $4, $2, captured.amount + held.amount from captured, held
     on conflict (scope_id, mode, period) do update set spent_nano_usd = excluded.spent_nano_usd`,
    values,
  );
  await tx.query(
    `update holds set ${isKey ? 'key_period = $2' : 'project_id = $1, project_period = $2'}
     where org_id = $3 and mode = $4 and state = 'open' and created_at >= $5 and key_id in ${shared}`,
    values,
  );
}

/** Makes the open holds of a key count against no project from now on. */
export async function takeOutOfProject(tx: Tx, { orgId, mode }: Account, keyId: KeyId): Promise<void> {
  await lockForRecount(tx, { orgId, mode });
  await tx.query(
    `update holds set project_id = null, project_period = null where org_id = $1 and mode = $2 and state = 'open' and key_id = $3`,
    [orgId, mode, keyId],
  );
}

/**
 * Locks the account. Every movement locks it first, so no hold is opened or resolved until this transaction ends.
 * Movements that wait for it in the meantime begin again (`replace-hold.ts`).
 */
async function lockForRecount(tx: Tx, { orgId, mode }: Account): Promise<void> {
  await tx.query('update accounts set limits_version = limits_version + 1 where org_id = $1 and mode = $2', [
    orgId,
    mode,
  ]);
}
