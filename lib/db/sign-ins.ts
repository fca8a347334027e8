import { and, eq, gt, lt, or, sql } from 'drizzle-orm';
import type { SignInId, UserId } from '../domain/ids';
import type { Db } from './database';
import { identities, signInLinks, signIns } from './schema/index';

export async function findIdentity(db: Db, service: string, accountId: string): Promise<UserId | undefined> {
  const [row] = await db.orm
    .select({ userId: identities.userId })
    .from(identities)
    .where(and(eq(identities.service, service), eq(identities.accountId, accountId)));
  return row?.userId;
}

/** Lists the external services that the person can sign in with. */
export async function listServicesOf(db: Db, userId: UserId): Promise<string[]> {
  const rows = await db.orm
    .selectDistinct({ service: identities.service })
    .from(identities)
    .where(eq(identities.userId, userId));
  return rows.map(({ service }) => service);
}

/** Connects an external account to a person. If two sign-ins arrive at once, the person of the first one is kept. */
export async function insertIdentity(db: Db, identity: typeof identities.$inferInsert): Promise<void> {
  await db.orm.insert(identities).values(identity).onConflictDoNothing();
}

export async function insertSignInLink(db: Db, link: typeof signInLinks.$inferInsert): Promise<void> {
  await db.orm.insert(signInLinks).values(link);
}

/** Uses up a link and returns its person; undefined if the link was used before or has expired. */
export async function spendSignInLink(db: Db, hash: string, now: Date): Promise<UserId | undefined> {
  const [row] = await db.orm
    .delete(signInLinks)
    .where(and(eq(signInLinks.hash, hash), gt(signInLinks.expiresAt, now)))
    .returning({ userId: signInLinks.userId });
  return row?.userId;
}

export async function insertSignIn(db: Db, signIn: typeof signIns.$inferInsert): Promise<void> {
  await db.orm.insert(signIns).values(signIn);
}

export async function touchSignIn(db: Db, id: SignInId, at: Date): Promise<void> {
  await db.orm.update(signIns).set({ lastSeenAt: at }).where(eq(signIns.id, id));
}

/** Ends a sign-in at that time, unless it ends earlier. Returns its origin if it belongs to `userId`. */
export async function expireSignIn(db: Db, id: SignInId, userId: UserId, at: Date): Promise<SignInId | undefined> {
  const [row] = await db.orm
    .update(signIns)
    .set({ expiresAt: sql`least(${signIns.expiresAt}, ${at.toISOString()}::timestamptz)` })
    .where(eq(signIns.id, id))
    .returning({ userId: signIns.userId, originId: signIns.originId });
  return row?.userId === userId ? row.originId : undefined;
}

export async function removeSignIn(db: Db, id: SignInId): Promise<void> {
  await db.orm.delete(signIns).where(eq(signIns.id, id));
}

/**
 * Deletes sign-ins that have expired, were not used since `seenBefore`, or were ended together with all sign-ins of
 * their person.
 */
export async function removeEndedSignIns(db: Db, now: Date, seenBefore: Date): Promise<void> {
  const ended = sql`not exists (select 1 from users where users.id = ${signIns.userId} and users.session_version = ${signIns.sessionVersion})`;
  await db.orm.delete(signIns).where(or(lt(signIns.expiresAt, now), lt(signIns.lastSeenAt, seenBefore), ended));
}
