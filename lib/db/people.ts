import { and, eq, gt, inArray, isNull, sql } from 'drizzle-orm';
import type { Role } from '../domain/caller';
import type { OrgId, SignInId, UserId } from '../domain/ids';
import type { LimitOverrides } from '../domain/limits';
import type { Db, Tx } from './database';
import { members, organizations, users } from './schema/accounts';
import { signIns } from './schema/sign-ins';

/** A person with their organisation. */
export interface PersonRow {
  readonly userId: UserId;
  readonly email: string;
  readonly name: string | null;
  readonly passwordHash: string | null;
  readonly emailVerifiedAt: Date | null;
  readonly sessionVersion: number;
  readonly orgId: OrgId;
  readonly orgName: string;
  readonly orgSuspended: boolean;
  readonly orgLimits: LimitOverrides | null;
  readonly role: Role;
}

/** `email` in lower case. */
export async function findPersonByEmail(db: Db, email: string): Promise<PersonRow | undefined> {
  const [row] = await selectPeople(db).where(eq(users.email, email)).orderBy(members.createdAt).limit(1);
  return row;
}

export async function findPerson(db: Db, userId: UserId): Promise<PersonRow | undefined> {
  const [row] = await selectPeople(db).where(eq(users.id, userId)).orderBy(members.createdAt).limit(1);
  return row;
}

export interface SignInRow {
  readonly person: PersonRow;
  readonly signIn: typeof signIns.$inferSelect;
}

/** The sign-in with that id, unless all sign-ins of the person have been ended since. The caller checks the times. */
export async function findSignIn(db: Db, id: SignInId): Promise<SignInRow | undefined> {
  const [row] = await db.orm
    .select({ person: personColumns, signIn: signIns })
    .from(signIns)
    .innerJoin(users, and(eq(users.id, signIns.userId), eq(users.sessionVersion, signIns.sessionVersion)))
    .innerJoin(members, eq(members.userId, users.id))
    .innerJoin(organizations, eq(organizations.id, members.orgId))
    .where(eq(signIns.id, id))
    .orderBy(members.createdAt)
    .limit(1);
  return row;
}

const personColumns = {
  userId: users.id,
  email: users.email,
  name: users.name,
  passwordHash: users.passwordHash,
  emailVerifiedAt: users.emailVerifiedAt,
  sessionVersion: users.sessionVersion,
  orgId: organizations.id,
  orgName: organizations.name,
  orgSuspended: sql<boolean>`${organizations.suspendedAt} is not null`,
  orgLimits: organizations.limits,
  role: members.role,
};

function selectPeople(db: Db) {
  return db.orm
    .select(personColumns)
    .from(users)
    .innerJoin(members, eq(members.userId, users.id))
    .innerJoin(organizations, eq(organizations.id, members.orgId))
    .$dynamic();
}

/** Marks the e-mail address as verified and ends the sign-ins from before; a repeated call keeps the first time. */
export async function markEmailVerified(db: Db, userId: UserId, at: Date): Promise<void> {
  await db.orm
    .update(users)
    .set({ emailVerifiedAt: at, sessionVersion: sql`${users.sessionVersion} + 1` })
    .where(and(eq(users.id, userId), isNull(users.emailVerifiedAt)));
}

/** The ones of these origins that still have a sign-in. */
export async function findLiveSignInOrigins(
  db: Db,
  origins: readonly SignInId[],
  now: Date,
): Promise<ReadonlySet<SignInId>> {
  if (origins.length === 0) return new Set();
  const rows = await db.orm
    .selectDistinct({ origin: signIns.originId })
    .from(signIns)
    .innerJoin(users, and(eq(users.id, signIns.userId), eq(users.sessionVersion, signIns.sessionVersion)))
    .where(and(inArray(signIns.originId, [...origins]), gt(signIns.expiresAt, now)));
  return new Set(rows.map(({ origin }) => origin));
}

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

/** Is there a person or an organisation at all? */
export async function hasPeople(db: Db): Promise<boolean> {
  const { rows } = await db.query(
    'select exists (select 1 from users) or exists (select 1 from organizations) as found',
  );
  return rows[0]?.found === true;
}

export async function insertOrganization(tx: Tx, organization: typeof organizations.$inferInsert): Promise<void> {
  await tx.orm.insert(organizations).values(organization);
}

export async function insertMember(
  tx: Tx,
  orgId: OrgId,
  role: Role,
  person: typeof users.$inferInsert & { readonly createdAt: Date },
): Promise<void> {
  await tx.orm.insert(users).values(person);
  await tx.orm.insert(members).values({ orgId, userId: person.id, role, createdAt: person.createdAt });
}

/** Locks the organisation against other lockers until the transaction ends; it can still be read. */
export async function lockOrganization(tx: Tx, orgId: OrgId): Promise<void> {
  await tx.orm
    .select({ id: organizations.id })
    .from(organizations)
    .where(eq(organizations.id, orgId))
    .for('no key update');
}
