import { and, asc, desc, eq, getTableColumns, gte, inArray, lt, or, sql, type SQL } from 'drizzle-orm';
import type { Account } from '../domain/caller';
import { isId, type DeliveryId, type EndpointId, type VideoId } from '../domain/ids';
import type { Db, Tx } from './database';
import { isBeyond } from './page';
import { webhookAttempts, webhookDeliveries, webhookEndpoints, type DeliveryState } from './schema/index';

// Queries about webhook deliveries and their attempts.

export type DeliveryRow = typeof webhookDeliveries.$inferSelect;
export type DeliveryAttemptRow = typeof webhookAttempts.$inferSelect;

const isOf = (account: Account) =>
  and(eq(webhookDeliveries.orgId, account.orgId), eq(webhookDeliveries.mode, account.mode));
/** The maximum number of deliveries of one video, which has one for each endpoint. */
const LIST_LIMIT = 100;

export async function insertDeliveries(
  db: Db,
  deliveries: readonly (typeof webhookDeliveries.$inferInsert)[],
): Promise<void> {
  await db.orm.insert(webhookDeliveries).values([...deliveries]);
}

/** The URL to which a delivery is sent now: that of an endpoint may have been changed since. */
const currentUrl = sql<string>`coalesce((select ${webhookEndpoints.url} from ${webhookEndpoints}
  where ${webhookEndpoints.id} = ${webhookDeliveries.endpointId}), ${webhookDeliveries.url})`;

/** A condition: the delivery is to an endpoint that is paused. */
const isPaused = sql<boolean>`exists (select from ${webhookEndpoints}
  where ${webhookEndpoints.id} = ${webhookDeliveries.endpointId} and ${webhookEndpoints.pausedAt} is not null)`;

/** Finds a delivery, with the current URL of its endpoint, and whether that is paused. */
export async function findDelivery(db: Db, id: DeliveryId): Promise<(DeliveryRow & { isPaused: boolean }) | undefined> {
  const [row] = await db.orm
    .select({ ...getTableColumns(webhookDeliveries), url: currentUrl, isPaused })
    .from(webhookDeliveries)
    .where(eq(webhookDeliveries.id, id));
  return row;
}

/** Lists the newest deliveries of a video of the account. */
export async function listDeliveries(db: Db, account: Account, videoId: VideoId): Promise<DeliveryRow[]> {
  return searchDeliveries(db, account, { videoId }, { limit: LIST_LIMIT });
}

/** The filter of a list of deliveries. An absent field does not restrict it. */
export interface DeliveryFilter {
  readonly id?: DeliveryId;
  readonly videoId?: VideoId;
  /** The id of a delivery or of a video; another text matches nothing. */
  readonly search?: string;
  readonly endpointId?: EndpointId;
  readonly states?: readonly DeliveryState[];
  readonly from?: Date;
  readonly to?: Date;
}

/** Lists the account's matching deliveries, newest first; with `after`, only older ones. */
export async function searchDeliveries(
  db: Db,
  account: Account,
  filter: DeliveryFilter,
  { limit, after }: { readonly limit: number; readonly after?: Pick<DeliveryRow, 'id' | 'createdAt'> },
): Promise<DeliveryRow[]> {
  const { createdAt, id } = webhookDeliveries;
  return db.orm
    .select()
    .from(webhookDeliveries)
    .where(
      and(
        ...matching(account, filter),
        after && isBeyond('desc', createdAt, id, { time: after.createdAt, id: after.id }),
      ),
    )
    .orderBy(desc(createdAt), desc(id))
    .limit(limit);
}

function matching(account: Account, { id, videoId, search, endpointId, states, from, to }: DeliveryFilter) {
  return [
    isOf(account),
    id && eq(webhookDeliveries.id, id),
    videoId && eq(webhookDeliveries.videoId, videoId),
    search === undefined ? undefined : isNamed(search),
    endpointId && eq(webhookDeliveries.endpointId, endpointId),
    states && or(...states.map((state) => eq(webhookDeliveries.state, state))),
    from && gte(webhookDeliveries.createdAt, from),
    to && lt(webhookDeliveries.createdAt, to),
  ];
}

function isNamed(search: string): SQL {
  if (isId('video', search)) return eq(webhookDeliveries.videoId, search);
  return isId('delivery', search) ? eq(webhookDeliveries.id, search) : sql`false`;
}

