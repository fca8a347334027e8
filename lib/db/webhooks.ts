import { and, desc, eq, inArray, sql } from 'drizzle-orm';
import type { Account } from '../domain/caller';
import type { DeliveryId, VideoId } from '../domain/ids';
import type { Db } from './database';
import { webhookAttempts, webhookDeliveries, type DeliveryState } from './schema/index';

// Queries about webhook deliveries and their attempts.

export type DeliveryRow = typeof webhookDeliveries.$inferSelect;
export type DeliveryAttemptRow = typeof webhookAttempts.$inferSelect;

const isOf = (account: Account) =>
  and(eq(webhookDeliveries.orgId, account.orgId), eq(webhookDeliveries.mode, account.mode));
const LIST_LIMIT = 100;

export async function insertDelivery(db: Db, delivery: typeof webhookDeliveries.$inferInsert): Promise<void> {
  await db.orm.insert(webhookDeliveries).values(delivery);
}

export async function findDelivery(db: Db, id: DeliveryId): Promise<DeliveryRow | undefined> {
  const [row] = await db.orm.select().from(webhookDeliveries).where(eq(webhookDeliveries.id, id));
  return row;
}

/** The account's newest deliveries, of one video or of all. */
export async function listDeliveries(db: Db, account: Account, videoId?: VideoId): Promise<DeliveryRow[]> {
  return db.orm
    .select()
    .from(webhookDeliveries)
    .where(and(isOf(account), videoId === undefined ? undefined : eq(webhookDeliveries.videoId, videoId)))
    .orderBy(desc(webhookDeliveries.createdAt), desc(webhookDeliveries.id))
    .limit(LIST_LIMIT);
}

export async function listDeliveryAttempts(db: Db, ids: readonly DeliveryId[]): Promise<DeliveryAttemptRow[]> {
  if (ids.length === 0) return [];
  return db.orm
    .select()
    .from(webhookAttempts)
    .where(inArray(webhookAttempts.deliveryId, [...ids]))
    .orderBy(webhookAttempts.attempt);
}

/** Records an attempt and updates the delivery; false if this attempt was already recorded. */
export async function recordAttempt(
  db: Db,
  attempt: typeof webhookAttempts.$inferInsert,
  next: { state: DeliveryState; nextAttemptAt: Date | null; finishedAt: Date | null },
): Promise<boolean> {
  const moved = await db.orm
    .update(webhookDeliveries)
    .set({ ...next, attempts: attempt.attempt })
    .where(and(eq(webhookDeliveries.id, attempt.deliveryId), eq(webhookDeliveries.attempts, attempt.attempt - 1)))
    .returning({ id: webhookDeliveries.id });
  if (moved.length === 0) return false;
  await db.orm.insert(webhookAttempts).values(attempt);
  return true;
}

/**
 * Reopens the account's delivery for another attempt now; undefined if it is another account's or its body was deleted.
 */
export async function reopenDelivery(
  db: Db,
  account: Account,
  id: DeliveryId,
  now: Date,
): Promise<DeliveryRow | undefined> {
  const [row] = await db.orm
    .update(webhookDeliveries)
    .set({ state: 'pending', nextAttemptAt: now, finishedAt: null })
    .where(and(eq(webhookDeliveries.id, id), isOf(account), sql`${webhookDeliveries.body} is not null`))
    .returning();
  return row;
}

/** Ends a pending delivery. */
export async function failDelivery(db: Db, id: DeliveryId, at: Date): Promise<void> {
  await db.orm
    .update(webhookDeliveries)
    .set({ state: 'failed', nextAttemptAt: null, finishedAt: at })
    .where(and(eq(webhookDeliveries.id, id), eq(webhookDeliveries.state, 'pending')));
}

/** Deletes the bodies of a deleted video's deliveries and ends the pending ones; the record of attempts stays. */
export async function eraseDeliveries(db: Db, videoId: VideoId, at: Date): Promise<void> {
  const isOfVideo = eq(webhookDeliveries.videoId, videoId);
  await db.orm.update(webhookDeliveries).set({ body: null }).where(isOfVideo);
  await db.orm
    .update(webhookDeliveries)
    .set({ state: 'failed', nextAttemptAt: null, finishedAt: at })
    .where(and(isOfVideo, eq(webhookDeliveries.state, 'pending')));
}
