import { and, eq, gt, isNull, lt, sql } from 'drizzle-orm';
import type { KeyPolicy } from '../domain/caller';
import type { KeyId, SignInId } from '../domain/ids';
import type { LimitValues } from '../domain/limits';
import type { Db } from './database';
import { apiKeys, signIns, socketTickets } from './schema/index';

export type TicketRow = typeof socketTickets.$inferSelect;

// The times of a ticket are the database's: the machine that redeems it may have another clock than the one that made it.

/**
 * Inserts a ticket that lives for this long, and returns when it expires. `signInId`: the sign-in of the person who
 * requested it, if a person did.
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

/** Uses a ticket of that path that is unused and has not expired; undefined if there is none. */
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

/** Removes those that have expired this long ago. */
export async function removeOldTickets(db: Db, expiredMs: number): Promise<void> {
  await db.orm
    .delete(socketTickets)
    .where(lt(socketTickets.expiresAt, sql`now() - ${expiredMs}::float8 * interval '1 millisecond'`));
}

/** The policy of a key that is still valid, with its limits; otherwise undefined. */
export async function findPolicyOfKey(
  db: Db,
  id: KeyId,
): Promise<{ readonly policy: KeyPolicy; readonly limits: LimitValues | null } | undefined> {
  const [key] = await db.orm
    .select()
    .from(apiKeys)
    .where(and(eq(apiKeys.id, id), isNull(apiKeys.revokedAt), isNull(apiKeys.disabledAt)));
  if (!key) return undefined;
  const policy = {
    scopes: key.scopes,
    ...(key.allowedModels ? { allowedModels: key.allowedModels } : {}),
    ...(key.allowedProviders ? { allowedProviders: key.allowedProviders } : {}),
    ...(key.allowedEndpoints ? { allowedEndpoints: key.allowedEndpoints } : {}),
    ...(key.allowedAddresses ? { allowedAddresses: key.allowedAddresses } : {}),
  };
  return { policy, limits: key.limits };
}
