import { and, desc, eq, inArray, isNull, sql, type SQL } from 'drizzle-orm';
import type { Role } from '../domain/caller';
import type { KeyId, OrgId, UserId } from '../domain/ids';
import type { LimitOverrides } from '../domain/limits';
import type { NanoUsd } from '../domain/money';
import type { Db, Tx } from './database';
import { isClosed } from './organizations';
import { apiKeys, keySpend, members, organizations, users, type LimitPeriod } from './schema/accounts';

export type KeyRow = typeof apiKeys.$inferSelect;
export type NewKeyRow = typeof apiKeys.$inferInsert;
/** The fields that `updateKey` may change; all others are fixed when the key is created. */
export type KeyChanges = Partial<
  Pick<
    KeyRow,
    | 'name'
    | 'scopes'
    | 'allowedModels'
    | 'allowedProviders'
    | 'allowedEndpoints'
    | 'allowedAddresses'
    | 'limitNanoUsd'
    | 'limitPeriod'
    | 'limits'
    | 'expiresAt'
    | 'disabledAt'
  >
>;

/** A key with its spending in the current period of its limit, and its maker. */
export interface KeyWithSpend {
  readonly key: KeyRow;
  readonly spent: NanoUsd;
  /** The name of the person who created it, or the e-mail address. */
  readonly createdByName: string | null;
}

/** The names of the current periods, from `currentPeriods`. */
export type Periods = Readonly<Record<LimitPeriod, string>>;

/** A key as a request needs it. */
export interface FoundKey {
  readonly key: KeyRow;
  /** Suspended, or about to be deleted. */
  readonly orgClosed: boolean;
  readonly orgLimits: LimitOverrides | null;
}

/** The key with that hash, whatever its state. */
export async function findKeyByHash(db: Db, hash: string): Promise<FoundKey | undefined> {
  const [row] = await db.orm
    .select({ key: apiKeys, orgClosed: isClosed, orgLimits: organizations.limits })
    .from(apiKeys)
    .innerJoin(organizations, eq(organizations.id, apiKeys.orgId))
    .where(eq(apiKeys.hash, hash));
  return row;
}

/** Newest first, revoked ones included. */
export async function listKeys(db: Db, orgId: OrgId, periods: Periods): Promise<KeyWithSpend[]> {
  return withSpend(db, periods).where(eq(apiKeys.orgId, orgId)).orderBy(desc(apiKeys.createdAt), desc(apiKeys.id));
}

export async function findKey(db: Db, orgId: OrgId, id: KeyId, periods: Periods): Promise<KeyWithSpend | undefined> {
  const [row] = await withSpend(db, periods).where(and(eq(apiKeys.orgId, orgId), eq(apiKeys.id, id)));
  return row;
}

/** The name of a key of the organisation, revoked or not. */
export async function findKeyName(db: Db, orgId: OrgId, id: KeyId): Promise<string | undefined> {
  const [row] = await db.orm
    .select({ name: apiKeys.name })
    .from(apiKeys)
    .where(and(eq(apiKeys.orgId, orgId), eq(apiKeys.id, id)));
  return row?.name;
}

function withSpend(db: Db, periods: Periods) {
  const period = sql`case ${apiKeys.limitPeriod}
    when 'total' then ${periods.total}::text when 'daily' then ${periods.daily}::text
    when 'weekly' then ${periods.weekly}::text when 'monthly' then ${periods.monthly}::text end`;
  return db.orm
    .select({
      key: apiKeys,
      spent: sql<NanoUsd>`coalesce(${keySpend.spentNanoUsd}, 0)`.mapWith(BigInt),
      createdByName: sql<string | null>`coalesce(${users.name}, ${users.email})`,
    })
    .from(apiKeys)
    .leftJoin(users, eq(users.id, apiKeys.createdBy))
    .leftJoin(keySpend, and(eq(keySpend.keyId, spendKeyOf()), eq(keySpend.period, period)));
}

/** Reads a key and locks it until the transaction ends. */
export async function lockKey(tx: Tx, orgId: OrgId, id: KeyId): Promise<KeyRow | undefined> {
  // Not FOR UPDATE: that would block every new hold with a foreign key to this row.
  const [row] = await tx.orm
    .select()
    .from(apiKeys)
    .where(and(eq(apiKeys.orgId, orgId), eq(apiKeys.id, id)))
    .for('no key update');
  return row;
}

export async function insertKey(db: Db, key: NewKeyRow): Promise<void> {
  await db.orm.insert(apiKeys).values(key);
}

export async function updateKey(tx: Tx, id: KeyId, changes: KeyChanges): Promise<void> {
  if (Object.keys(changes).length === 0) return;
  await tx.orm.update(apiKeys).set(changes).where(eq(apiKeys.id, id));
}

