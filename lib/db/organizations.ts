import { and, asc, count, desc, eq, gte, inArray, isNotNull, isNull, or, sql } from 'drizzle-orm';
import type { OrgId } from '../domain/ids';
import type { LimitName, LimitOverrides } from '../domain/limits';
import type { NanoUsd } from '../domain/money';
import type { PolicyColumns } from '../domain/policy';
import type { Mode } from '../domain/video';
import type { Db, Tx } from './database';
import { isBeyond } from './page';
import { accounts, members, organizations, usageDays } from './schema/index';

// The organisations of the installation, for the operator.

/** The state of an organisation; each is in exactly one. */
export type OrganizationState = 'active' | 'suspended' | 'deleting' | 'erased';

export interface OrganizationFilter {
  /** A part of the name, in any case, or the whole id. */
  readonly search?: string | undefined;
  readonly state?: OrganizationState | undefined;
}

/** An organisation with its two accounts, the number of its people, and its activity since a day. */
export interface OrganizationRow {
  readonly organization: typeof organizations.$inferSelect;
  readonly accounts: readonly (typeof accounts.$inferSelect)[];
  readonly members: number;
  readonly owners: number;
  readonly activity: readonly ActivityRow[];
}

export interface ActivityRow {
  readonly orgId: OrgId;
  readonly mode: Mode;
  readonly requests: number;
  /** Net of refunds. */
  readonly charged: NanoUsd;
  /** ISO date. */
  readonly lastDay: string;
}

/**
 * Lists organisations by the time of creation, those that follow `after`. Undefined if there is no organisation with
 * the id `after`. `since` is the first day of the activity, an ISO date.
 */
export async function listOrganizations(
  db: Db,
  { search, state }: OrganizationFilter,
  page: { readonly limit: number; readonly after?: string | undefined; readonly order: 'asc' | 'desc' },
  since: string,
): Promise<OrganizationRow[] | undefined> {
  const last = page.after === undefined ? undefined : await findPlace(db, page.after);
  if (page.after !== undefined && !last) return undefined;
  const direction = page.order === 'asc' ? asc : desc;
  const rows = await db.orm
    .select()
    .from(organizations)
    .where(
      and(
        state && isIn(state),
        search === undefined
          ? undefined
          : or(
              sql`position(lower(${search}) in lower(${organizations.name})) > 0`,
              eq(organizations.id, search as OrgId), // Safe: compared only.
            ),
        last && isBeyond(page.order, organizations.createdAt, organizations.id, last),
      ),
    )
    .orderBy(direction(organizations.createdAt), direction(organizations.id))
    .limit(page.limit);
  return withAccounts(db, rows, since);
}

/** Finds one organisation as in the list, even if it is erased. */
export async function findOrganizationRow(db: Db, id: OrgId, since: string): Promise<OrganizationRow | undefined> {
  const rows = await db.orm.select().from(organizations).where(eq(organizations.id, id));
  return (await withAccounts(db, rows, since))[0];
}

async function findPlace(db: Db, id: string): Promise<{ time: Date; id: string } | undefined> {
  const [row] = await db.orm
    .select({ time: organizations.createdAt, id: organizations.id })
    .from(organizations)
    .where(eq(organizations.id, id as OrgId)); // Safe: compared only.
  return row;
}

function isIn(state: OrganizationState) {
  const { suspendedAt, deletesAt, erasedAt } = organizations;
  switch (state) {
    case 'erased':
      return isNotNull(erasedAt);
    case 'deleting':
      return and(isNull(erasedAt), isNotNull(deletesAt));
    case 'suspended':
      return and(isNull(erasedAt), isNull(deletesAt), isNotNull(suspendedAt));
    case 'active':
      return and(isNull(erasedAt), isNull(deletesAt), isNull(suspendedAt));
  }
}

/** Returns the state of a row that was already read; see `isIn`. */
export function stateOf({
  suspendedAt,
  deletesAt,
  erasedAt,
}: Pick<typeof organizations.$inferSelect, 'suspendedAt' | 'deletesAt' | 'erasedAt'>): OrganizationState {
  if (erasedAt) return 'erased';
  if (deletesAt) return 'deleting';
  return suspendedAt ? 'suspended' : 'active';
}

async function withAccounts(
  db: Db,
  rows: readonly (typeof organizations.$inferSelect)[],
  since: string,
): Promise<OrganizationRow[]> {
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const balances = await db.orm.select().from(accounts).where(inArray(accounts.orgId, ids));
  const people = await db.orm
    .select({
      orgId: members.orgId,
      members: count(),
      owners: sql<number>`count(*) filter (where ${members.role} = 'owner')`.mapWith(Number),
    })
    .from(members)
    .where(inArray(members.orgId, ids))
    .groupBy(members.orgId);
  const activity: ActivityRow[] = await db.orm
    .select({
      orgId: usageDays.orgId,
      mode: usageDays.mode,
      requests: sql<number>`sum(${usageDays.finished})`.mapWith(Number),
      charged: sql<bigint>`sum(${usageDays.costNanoUsd} - ${usageDays.refundedNanoUsd})`.mapWith(BigInt),
      lastDay: sql<string>`max(${usageDays.day})::text`,
    })
    .from(usageDays)
    .where(and(inArray(usageDays.orgId, ids), inArray(usageDays.mode, ['live', 'test']), gte(usageDays.day, since)))
    .groupBy(usageDays.orgId, usageDays.mode);
  return rows.map((organization) => {
    const ofIt = ({ orgId }: { readonly orgId: OrgId }) => orgId === organization.id;
    const counted = people.find(ofIt);
    return {
      organization,
      accounts: balances.filter(ofIt),
      members: counted?.members ?? 0,
      owners: counted?.owners ?? 0,
      activity: activity.filter(ofIt),
    };
  });
}

/** Suspends the organisation. Null lifts the suspension. */
export async function setSuspended(tx: Tx, id: OrgId, suspendedAt: Date | null): Promise<void> {
  await tx.orm.update(organizations).set({ suspendedAt }).where(eq(organizations.id, id));
}

/** Returns the ids of the first two organisations that are not erased, which show whether there is only one. */
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
  'id' | 'name' | 'replayRetries' | 'keepMessagesDays' | 'keepSpeechDays' | 'suspendedAt' | 'deletesAt' | 'createdAt'
>;

/** Finds an organisation that is not erased. */
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
  changes: Partial<
    Pick<OrganizationSettingsRow, 'name' | 'replayRetries' | 'keepMessagesDays' | 'keepSpeechDays' | 'deletesAt'>
  >,
): Promise<void> {
  if (Object.keys(changes).length === 0) return;
  await tx.orm.update(organizations).set(changes).where(eq(organizations.id, id));
}

/** Whether the organisation is suspended by the operator or about to be deleted. If so, its keys are refused. */
export const isClosed = sql<boolean>`(${organizations.suspendedAt} is not null or ${organizations.deletesAt} is not null)`;

/** `isClosed` for a row that was already read. */
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

/** Returns the limits of the organisation that differ from the configured ones. */
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
