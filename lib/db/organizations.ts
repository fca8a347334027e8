import { and, asc, eq, inArray, isNull, sql } from 'drizzle-orm';
import type { OrgId } from '../domain/ids';
import type { LimitName, LimitOverrides } from '../domain/limits';
import type { PolicyColumns } from '../domain/policy';
import type { Db, Tx } from './database';
import { accounts, organizations } from './schema/index';

// The organisations of the installation, for the operator.

/** An organisation with its two accounts. */
export interface OrganizationRow {
  readonly organization: typeof organizations.$inferSelect;
  readonly accounts: readonly (typeof accounts.$inferSelect)[];
}

/** Oldest first, those after `after`; undefined if there is no organisation `after`. */
export async function listOrganizations(db: Db, limit: number, after?: string): Promise<OrganizationRow[] | undefined> {
  const place =
    after === undefined
      ? undefined
      : db.orm
          .select({ at: organizations.createdAt, id: organizations.id })
          .from(organizations)
          .where(eq(organizations.id, after as OrgId)); // Safe: compared only.
  if (place && (await place).length === 0) return undefined;
  const rows = await db.orm
    .select()
    .from(organizations)
    .where(place && sql`(${organizations.createdAt}, ${organizations.id}) > ${place}`)
    .orderBy(asc(organizations.createdAt), asc(organizations.id))
    .limit(limit);
  if (rows.length === 0) return [];
  const balances = await db.orm
    .select()
    .from(accounts)
    .where(
      inArray(
        accounts.orgId,
        rows.map(({ id }) => id),
      ),
    );
  return rows.map((organization) => ({
    organization,
    accounts: balances.filter(({ orgId }) => orgId === organization.id),
  }));
}

/** The ids of the first two organisations that are not erased, which shows whether there is only one. */
export async function listFirstOrganizations(db: Db): Promise<readonly OrgId[]> {
  const rows = await db.orm
    .select({ id: organizations.id })
    .from(organizations)
    .where(isNull(organizations.erasedAt))
    .limit(2);
  return rows.map(({ id }) => id);
}

export type OrganizationSettingsRow = Pick<
  typeof organizations.$inferSelect,
  'id' | 'name' | 'replayRetries' | 'suspendedAt' | 'deletesAt' | 'createdAt'
>;

/** An organisation that is not erased. */
export async function findOrganization(db: Db, id: OrgId): Promise<OrganizationSettingsRow | undefined> {
  const [row] = await db.orm
    .select()
    .from(organizations)
    .where(and(eq(organizations.id, id), isNull(organizations.erasedAt)));
  return row;
}

export async function updateOrganization(
  tx: Tx,
  id: OrgId,
  changes: Partial<Pick<OrganizationSettingsRow, 'name' | 'replayRetries' | 'deletesAt'>>,
): Promise<void> {
  if (Object.keys(changes).length === 0) return;
  await tx.orm.update(organizations).set(changes).where(eq(organizations.id, id));
}

/** Is the organisation suspended by the operator, or about to be deleted? Then its keys are refused. */
export const isClosed = sql<boolean>`(${organizations.suspendedAt} is not null or ${organizations.deletesAt} is not null)`;

/** `isClosed`, of a row that was read already. */
export const isClosedRow = (row: Pick<typeof organizations.$inferSelect, 'suspendedAt' | 'deletesAt'>): boolean =>
  row.suspendedAt !== null || row.deletesAt !== null;

export async function hasOrganization(db: Db, id: OrgId): Promise<boolean> {
  const rows = await db.orm.select({ id: organizations.id }).from(organizations).where(eq(organizations.id, id));
  return rows.length > 0;
}

export async function findOrganizationName(db: Db, id: OrgId): Promise<string | undefined> {
  const [row] = await db.orm.select({ name: organizations.name }).from(organizations).where(eq(organizations.id, id));
  return row?.name;
}

/** Where the limits of the organisation differ from the configured ones. */
export async function findOrganizationLimits(db: Db, id: OrgId): Promise<LimitOverrides | null> {
  const [row] = await db.orm
    .select({ limits: organizations.limits })
    .from(organizations)
    .where(eq(organizations.id, id));
  return row?.limits ?? null;
}

/** Changes the named parts of the policy. */
export async function changeOrganizationPolicy(db: Db, id: OrgId, changes: Partial<PolicyColumns>): Promise<void> {
  if (Object.keys(changes).length === 0) return;
  await db.orm.update(organizations).set(changes).where(eq(organizations.id, id));
}

/** Changes the named limits and returns all that differ from the configured ones. */
export async function changeOrganizationLimits(
  db: Db,
  id: OrgId,
  set: LimitOverrides,
  reset: readonly LimitName[],
): Promise<LimitOverrides> {
  const [row] = await db.orm
    .update(organizations)
    .set({
      limits: sql`(coalesce(${organizations.limits}, '{}') || ${JSON.stringify(set)}::jsonb) - ${sql.param([...reset])}::text[]`,
    })
    .where(eq(organizations.id, id))
    .returning({ limits: organizations.limits });
  return row?.limits ?? {};
}
