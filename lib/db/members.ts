import { and, asc, count, eq, ne } from 'drizzle-orm';
import type { Role } from '../domain/caller';
import type { OrgId, UserId } from '../domain/ids';
import type { Db, Tx } from './database';
import { invitations, members, organizations, users } from './schema/accounts';

// The members of an organisation. Changes run in a transaction that has locked the organisation (`lockOrganization`), so
// that two of them cannot both leave it without an owner.

export interface MemberRow {
  readonly userId: UserId;
  readonly email: string;
  readonly name: string | null;
  readonly role: Role;
  readonly joinedAt: Date;
  readonly lastSeenAt: Date | null;
}

const columns = {
  userId: users.id,
  email: users.email,
  name: users.name,
  role: members.role,
  joinedAt: members.createdAt,
  lastSeenAt: members.lastSeenAt,
};

/** Lists the members. The one that joined first comes first. */
export async function listMembers(db: Db, orgId: OrgId): Promise<MemberRow[]> {
  return db.orm
    .select(columns)
    .from(members)
    .innerJoin(users, eq(users.id, members.userId))
    .where(eq(members.orgId, orgId))
    .orderBy(asc(members.createdAt), asc(members.userId));
}

export async function findMember(db: Db, orgId: OrgId, userId: UserId): Promise<MemberRow | undefined> {
  const [row] = await db.orm
    .select(columns)
    .from(members)
    .innerJoin(users, eq(users.id, members.userId))
    .where(and(eq(members.orgId, orgId), eq(members.userId, userId)));
  return row;
}

/** Whether the organisation has an owner besides this person. */
export async function hasOtherOwner(db: Db, orgId: OrgId, userId: UserId): Promise<boolean> {
  const rows = await db.orm
    .select({ userId: members.userId })
    .from(members)
    .where(and(eq(members.orgId, orgId), eq(members.role, 'owner'), ne(members.userId, userId)))
    .limit(1);
  return rows.length > 0;
}

export async function setRole(tx: Tx, orgId: OrgId, userId: UserId, role: Role): Promise<void> {
  await tx.orm
    .update(members)
    .set({ role })
    .where(and(eq(members.orgId, orgId), eq(members.userId, userId)));
}

export async function removeMember(tx: Tx, orgId: OrgId, userId: UserId): Promise<void> {
  await tx.orm.delete(members).where(and(eq(members.orgId, orgId), eq(members.userId, userId)));
}

/** Adds a person. Resolves to false if there is already a person with this e-mail address. */
export async function addPerson(tx: Tx, row: typeof users.$inferInsert): Promise<boolean> {
  const added = await tx.orm.insert(users).values(row).onConflictDoNothing().returning({ id: users.id });
  return added.length > 0;
}

/** Adds a member. Resolves to false if the person is already a member. */
export async function addMember(tx: Tx, row: typeof members.$inferInsert): Promise<boolean> {
  const added = await tx.orm.insert(members).values(row).onConflictDoNothing().returning({ orgId: members.orgId });
  return added.length > 0;
}

/** Withdraws the invitations that this person has made; with `role`, only those for this role. */
export async function removeInvitationsBy(tx: Tx, orgId: OrgId, userId: UserId, role?: Role): Promise<void> {
  await tx.orm
    .delete(invitations)
    .where(
      and(
        eq(invitations.orgId, orgId),
        eq(invitations.invitedBy, userId),
        role === undefined ? undefined : eq(invitations.role, role),
      ),
    );
}

export async function touchMember(db: Db, orgId: OrgId, userId: UserId, at: Date): Promise<void> {
  await db.orm
    .update(members)
    .set({ lastSeenAt: at })
    .where(and(eq(members.orgId, orgId), eq(members.userId, userId)));
}

/** Returns how many organisations the person owns, including those that are being deleted. */
export async function countOwned(db: Db, userId: UserId): Promise<number> {
  const [row] = await db.orm
    .select({ owned: count() })
    .from(members)
    .innerJoin(organizations, eq(organizations.id, members.orgId))
    .where(and(eq(members.userId, userId), eq(members.role, 'owner')));
  return row?.owned ?? 0;
}
