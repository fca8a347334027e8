import { aliasedTable, and, desc, eq, gte, isNull, lt, or, sql } from 'drizzle-orm';
import type { AuditId, KeyId, OrgId, UserId } from '../domain/ids';
import type { Db } from './database';
import { isBeyond } from './page';
import { apiKeys, auditEntries, organizations, users } from './schema/index';

/** An entry with the current names of its actor and of the key that it is about. */
export type AuditRow = typeof auditEntries.$inferSelect & {
  readonly email: string | null;
  readonly keyName: string | null;
  readonly targetName: string | null;
};

export interface AuditEntryFilter {
  /** The id of a person or of a key, or `operator`. */
  readonly actor?: string;
  /** A whole action such as `key.created`, or the part before its dot. */
  readonly action?: string;
  readonly from?: Date;
  /** Excluded. */
  readonly to?: Date;
}

export async function insertAuditEntry(db: Db, entry: typeof auditEntries.$inferInsert): Promise<void> {
  await db.orm.insert(auditEntries).values(entry);
}

/** Lists entries, newest first; with `after`, only older ones. */
export async function listAuditEntries(
  db: Db,
  orgId: OrgId,
  { actor, action, from, to }: AuditEntryFilter,
  limit: number,
  after?: { readonly at: Date; readonly id: AuditId },
): Promise<AuditRow[]> {
  const targets = aliasedTable(apiKeys, 'targets');
  const older = after && isBeyond('desc', auditEntries.at, auditEntries.id, { time: after.at, id: after.id });
  const rows = await db.orm
    .select({ entry: auditEntries, email: users.email, keyName: apiKeys.name, targetName: targets.name })
    .from(auditEntries)
    .leftJoin(users, eq(users.id, auditEntries.userId))
    .leftJoin(apiKeys, eq(apiKeys.id, auditEntries.keyId))
    .leftJoin(targets, and(eq(targets.id, auditEntries.target), eq(targets.orgId, auditEntries.orgId)))
    .where(
      and(
        eq(auditEntries.orgId, orgId),
        actor === undefined ? undefined : isBy(actor),
        // Also matches the part before the dot.
        action === undefined
          ? undefined
          : sql`(${auditEntries.action} = ${action} or split_part(${auditEntries.action}, '.', 1) = ${action})`,
        from && gte(auditEntries.at, from),
        to && lt(auditEntries.at, to),
        older,
      ),
    )
    .orderBy(desc(auditEntries.at), desc(auditEntries.id))
    .limit(limit);
  return rows.map(({ entry, ...names }) => ({ ...entry, ...names }));
}

function isBy(actor: string) {
  if (actor === 'operator')
    return or(auditEntries.byOperator, and(isNull(auditEntries.userId), isNull(auditEntries.keyId)));
  // Safe: the text is only compared.
  return or(eq(auditEntries.userId, actor as UserId), eq(auditEntries.keyId, actor as KeyId));
}

/** An entry of the operator, with the current names of the organisation and of the person. */
export interface OperatorAuditRow {
  readonly entry: typeof auditEntries.$inferSelect;
  readonly email: string | null;
  readonly orgName: string | null;
}

/**
 * Lists the entries of the operator in all organisations and about the installation, newest first; with `after`, only
 * older ones.
 */
export async function listOperatorEntries(
  db: Db,
  limit: number,
  after?: { readonly at: Date; readonly id: AuditId },
): Promise<OperatorAuditRow[]> {
  return db.orm
    .select({ entry: auditEntries, email: users.email, orgName: organizations.name })
    .from(auditEntries)
    .leftJoin(users, eq(users.id, auditEntries.userId))
    .leftJoin(organizations, eq(organizations.id, auditEntries.orgId))
    .where(
      and(
        auditEntries.byOperator,
        after && isBeyond('desc', auditEntries.at, auditEntries.id, { time: after.at, id: after.id }),
      ),
    )
    .orderBy(desc(auditEntries.at), desc(auditEntries.id))
    .limit(limit);
}

export async function findOperatorEntry(db: Db, id: AuditId): Promise<{ at: Date; id: AuditId } | undefined> {
  const [row] = await db.orm
    .select({ at: auditEntries.at, id: auditEntries.id })
    .from(auditEntries)
    .where(and(auditEntries.byOperator, eq(auditEntries.id, id)));
  return row;
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
