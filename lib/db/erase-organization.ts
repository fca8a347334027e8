import { and, eq, isNotNull, isNull, lte, notExists, sql } from 'drizzle-orm';
import type { OrgId, VideoId } from '../domain/ids';
import type { Db, Tx } from './database';
import { deleteSome } from './delete-some';
import { eraseContents, eraseSomeContents } from './kept-contents';
import { isBeyond } from './page';
import {
  alerts,
  apiKeys,
  holds,
  invitations,
  members,
  organizations,
  providerCredentials,
  videos,
  webhookDeliveries,
  webhookEndpoints,
} from './schema/index';
import { isUnfinished } from './videos';

// Erases an organisation that can no longer be restored. The rows that prove its balances stay: accounts, holds, the
// ledger, daily sums, and the rows of videos and keys that these refer to.

/** The place of an organisation in the order in which they are erased. */
export interface Erasable {
  readonly id: OrgId;
  readonly time: Date;
}

/**
 * Lists organisations that can no longer be restored and have no running work: no unfinished video and no held credits.
 * With `after`, those that follow it.
 */
export async function listErasable(db: Db, now: Date, limit: number, after?: Erasable): Promise<Erasable[]> {
  const { id, deletesAt } = organizations;
  const one = { one: sql`1` };
  const held = db.orm
    .select(one)
    .from(holds)
    .where(and(eq(holds.orgId, organizations.id), eq(holds.state, 'open')));
  const running = db.orm
    .select(one)
    .from(videos)
    .where(and(eq(videos.orgId, organizations.id), isUnfinished));
  const rows = await db.orm
    .select({ id, time: deletesAt })
    .from(organizations)
    .where(and(isDue(now), notExists(held), notExists(running), after && isBeyond('asc', deletesAt, id, after)))
    .orderBy(deletesAt, id)
    .limit(limit);
  // Safe: only an organisation with this time is due.
  return rows as Erasable[];
}

function isDue(now: Date) {
  return and(isNotNull(organizations.deletesAt), lte(organizations.deletesAt, now), isNull(organizations.erasedAt));
}

/** Lists videos of the organisation that still have contents. */
export async function listContents(db: Db, orgId: OrgId, limit: number): Promise<VideoId[]> {
  const rows = await db.orm
    .select({ id: videos.id })
    .from(videos)
    .where(and(eq(videos.orgId, orgId), isNull(videos.deletedAt)))
    .limit(limit);
  return rows.map(({ id }) => id);
}

/**
 * Erases at most `limit` rows of each table that may have too many for the statements of `eraseOrganization`. Resolves
 * to false if there were no more.
 */
export async function eraseSomeRows(db: Db, orgId: OrgId, limit: number): Promise<boolean> {
  const hadDeliveries = await deleteSome(db, webhookDeliveries, eq(webhookDeliveries.orgId, orgId), limit);
  const hadMessages = await eraseSomeContents(db, 'message', orgId, limit);
  const hadSessions = await eraseSomeContents(db, 'session', orgId, limit);
  return hadDeliveries || hadMessages || hadSessions;
}

/** Erases the organisation. Resolves to false if it was restored or erased in the meantime, or has new contents. */
export async function eraseOrganization(tx: Tx, orgId: OrgId, at: Date): Promise<boolean> {
  const contents = tx.orm
    .select({ one: sql`1` })
    .from(videos)
    .where(and(eq(videos.orgId, orgId), isNull(videos.deletedAt)));
  const erased = await tx.orm
    .update(organizations)
    .set({
      erasedAt: at,
      name: 'Deleted organisation',
      // Without a secret, nothing is signed for it any more.
      webhookSecret: '',
      previousWebhookSecret: null,
      previousWebhookSecretUntil: null,
      olderWebhookSecrets: [],
    })
    .where(and(eq(organizations.id, orgId), isDue(at), notExists(contents)))
    .returning({ id: organizations.id });
  if (erased.length === 0) return false;
  await tx.orm
    .update(apiKeys)
    .set({ revokedAt: at })
    .where(and(eq(apiKeys.orgId, orgId), isNull(apiKeys.revokedAt)));
  await tx.orm
    .update(providerCredentials)
    .set({ removedAt: at, sealed: null })
    .where(and(eq(providerCredentials.orgId, orgId), isNull(providerCredentials.removedAt)));
  await eraseContents(tx, 'message', orgId);
  await eraseContents(tx, 'session', orgId);
  await tx.orm.delete(webhookDeliveries).where(eq(webhookDeliveries.orgId, orgId));
  await tx.orm.delete(webhookEndpoints).where(eq(webhookEndpoints.orgId, orgId));
  await tx.orm.delete(alerts).where(eq(alerts.orgId, orgId));
  await tx.orm.delete(invitations).where(eq(invitations.orgId, orgId));
  await tx.orm.delete(members).where(eq(members.orgId, orgId));
  return true;
}
