import { and, desc, eq } from 'drizzle-orm';
import type { AuditId, OrgId } from '../domain/ids';
import type { Db } from './database';
import { isBeyond } from './page';
import { auditEntries, users } from './schema/index';

export type AuditRow = typeof auditEntries.$inferSelect & { readonly email: string | null };

export async function insertAuditEntry(db: Db, entry: typeof auditEntries.$inferInsert): Promise<void> {
  await db.orm.insert(auditEntries).values(entry);
}

/** Newest first, those before `after`. */
export async function listAuditEntries(
  db: Db,
  orgId: OrgId,
  limit: number,
  after?: { readonly at: Date; readonly id: AuditId },
): Promise<AuditRow[]> {
  const older = after && isBeyond('desc', auditEntries.at, auditEntries.id, { time: after.at, id: after.id });
  const rows = await db.orm
    .select({ entry: auditEntries, email: users.email })
    .from(auditEntries)
    .leftJoin(users, eq(users.id, auditEntries.userId))
    .where(and(eq(auditEntries.orgId, orgId), older))
    .orderBy(desc(auditEntries.at), desc(auditEntries.id))
    .limit(limit);
  return rows.map(({ entry, email }) => ({ ...entry, email }));
}

export async function findAuditEntry(
  db: Db,
  orgId: OrgId,
  id: AuditId,
): Promise<{ at: Date; id: AuditId } | undefined> {
  const [row] = await db.orm
    .select({ at: auditEntries.at, id: auditEntries.id })
    .from(auditEntries)
    .where(and(eq(auditEntries.orgId, orgId), eq(auditEntries.id, id)));
  return row;
}