/** A repeated call keeps the first time. */
export async function revokeKey(db: Db, id: KeyId, at: Date): Promise<void> {
  await db.orm
    .update(apiKeys)
    .set({ revokedAt: at })
    .where(and(eq(apiKeys.id, id), isNull(apiKeys.revokedAt)));
}

/** The key that the spending of the key `id`, or of each row of `api_keys`, is counted under. */
export function spendKeyOf(id?: KeyId): SQL<KeyId> {
  const own = sql<KeyId>`coalesce(${apiKeys.spendKeyId}, ${apiKeys.id})`;
  return id === undefined ? own : sql<KeyId>`(select ${own} from ${apiKeys} where ${apiKeys.id} = ${id})`;
}

/**
 * Sets the counted spending of a key for a period whose counting begins now: the captures since the day of `since` (null:
 * all) of the key and of the keys that share its limit, plus their open holds. Their open holds are counted in this
 * period from now on. The captures are those of the daily sums, because old entries of the ledger are deleted.
 */
export async function recountKeySpend(
  tx: Tx,
  key: Pick<KeyRow, 'id' | 'orgId' | 'mode' | 'spendKeyId'>,
  period: string,
  since: Date | null,
): Promise<void> {
  // A hold updates the account's row, so this lock keeps holds from being made or resolved during the read.
  await tx.query('select 1 from accounts where org_id = $1 and mode = $2 for update', [key.orgId, key.mode]);
  await tx.query(
    `with shared as (
       select id from api_keys where coalesce(spend_key_id, id) = $1
     ), captured as (
       select coalesce(sum(cost_nano_usd), 0) as amount from usage_days
       where org_id = $3 and mode = $4 and day >= ($5::timestamptz at time zone 'UTC')::date and key_id in (select id from shared)
     ), held as (
       select coalesce(sum(amount_nano_usd), 0) as amount from holds
       where org_id = $3 and mode = $4 and state = 'open' and created_at >= $5 and key_id in (select id from shared)
     )
     insert into key_spend (key_id, period, spent_nano_usd) select $1, $2, captured.amount + held.amount from captured, held
     on conflict (key_id, period) do update set spent_nano_usd = excluded.spent_nano_usd`,
    [key.spendKeyId ?? key.id, period, key.orgId, key.mode, (since ?? new Date(0)).toISOString()],
  );
  await tx.query(
    `update holds set key_period = $1 where org_id = $2 and mode = $3 and state = 'open' and created_at >= $4 and key_id = $5`,
    [period, key.orgId, key.mode, (since ?? new Date(0)).toISOString(), key.id],
  );
}

/**
 * What a key with the scope `manage` may do now: its own role, and its maker's role in the organisation (null: no
 * longer a member; the operator counts as an admin).
 */
export async function findRolesOfKey(
  db: Db,
  id: KeyId,
): Promise<{ readonly key: Role; readonly maker: Role | null } | undefined> {
  const [row] = await db.orm
    .select({ key: apiKeys.role, maker: members.role, byOperator: apiKeys.byOperator })
    .from(apiKeys)
    .leftJoin(members, and(eq(members.userId, apiKeys.createdBy), eq(members.orgId, apiKeys.orgId)))
    .where(eq(apiKeys.id, id));
  return row && { key: row.key, maker: row.byOperator ? 'admin' : row.maker };
}

/** The person who made a key; undefined if none did, or if that person was deleted. */
export async function findMakerOfKey(db: Db, id: KeyId): Promise<UserId | undefined> {
  const [row] = await db.orm.select({ createdBy: apiKeys.createdBy }).from(apiKeys).where(eq(apiKeys.id, id));
  return row?.createdBy ?? undefined;
}

/** Records when keys were last used, all in one statement; an older time never replaces a newer one. */
export async function touchKeys(db: Db, uses: ReadonlyMap<KeyId, Date>): Promise<void> {
  await db.query(
    `update api_keys set last_used_at = greatest(last_used_at, used.at)
     from unnest($1::text[], $2::timestamptz[]) as used(id, at) where api_keys.id = used.id`,
    [[...uses.keys()], [...uses.values()].map((at) => at.toISOString())],
  );
}

/** The existing ones of these keys, revoked ones included. */
export async function findActiveKeys(db: Db, ids: readonly KeyId[], periods: Periods): Promise<KeyWithSpend[]> {
  if (ids.length === 0) return [];
  return withSpend(db, periods).where(inArray(apiKeys.id, [...ids]));
}

/** Those of these organisations that are suspended or about to be deleted. */
export async function findClosedOrganizations(db: Db, ids: readonly OrgId[]): Promise<OrgId[]> {
  if (ids.length === 0) return [];
  const rows = await db.orm
    .select({ id: organizations.id })
    .from(organizations)
    .where(and(inArray(organizations.id, [...ids]), isClosed));
  return rows.map(({ id }) => id);
}
