import { and, asc, count, eq, isNotNull, isNull, sql } from 'drizzle-orm';
import type { Account } from '../domain/caller';
import type { OrgId, ProjectId } from '../domain/ids';
import type { NanoUsd } from '../domain/money';
import type { Db, Tx } from './database';
import type { ProjectRow } from './keys';
import { apiKeys, projects, spending } from './schema/accounts';
import type { Periods } from '../domain/clock';
import { periodNow } from './spending';

export type ProjectChanges = Partial<Omit<ProjectRow, 'id' | 'orgId' | 'createdAt'>>;

/** A project with its spending and keys in one mode. */
export interface ProjectWithSpend {
  readonly project: ProjectRow;
  /** In the current period of its budget; 0 without one. */
  readonly spent: NanoUsd;
  /** The number of its keys that are not revoked. */
  readonly keys: number;
}

/** Lists the projects by name. */
export async function listProjects(db: Db, account: Account, periods: Periods): Promise<ProjectWithSpend[]> {
  return withSpend(db, account, periods)
    .where(eq(projects.orgId, account.orgId))
    .orderBy(asc(sql`lower(${projects.name})`));
}

export async function findProject(
  db: Db,
  account: Account,
  id: ProjectId,
  periods: Periods,
): Promise<ProjectWithSpend | undefined> {
  const [row] = await withSpend(db, account, periods).where(
    and(eq(projects.orgId, account.orgId), eq(projects.id, id)),
  );
  return row;
}

function withSpend(db: Db, { mode }: Account, periods: Periods) {
  const keys = db.orm
    .select({ keys: count() })
    .from(apiKeys)
    .where(and(eq(apiKeys.projectId, projects.id), eq(apiKeys.mode, mode), isNull(apiKeys.revokedAt)));
  return db.orm
    .select({
      project: projects,
      spent: sql<NanoUsd>`coalesce(${spending.spentNanoUsd}, 0)`.mapWith(BigInt),
      keys: sql<number>`(${keys})`.mapWith(Number),
    })
    .from(projects)
    .leftJoin(
      spending,
      and(
        eq(spending.scopeId, projects.id),
        eq(spending.mode, mode),
        eq(spending.period, periodNow(projects.limitPeriod, periods)),
      ),
    );
}

export async function findProjectRow(db: Db, orgId: OrgId, id: ProjectId): Promise<ProjectRow | undefined> {
  const [row] = await db.orm
    .select()
    .from(projects)
    .where(and(eq(projects.orgId, orgId), eq(projects.id, id)));
  return row;
}

/**
 * Reads a project and locks it until the transaction ends. `no key update` waits for other changes of it, `key share`
 * only keeps it from being deleted; neither makes a hold wait.
 */
export async function lockProject(
  tx: Tx,
  orgId: OrgId,
  id: ProjectId,
  strength: 'update' | 'no key update' | 'key share',
): Promise<ProjectRow | undefined> {
  const [row] = await tx.orm
    .select()
    .from(projects)
    .where(and(eq(projects.orgId, orgId), eq(projects.id, id)))
    .for(strength);
  return row;
}

/** Inserts a project. Resolves to false if the organisation already has a project with this name. */
export async function insertProject(db: Db, project: ProjectRow): Promise<boolean> {
  const inserted = await db.orm.insert(projects).values(project).onConflictDoNothing().returning({ id: projects.id });
  return inserted.length > 0;
}

/** Whether the organisation has another project with this name. Case is ignored. */
export async function isProjectNameTaken(db: Db, { id, orgId, name }: ProjectRow): Promise<boolean> {
  const rows = await db.orm
    .select({ id: projects.id })
    .from(projects)
    .where(and(eq(projects.orgId, orgId), sql`lower(${projects.name}) = lower(${name})`, sql`${projects.id} <> ${id}`));
  return rows.length > 0;
}

export async function updateProject(tx: Tx, id: ProjectId, changes: ProjectChanges): Promise<void> {
  if (Object.keys(changes).length === 0) return;
  await tx.orm.update(projects).set(changes).where(eq(projects.id, id));
}

/** Removes the revoked keys from the project. Returns the number of the other keys. */
export async function releaseRevokedKeys(tx: Tx, id: ProjectId): Promise<number> {
  await tx.orm
    .update(apiKeys)
    .set({ projectId: null })
    .where(and(eq(apiKeys.projectId, id), isNotNull(apiKeys.revokedAt)));
  return tx.orm.$count(apiKeys, eq(apiKeys.projectId, id));
}

export async function deleteProject(tx: Tx, id: ProjectId): Promise<void> {
  await tx.orm.delete(projects).where(eq(projects.id, id));
  await tx.orm.delete(spending).where(eq(spending.scopeId, id));
}
