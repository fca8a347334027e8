import { and, eq, gt } from 'drizzle-orm';
import type { UserId } from '../domain/ids';
import type { Db } from './database';
import { identities, signInLinks } from './schema/index';

export async function findIdentity(db: Db, service: string, accountId: string): Promise<UserId | undefined> {
  const [row] = await db.orm
    .select({ userId: identities.userId })
    .from(identities)
    .where(and(eq(identities.service, service), eq(identities.accountId, accountId)));
  return row?.userId;
}

/** Keeps the first person when two sign-ins arrive at once. */
export async function insertIdentity(db: Db, identity: typeof identities.$inferInsert): Promise<void> {
  await db.orm.insert(identities).values(identity).onConflictDoNothing();
}

export async function insertSignInLink(db: Db, link: typeof signInLinks.$inferInsert): Promise<void> {
  await db.orm.insert(signInLinks).values(link);
}

/** Spends a link that nobody has spent and that has not expired; whose it was, or undefined. */
export async function spendSignInLink(db: Db, hash: string, now: Date): Promise<UserId | undefined> {
  const [row] = await db.orm
    .delete(signInLinks)
    .where(and(eq(signInLinks.hash, hash), gt(signInLinks.expiresAt, now)))
    .returning({ userId: signInLinks.userId });
  return row?.userId;
}