export async function listDeliveryAttempts(db: Db, ids: readonly DeliveryId[]): Promise<DeliveryAttemptRow[]> {
  if (ids.length === 0) return [];
  return db.orm
    .select()
    .from(webhookAttempts)
    .where(inArray(webhookAttempts.deliveryId, [...ids]))
    .orderBy(webhookAttempts.attempt);
}

/**
 * Records an attempt and moves its delivery to `next`. Returns `ended` if the delivery has ended during the attempt,
 * because its endpoint was paused or removed, or its video was deleted; it then stays ended unless the receiver has
 * accepted it. Returns `known`, and changes nothing, if this attempt was recorded before.
 */
export async function recordAttempt(
  db: Db,
  attempt: typeof webhookAttempts.$inferInsert,
  next: { state: DeliveryState; url: string; nextAttemptAt: Date | null; finishedAt: Date | null },
): Promise<'moved' | 'ended' | 'known'> {
  const { deliveryId: id, attempt: attempts } = attempt;
  const isBefore = and(eq(webhookDeliveries.id, id), eq(webhookDeliveries.attempts, attempts - 1));
  const isOpen = next.state === 'delivered' ? undefined : eq(webhookDeliveries.state, 'pending');
  const update = async (values: Partial<DeliveryRow>, where: SQL | undefined): Promise<boolean> => {
    const updated = await db.orm
      .update(webhookDeliveries)
      .set(values)
      .where(where)
      .returning({ id: webhookDeliveries.id });
    return updated.length > 0;
  };
  // Locked, so that the delivery is not resent between the two updates.
  await db.orm
    .select({ id: webhookDeliveries.id })
    .from(webhookDeliveries)
    .where(eq(webhookDeliveries.id, id))
    .for('no key update');
  const isMoved = await update({ ...next, attempts }, and(isBefore, isOpen));
  if (!isMoved && !(await update({ attempts }, isBefore))) return 'known';
  await db.orm.insert(webhookAttempts).values(attempt);
  return isMoved ? 'moved' : 'ended';
}

/**
 * Whether the delivery can be sent: its body was not deleted with its video, and its endpoint, whose secret signs it,
 * was not removed and is not paused.
 */
const isSendable = sql`${webhookDeliveries.body} is not null and (${webhookDeliveries.endpointId} is null
  or exists (select from ${webhookEndpoints}
    where ${webhookEndpoints.id} = ${webhookDeliveries.endpointId} and ${webhookEndpoints.pausedAt} is null))`;

/**
 * Reopens the account's delivery for another attempt now. Undefined if it belongs to another account, or cannot be sent
 * again because its video or its endpoint was deleted, or its endpoint is paused.
 */
export async function reopenDelivery(
  db: Db,
  account: Account,
  id: DeliveryId,
  now: Date,
): Promise<DeliveryRow | undefined> {
  const [row] = await db.orm
    .update(webhookDeliveries)
    .set({ state: 'pending', url: currentUrl, nextAttemptAt: now, finishedAt: null })
    .where(and(eq(webhookDeliveries.id, id), isOf(account), isSendable))
    .returning();
  return row;
}

/**
 * Reopens at most `limit` of the account's matching deliveries that have ended, oldest first. Leaves out deliveries
 * that another transaction is reopening, and those that cannot be sent again.
 */
export async function reopenDeliveries(
  tx: Tx,
  account: Account,
  filter: DeliveryFilter,
  { now, limit }: { readonly now: Date; readonly limit: number },
): Promise<DeliveryRow[]> {
  const chosen = await tx.orm
    .select({ id: webhookDeliveries.id })
    .from(webhookDeliveries)
    .where(and(...matching(account, filter), isSendable))
    .orderBy(asc(webhookDeliveries.createdAt), asc(webhookDeliveries.id))
    .limit(limit)
    .for('update', { skipLocked: true });
  if (chosen.length === 0) return [];
  const ids = chosen.map(({ id }) => id);
  return tx.orm
    .update(webhookDeliveries)
    .set({ state: 'pending', url: currentUrl, nextAttemptAt: now, finishedAt: null })
    .where(inArray(webhookDeliveries.id, ids))
    .returning();
}

/** Ends a pending delivery without another attempt. */
export async function endDelivery(
  db: Db,
  id: DeliveryId,
  state: Extract<DeliveryState, 'disabled' | 'failed'>,
  at: Date,
): Promise<void> {
  await db.orm
    .update(webhookDeliveries)
    .set({ state, nextAttemptAt: null, finishedAt: at })
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
