import { and, eq, gt, isNull, lt, sql } from 'drizzle-orm';
import type { KeyId, SignInId } from '../domain/ids';
import type { Db } from './database';
import { foundKeys, type FoundKey } from './keys';
import { apiKeys, signIns, socketTickets } from './schema/index';

export type TicketRow = typeof socketTickets.$inferSelect;

// The times of a ticket come from the database's clock, because the machines that create and redeem it may have
// different clocks.

/**
 * Inserts a ticket that lives for this long, and returns when it expires. `signInId` is the sign-in of the person who
 * requested it; absent if a key did.
 */
export async function insertTicket(
  db: Db,
  livesMs: number,
  {
    signInId,
    ...row
  }: Omit<typeof socketTickets.$inferInsert, 'signInOrigin' | 'expiresAt'> & {
    readonly signInId?: SignInId | undefined;
  },
): Promise<Date> {
  const signInOrigin =
    signInId === undefined ? null : sql`(select ${signIns.originId} from ${signIns} where ${signIns.id} = ${signInId})`;
  const [inserted] = await db.orm
    .insert(socketTickets)
    .values({ ...row, signInOrigin, expiresAt: sql`now() + ${livesMs}::float8 * interval '1 millisecond'` })
    .returning({ expiresAt: socketTickets.expiresAt });
  // Safe: an insert without a conflict clause returns its row.
  return inserted!.expiresAt;
}

/** Uses up a ticket for that path; undefined if it was used before, has expired or does not exist. */
export async function spendTicket(db: Db, hash: string, path: string): Promise<TicketRow | undefined> {
  const [row] = await db.orm
    .update(socketTickets)
    .set({ spentAt: sql`now()` })
    .where(
      and(
        eq(socketTickets.hash, hash),
        eq(socketTickets.path, path),
        isNull(socketTickets.spentAt),
        gt(socketTickets.expiresAt, sql`now()`),
      ),
    )
    .returning();
  return row;
}

/** Removes tickets that expired at least this long ago. */
export async function removeOldTickets(db: Db, expiredMs: number): Promise<void> {
  await db.orm
    .delete(socketTickets)
    .where(lt(socketTickets.expiresAt, sql`now() - ${expiredMs}::float8 * interval '1 millisecond'`));
}

/** Finds a key that is neither revoked nor disabled, with its project and organisation. */
export async function findUsableKey(db: Db, id: KeyId): Promise<FoundKey | undefined> {
  const [row] = await foundKeys(db).where(
    and(eq(apiKeys.id, id), isNull(apiKeys.revokedAt), isNull(apiKeys.disabledAt)),
  );
  return row;
}
