import { and, eq, gt, isNull, lt, sql } from 'drizzle-orm';
import type { KeyPolicy } from '../domain/caller';
import type { KeyId, SignInId } from '../domain/ids';
import type { Db } from './database';
import { apiKeys, signIns, socketTickets } from './schema/index';

export type TicketRow = typeof socketTickets.$inferSelect;

/** `signInId`: the sign-in of the person who requested it, if a person did. */
export async function insertTicket(
  db: Db,
  {
    signInId,
    ...row
  }: Omit<typeof socketTickets.$inferInsert, 'signInOrigin'> & { readonly signInId?: SignInId | undefined },
): Promise<void> {
  const signInOrigin =
    signInId === undefined ? null : sql`(select ${signIns.originId} from ${signIns} where ${signIns.id} = ${signInId})`;
  await db.orm.insert(socketTickets).values({ ...row, signInOrigin });
}

/** Uses a ticket of that path that is unused and has not expired; undefined if there is none. */
export async function spendTicket(db: Db, hash: string, path: string, now: Date): Promise<TicketRow | undefined> {
  const [row] = await db.orm
    .update(socketTickets)
    .set({ spentAt: now })
    .where(
      and(
        eq(socketTickets.hash, hash),
        eq(socketTickets.path, path),
        isNull(socketTickets.spentAt),
        gt(socketTickets.expiresAt, now),
      ),
    )
    .returning();
  return row;
}

export async function removeOldTickets(db: Db, expiredBefore: Date): Promise<void> {
  await db.orm.delete(socketTickets).where(lt(socketTickets.expiresAt, expiredBefore));
}

/** The policy of a key that is still valid; otherwise undefined. */
export async function findPolicyOfKey(db: Db, id: KeyId): Promise<KeyPolicy | undefined> {
  const [key] = await db.orm
    .select()
    .from(apiKeys)
    .where(and(eq(apiKeys.id, id), isNull(apiKeys.revokedAt), isNull(apiKeys.disabledAt)));
  if (!key) return undefined;
  return {
    scopes: key.scopes,
    ...(key.allowedModels ? { allowedModels: key.allowedModels } : {}),
    ...(key.allowedProviders ? { allowedProviders: key.allowedProviders } : {}),
    ...(key.allowedEndpoints ? { allowedEndpoints: key.allowedEndpoints } : {}),
    ...(key.allowedAddresses ? { allowedAddresses: key.allowedAddresses } : {}),
  };
}
