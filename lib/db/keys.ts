import { and, desc, eq, inArray, isNull, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Role } from '../domain/caller';
import type { KeyId, OrgId, UserId } from '../domain/ids';
import type { NanoUsd } from '../domain/money';
import type { Db, Tx } from './database';
import { apiKeys, members, organizations, projects, spending, users } from './schema/accounts';
import type { Periods } from '../domain/clock';
import { periodNow, spendKeyOf } from './spending';

export type KeyRow = typeof apiKeys.$inferSelect;
export type ProjectRow = typeof projects.$inferSelect;
export type OrganizationRow = typeof organizations.$inferSelect;
export type NewKeyRow = typeof apiKeys.$inferInsert;
const rightColumns = [
  'mode',
  'scopes',
  'allowedModels',
  'allowedProviders',
  'allowedRegions',
  'allowedEndpoints',
  'allowedAddresses',
  'maxRequestNanoUsd',
  'maxMinuteNanoUsd',
  'projectId',
  'limitNanoUsd',
  'limitPeriod',
  'limits',
  'expiresAt',
] as const satisfies readonly (keyof KeyRow)[];

/** What a key may do and spend. */
export type KeyRights = Pick<KeyRow, (typeof rightColumns)[number]>;

export function rightsOf(key: KeyRow): KeyRights {
  // Safe: these are the columns of KeyRights, with their values.
  return Object.fromEntries(rightColumns.map((name) => [name, key[name]])) as KeyRights;
}

/** The fields that `updateKey` may change; all others are fixed when the key is created. */
export type KeyChanges = Partial<Omit<KeyRights, 'mode'> & Pick<KeyRow, 'name' | 'disabledAt'>>;

/** A key with its project, its spending in the current period of its limit, and its maker. */
export interface KeyWithSpend {
  readonly key: KeyRow;
  readonly spent: NanoUsd;
  readonly project: ProjectRow | null;
  /** The spending of the project in the current period of its budget, in the mode of the key. */
  readonly projectSpent: NanoUsd;
  /** The name of the person who created it, or the e-mail address. */
  readonly createdByName: string | null;
}

/** A key as a request needs it. */
export interface FoundKey {
  readonly key: KeyRow;
  readonly project: ProjectRow | null;
  readonly organization: OrganizationRow;
}

/** Finds the key with that hash, whatever its state. */
export async function findKeyByHash(db: Db, hash: string): Promise<FoundKey | undefined> {
  const [row] = await foundKeys(db).where(eq(apiKeys.hash, hash));
  return row;
}

/** Finds the key of the organisation with that id, whatever its state. */
export async function findKeyOfOrganization(db: Db, orgId: OrgId, id: KeyId): Promise<FoundKey | undefined> {
  const [row] = await foundKeys(db).where(and(eq(apiKeys.orgId, orgId), eq(apiKeys.id, id)));
  return row;
}

/** Selects keys with their projects and organisations; add the condition. */
export function foundKeys(db: Db) {
  return db.orm
    .select({ key: apiKeys, project: projects, organization: organizations })
    .from(apiKeys)
    .innerJoin(organizations, eq(organizations.id, apiKeys.orgId))
    .leftJoin(projects, eq(projects.id, apiKeys.projectId));
}

/** Lists the keys, newest first and including revoked ones. */
export async function listKeys(db: Db, orgId: OrgId, periods: Periods): Promise<KeyWithSpend[]> {
  return withSpend(db, periods).where(eq(apiKeys.orgId, orgId)).orderBy(desc(apiKeys.createdAt), desc(apiKeys.id));
}

export async function findKey(db: Db, orgId: OrgId, id: KeyId, periods: Periods): Promise<KeyWithSpend | undefined> {
  const [row] = await withSpend(db, periods).where(and(eq(apiKeys.orgId, orgId), eq(apiKeys.id, id)));
  return row;
}

/** Returns the name of a key of the organisation, revoked or not. */
export async function findKeyName(db: Db, orgId: OrgId, id: KeyId): Promise<string | undefined> {
  const [row] = await db.orm
    .select({ name: apiKeys.name })
    .from(apiKeys)
    .where(and(eq(apiKeys.orgId, orgId), eq(apiKeys.id, id)));
  return row?.name;
}

function withSpend(db: Db, periods: Periods) {
  const ofProject = alias(spending, 'spending_of_project');
  return db.orm
    .select({
      key: apiKeys,
      spent: sql<NanoUsd>`coalesce(${spending.spentNanoUsd}, 0)`.mapWith(BigInt),
      project: projects,
      projectSpent: sql<NanoUsd>`coalesce(${ofProject.spentNanoUsd}, 0)`.mapWith(BigInt),
      createdByName: sql<string | null>`coalesce(${users.name}, ${users.email})`,
    })
    .from(apiKeys)
    .leftJoin(users, eq(users.id, apiKeys.createdBy))
    .leftJoin(
      spending,
      and(
        eq(spending.scopeId, spendKeyOf()),
        eq(spending.mode, apiKeys.mode),
        eq(spending.period, periodNow(apiKeys.limitPeriod, periods)),
      ),
    )
    .leftJoin(projects, eq(projects.id, apiKeys.projectId))
    .leftJoin(
      ofProject,
      and(
        eq(ofProject.scopeId, projects.id),
        eq(ofProject.mode, apiKeys.mode),
        eq(ofProject.period, periodNow(projects.limitPeriod, periods)),
      ),
    );
}

/** Reads a key and locks it until the transaction ends. */
export async function lockKey(tx: Tx, orgId: OrgId, id: KeyId): Promise<KeyRow | undefined> {
  // Not FOR UPDATE, which would block every new hold with a foreign key to this row.
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

/** Revokes a key. A repeated call keeps the first time. */
export async function revokeKey(db: Db, id: KeyId, at: Date): Promise<void> {
  await db.orm
    .update(apiKeys)
    .set({ revokedAt: at })
    .where(and(eq(apiKeys.id, id), isNull(apiKeys.revokedAt)));
}

/**
 * Finds what a key with the scope `manage` may do now: its own role, and its maker's current role in the organisation.
 * The maker's role is null after they have left; the operator counts as an admin.
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

/** Finds the person who made a key; undefined if no person did, or if that person was deleted. */
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

/** Returns those of these keys that exist, including revoked ones. */
export async function findKeysById(db: Db, ids: readonly KeyId[], periods: Periods): Promise<KeyWithSpend[]> {
  if (ids.length === 0) return [];
  return withSpend(db, periods).where(inArray(apiKeys.id, [...ids]));
}

export async function findOrganizations(db: Db, ids: readonly OrgId[]): Promise<OrganizationRow[]> {
  if (ids.length === 0) return [];
  return db.orm
    .select()
    .from(organizations)
    .where(inArray(organizations.id, [...ids]));
}
