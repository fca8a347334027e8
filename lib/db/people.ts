import { and, asc, eq, gt, inArray, isNull, sql } from 'drizzle-orm';
import type { Role } from '../domain/caller';
import type { OrgId, SignInId, UserId } from '../domain/ids';
import type { LimitOverrides } from '../domain/limits';
import type { Db, Tx } from './database';
import { members, organizations, users } from './schema/accounts';
import { signIns } from './schema/sign-ins';

/** A person with their organisations. */
export interface PersonRow {
  readonly userId: UserId;
  readonly email: string;
  readonly name: string | null;
  readonly passwordHash: string | null;
  readonly emailVerifiedAt: Date | null;
  readonly sessionVersion: number;
  /** Since when the person operates the installation; null: they do not. */
  readonly operatorSince: Date | null;
  /** The one that they joined first comes first; empty for a person who has left all. */
  readonly memberships: readonly MembershipRow[];
}

export interface MembershipRow {
  readonly orgId: OrgId;
  readonly orgName: string;
  /** Whether the operator has suspended the organisation. */
  readonly orgSuspended: boolean;
  readonly orgDeletesAt: Date | null;
  readonly orgLimits: LimitOverrides | null;
  readonly role: Role;
}

/** Finds a person by e-mail address, which must be in lower case. */
export async function findPersonByEmail(db: Db, email: string): Promise<PersonRow | undefined> {
  return personOf(
    await selectPeople(db)
      .where(eq(users.email, email))
      .orderBy(...membershipOrder),
  );
}

export async function findPerson(db: Db, userId: UserId): Promise<PersonRow | undefined> {
  return personOf(
    await selectPeople(db)
      .where(eq(users.id, userId))
      .orderBy(...membershipOrder),
  );
}

export interface SignInRow {
  readonly person: PersonRow;
  readonly signIn: typeof signIns.$inferSelect;
}

/**
 * Finds the sign-in with that id, unless all sign-ins of the person have been ended since. The caller checks the times.
 */
export async function findSignIn(db: Db, id: SignInId): Promise<SignInRow | undefined> {
  const rows = await db.orm
    .select({ person: personColumns, membership: membershipColumns, signIn: signIns })
    .from(signIns)
    .innerJoin(users, and(eq(users.id, signIns.userId), eq(users.sessionVersion, signIns.sessionVersion)))
    .leftJoin(members, eq(members.userId, users.id))
    .leftJoin(organizations, eq(organizations.id, members.orgId))
    .where(eq(signIns.id, id))
    .orderBy(...membershipOrder);
  const person = personOf(rows);
  return person && rows[0] && { person, signIn: rows[0].signIn };
}

const personColumns = {
  userId: users.id,
  email: users.email,
  name: users.name,
  passwordHash: users.passwordHash,
  emailVerifiedAt: users.emailVerifiedAt,
  sessionVersion: users.sessionVersion,
  operatorSince: users.operatorSince,
};

/** Null for a person who has left all organisations. */
const membershipColumns = {
  orgId: organizations.id,
  orgName: organizations.name,
  suspendedAt: organizations.suspendedAt,
  deletesAt: organizations.deletesAt,
  orgLimits: organizations.limits,
  role: members.role,
};

const membershipOrder = [asc(members.createdAt), asc(members.orgId)];

function selectPeople(db: Db) {
  return db.orm
    .select({ person: personColumns, membership: membershipColumns })
    .from(users)
    .leftJoin(members, eq(members.userId, users.id))
    .leftJoin(organizations, eq(organizations.id, members.orgId))
    .$dynamic();
}

interface JoinedRow {
  readonly person: Omit<PersonRow, 'memberships'>;
  readonly membership: {
    readonly orgId: OrgId | null;
    readonly orgName: string | null;
    readonly suspendedAt: Date | null;
    readonly deletesAt: Date | null;
    readonly orgLimits: LimitOverrides | null;
    readonly role: Role | null;
  };
}

function personOf(rows: readonly JoinedRow[]): PersonRow | undefined {
  const [first] = rows;
  if (!first) return undefined;
  const memberships = rows.flatMap(({ membership: { orgId, orgName, suspendedAt, deletesAt, orgLimits, role } }) =>
    orgId === null || orgName === null || role === null
      ? []
      : [{ orgId, orgName, orgSuspended: suspendedAt !== null, orgDeletesAt: deletesAt, orgLimits, role }],
  );
  return { ...first.person, memberships };
}

