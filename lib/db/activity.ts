import { and, desc, eq, isNull, sql } from 'drizzle-orm';
import type { Account } from '../domain/caller';
import type { Db } from './database';
import { holds, messages, meters, videos } from './schema/index';

// An account's recent work, across all kinds of work. Each kind has its own table and index, so each
// is queried separately; the results are small.

export async function listLatestVideos(db: Db, { orgId, mode }: Account, limit: number) {
  return db.orm
    .select({
      id: videos.id,
      model: videos.model,
      status: videos.status,
      quote: videos.quoteNanoUsd,
      cost: videos.costNanoUsd,
      at: videos.createdAt,
    })
    .from(videos)
    .where(and(eq(videos.orgId, orgId), eq(videos.mode, mode), isNull(videos.deletedAt)))
    .orderBy(desc(videos.createdAt), desc(videos.id))
    .limit(limit);
}

export async function listLatestMessages(db: Db, { orgId, mode }: Account, limit: number) {
  return db.orm
    .select({
      id: messages.id,
      model: messages.model,
      outcome: messages.outcome,
      cost: messages.costNanoUsd,
      at: messages.createdAt,
    })
    .from(messages)
    .where(and(eq(messages.orgId, orgId), eq(messages.mode, mode)))
    .orderBy(desc(messages.createdAt), desc(messages.id))
    .limit(limit);
}

export async function listLatestMeters(db: Db, { orgId, mode }: Account, limit: number) {
  return db.orm
    .select({
      id: meters.id,
      kind: meters.kind,
      model: meters.model,
      outcome: meters.outcome,
      accrued: meters.accruedNanoUsd,
      cost: meters.costNanoUsd,
      endedAt: meters.endedAt,
      at: meters.startedAt,
    })
    .from(meters)
    .where(and(eq(meters.orgId, orgId), eq(meters.mode, mode)))
    .orderBy(desc(meters.startedAt))
    .limit(limit);
}

/** The number of videos, messages and sessions that hold credits now. */
export async function countOpenHolds(db: Db, { orgId, mode }: Account): Promise<number> {
  const [row] = await db.orm
    .select({ count: sql<number>`count(*)`.mapWith(Number) })
    .from(holds)
    .where(and(eq(holds.orgId, orgId), eq(holds.mode, mode), eq(holds.state, 'open')));
  return row?.count ?? 0;
}
