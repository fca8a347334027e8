import { and, asc, eq } from 'drizzle-orm';
import type { Account } from '../domain/caller';
import type { AlertId, OrgId, UserId } from '../domain/ids';
import type { NanoUsd } from '../domain/money';
import type { Db, Tx } from './database';
import { alerts, members, users } from './schema/index';

// The thresholds of accounts, and the statement that announces a crossing once.

export type AlertRow = typeof alerts.$inferSelect;

/** The current periods of the spend alerts: a day and a month of UTC, such as `2026-11-23` and `2026-11`. */
export interface AlertPeriods {
  readonly day: string;
  readonly month: string;
}

/** Lists the alerts of an account, oldest first. */
export async function listAlerts(db: Db, { orgId, mode }: Account): Promise<AlertRow[]> {
  return db.orm
    .select()
    .from(alerts)
    .where(and(eq(alerts.orgId, orgId), eq(alerts.mode, mode)))
    .orderBy(asc(alerts.createdAt), asc(alerts.id));
}

/** Inserts an alert. Resolves to false if the account already has the same threshold. */
export async function insertAlert(tx: Tx, row: typeof alerts.$inferInsert): Promise<boolean> {
  const inserted = await tx.orm.insert(alerts).values(row).onConflictDoNothing().returning({ id: alerts.id });
  return inserted.length > 0;
}

export async function findAlert(db: Db, id: AlertId): Promise<AlertRow | undefined> {
  const [row] = await db.orm.select().from(alerts).where(eq(alerts.id, id));
  return row;
}

/** Changes the amount, after which the alert may announce a crossing of its period again. */
export async function updateAlert(tx: Tx, id: AlertId, amountNanoUsd: NanoUsd): Promise<AlertRow | undefined> {
  const [row] = await tx.orm
    .update(alerts)
    .set({ amountNanoUsd, crossedPeriod: null, crossedAt: null, crossedNanoUsd: null })
    .where(eq(alerts.id, id))
    .returning();
  return row;
}

export async function removeAlert(tx: Tx, orgId: OrgId, id: AlertId): Promise<boolean> {
  const removed = await tx.orm
    .delete(alerts)
    .where(and(eq(alerts.id, id), eq(alerts.orgId, orgId)))
    .returning({ id: alerts.id });
  return removed.length > 0;
}

/** An alert with the balance or the spending that it watches, now. */
export interface MeasuredAlert {
  readonly id: AlertId;
  readonly value: NanoUsd;
}

const MEASURED = `select a.id, a.kind, a.amount_nano_usd, a.crossed_period, a.org_id,
    case a.kind when 'low_balance' then 'low' when 'daily_spend' then $1 else $2 end as period,
    case a.kind when 'low_balance' then coalesce((
      select available_nano_usd from accounts where accounts.org_id = a.org_id and accounts.mode = a.mode
    ), 0) else coalesce((
      select sum(cost_nano_usd - refunded_nano_usd) from usage_days u where u.org_id = a.org_id and u.mode = a.mode
        and u.day between (case a.kind when 'daily_spend' then $1 else $2 || '-01' end)::date and $1::date
    ), 0) end as value
  from alerts a`;

/** Measures what the alerts of an account watch. */
export async function measureAlerts(
  db: Db,
  { orgId, mode }: Account,
  { day, month }: AlertPeriods,
): Promise<readonly MeasuredAlert[]> {
  const { rows } = await db.query(`${MEASURED} where a.org_id = $3 and a.mode = $4`, [day, month, orgId, mode]);
  // Safe: the column is an id.
  return rows.map((row) => ({ id: row['id'] as AlertId, value: BigInt(String(row['value'])) }));
}

/** A crossing, claimed by this statement. */
export interface Crossing {
  readonly id: AlertId;
  readonly orgId: OrgId;
}

/**
 * Marks the alerts of all accounts whose threshold was crossed since the last call, and returns them. If several
 * callers run at once, only one gets each crossing. A low balance that has recovered can be announced again. With
 * `past`, the periods may have ended, so only spending is compared, and an announcement for a later period is kept.
 */
export async function claimCrossings(
  tx: Tx,
  { day, month }: AlertPeriods,
  now: Date,
  { past = false }: { readonly past?: boolean } = {},
): Promise<readonly Crossing[]> {
  const { rows } = await tx.query(
    `with measured as materialized (${MEASURED}), recovered as (
       update alerts set crossed_period = null, crossed_at = null, crossed_nano_usd = null
       from measured m where not $4 and m.id = alerts.id and m.kind = 'low_balance' and alerts.crossed_period is not null and m.value >= m.amount_nano_usd
     )
     update alerts set crossed_period = m.period, crossed_at = $3, crossed_nano_usd = m.value
     from measured m where m.id = alerts.id and alerts.crossed_period is distinct from m.period
       and alerts.amount_nano_usd = m.amount_nano_usd
       and (not $4 or m.kind <> 'low_balance' and coalesce(alerts.crossed_period < m.period, true)
         and (alerts.created_at at time zone 'UTC')::date <= $1::date)
       and case m.kind when 'low_balance' then m.value < m.amount_nano_usd else m.value >= m.amount_nano_usd end
     returning alerts.id, alerts.org_id`,
    [day, month, now.toISOString(), past],
  );
  // Safe: the columns are ids.
  return rows.map((row) => ({ id: row['id'] as AlertId, orgId: row['org_id'] as OrgId }));
}

/** The owners of an organisation. */
export async function listOwners(db: Db, orgId: OrgId): Promise<readonly { id: UserId; email: string }[]> {
  return db.orm
    .select({ id: users.id, email: users.email })
    .from(members)
    .innerJoin(users, eq(users.id, members.userId))
    .where(and(eq(members.orgId, orgId), eq(members.role, 'owner')))
    .orderBy(asc(members.createdAt));
}
