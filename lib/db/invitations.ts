import { and, count, desc, eq, gt, isNull } from 'drizzle-orm';
import type { InvitationId, OrgId } from '../domain/ids';
import type { Db, Tx } from './database';
import { invitations, organizations, users } from './schema/accounts';

export type InvitationRow = typeof invitations.$inferSelect;

/**
 * Lists invitations, newest first and including expired ones, each with the e-mail address of the person who made it.
 */
export async function listInvitations(
  db: Db,
  orgId: OrgId,
): Promise<readonly { readonly invitation: InvitationRow; readonly invitedBy: string | null }[]> {
  return db.orm
    .select({ invitation: invitations, invitedBy: users.email })
    .from(invitations)
    .leftJoin(users, eq(users.id, invitations.invitedBy))
    .where(eq(invitations.orgId, orgId))
    .orderBy(desc(invitations.createdAt), desc(invitations.id));
}

export async function countInvitations(db: Db, orgId: OrgId): Promise<number> {
  const [row] = await db.orm.select({ made: count() }).from(invitations).where(eq(invitations.orgId, orgId));
  return row?.made ?? 0;
}

export async function insertInvitation(tx: Tx, row: typeof invitations.$inferInsert): Promise<void> {
  await tx.orm.insert(invitations).values(row);
}

export async function findInvitation(db: Db, orgId: OrgId, id: InvitationId): Promise<InvitationRow | undefined> {
  const [row] = await db.orm
    .select()
    .from(invitations)
    .where(and(eq(invitations.orgId, orgId), eq(invitations.id, id)));
  return row;
}

/** Replaces the link of an invitation. The former link stops working. */
export async function renewInvitation(
  tx: Tx,
  id: InvitationId,
  link: Pick<InvitationRow, 'hash' | 'expiresAt' | 'invitedBy'>,
): Promise<void> {
  await tx.orm.update(invitations).set(link).where(eq(invitations.id, id));
}

export async function removeInvitation(tx: Tx, orgId: OrgId, id: InvitationId): Promise<InvitationRow | undefined> {
  const [row] = await tx.orm
    .delete(invitations)
    .where(and(eq(invitations.orgId, orgId), eq(invitations.id, id)))
    .returning();
  return row;
}

/**
 * Finds the invitation of a link that has not expired, with the name of its organisation. Undefined if the organisation
 * is being deleted.
 */
export async function findOpenInvitation(
  db: Db,
  hash: string,
  now: Date,
): Promise<{ readonly invitation: InvitationRow; readonly orgName: string } | undefined> {
  const [row] = await db.orm
    .select({ invitation: invitations, orgName: organizations.name })
    .from(invitations)
    .innerJoin(organizations, eq(organizations.id, invitations.orgId))
    .where(and(eq(invitations.hash, hash), gt(invitations.expiresAt, now), isNull(organizations.deletesAt)));
  return row;
}

/**
 * Uses up a link. Resolves to false if the link was used before or has expired. If several callers use it at once, only
 * one gets true.
 */
export async function spendInvitation(tx: Tx, hash: string, now: Date): Promise<boolean> {
  const spent = await tx.orm
    .delete(invitations)
    .where(and(eq(invitations.hash, hash), gt(invitations.expiresAt, now)))
    .returning({ id: invitations.id });
  return spent.length > 0;
}