/**
 * Marks the e-mail address as verified and ends the sign-ins from before; a repeated call keeps the first time. Removes
 * the password of an account that was made with an invitation: someone else may have set it.
 */
export async function markEmailVerified(db: Db, userId: UserId, at: Date): Promise<void> {
  await db.orm
    .update(users)
    .set({
      emailVerifiedAt: at,
      sessionVersion: sql`${users.sessionVersion} + 1`,
      passwordHash: sql`case when ${users.invited} then null else ${users.passwordHash} end`,
    })
    .where(and(eq(users.id, userId), isNull(users.emailVerifiedAt)));
}

/** A sign-in and the organisation for which it is used. */
export interface SignInUse {
  readonly origin: SignInId;
  readonly orgId: OrgId;
}

/**
 * Returns those of these that are still valid: the sign-in has not ended, and its person is a member of the
 * organisation.
 */
export async function findLiveSignInUses(db: Db, uses: readonly SignInUse[], now: Date): Promise<readonly SignInUse[]> {
  if (uses.length === 0) return [];
  const origins = uses.map(({ origin }) => origin);
  const orgIds = uses.map(({ orgId }) => orgId);
  return db.orm
    .selectDistinct({ origin: signIns.originId, orgId: members.orgId })
    .from(signIns)
    .innerJoin(users, and(eq(users.id, signIns.userId), eq(users.sessionVersion, signIns.sessionVersion)))
    .innerJoin(members, eq(members.userId, users.id))
    .where(
      and(
        inArray(signIns.originId, [...new Set(origins)]),
        inArray(members.orgId, [...new Set(orgIds)]),
        gt(signIns.expiresAt, now),
      ),
    );
}

/** Ends all sign-ins of the person. A sign-in is valid only with the version that it was made with. */
export async function raiseSessionVersion(db: Db, userId: UserId): Promise<void> {
  await db.orm
    .update(users)
    .set({ sessionVersion: sql`${users.sessionVersion} + 1` })
    .where(eq(users.id, userId));
}

/** Sets the password and ends all sign-ins but this one. */
export async function setPassword(tx: Tx, userId: UserId, passwordHash: string, kept: SignInId): Promise<void> {
  const [person] = await tx.orm
    .update(users)
    .set({ passwordHash, sessionVersion: sql`${users.sessionVersion} + 1` })
    .where(eq(users.id, userId))
    .returning({ sessionVersion: users.sessionVersion });
  if (person) await tx.orm.update(signIns).set(person).where(eq(signIns.id, kept));
}

/** An arbitrary fixed number; the lock for creating the first person of an installation. */
const FIRST_PERSON_LOCK = 7_285_102;

/**
 * Locks the creation of the first person until the transaction ends: several instances may start, or several people
 * sign up, at once.
 */
export async function lockFirstPerson(tx: Tx): Promise<void> {
  await tx.query('select pg_advisory_xact_lock($1)', [FIRST_PERSON_LOCK]);
}

/** Whether there is any person or organisation. */
export async function hasPeople(db: Db): Promise<boolean> {
  const { rows } = await db.query(
    'select exists (select 1 from users) or exists (select 1 from organizations) as found',
  );
  return rows[0]?.found === true;
}

export async function insertOrganization(tx: Tx, organization: typeof organizations.$inferInsert): Promise<void> {
  await tx.orm.insert(organizations).values(organization);
}

/** Adds a new person and makes them a member. */
export async function insertMember(
  tx: Tx,
  orgId: OrgId,
  role: Role,
  person: typeof users.$inferInsert & { readonly createdAt: Date },
): Promise<void> {
  await tx.orm.insert(users).values(person);
  await tx.orm.insert(members).values({ orgId, userId: person.id, role, createdAt: person.createdAt });
}

/** Locks the person against other lockers until the transaction ends; they can still be read. */
export async function lockPerson(tx: Tx, userId: UserId): Promise<void> {
  await tx.orm.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('no key update');
}

/** Locks the organisation against other lockers until the transaction ends; it can still be read. */
export async function lockOrganization(tx: Tx, orgId: OrgId): Promise<void> {
  await tx.orm
    .select({ id: organizations.id })
    .from(organizations)
    .where(eq(organizations.id, orgId))
    .for('no key update');
}
