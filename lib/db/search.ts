import { and, desc, eq, isNull, sql, type SQL } from 'drizzle-orm';
import type { OrgId } from '../domain/ids';
import type { Db } from './database';
import { apiKeys, videos } from './schema/index';
import { idBeginsWith } from './id-prefix';

// The console's search in an organisation's own rows, newest first.

/** Finds keys that were not revoked and whose name contains `text`. */
export async function searchKeys(db: Db, orgId: OrgId, text: string, limit: number) {
  return (
    db.orm
      .select({
        id: apiKeys.id,
        name: apiKeys.name,
        mode: apiKeys.mode,
        prefix: apiKeys.prefix,
        lastFour: apiKeys.lastFour,
      })
      .from(apiKeys)
      // Not `like`: a name may contain its wildcards.
      .where(
        and(
          eq(apiKeys.orgId, orgId),
          isNull(apiKeys.revokedAt),
          sql`position(lower(${text}) in lower(${apiKeys.name})) > 0`,
        ),
      )
      .orderBy(desc(apiKeys.createdAt))
      .limit(limit)
  );
}

/** Finds videos of both modes whose id begins with `prefix`. */
export async function searchVideos(db: Db, orgId: OrgId, prefix: string, limit: number) {
  return listFoundVideos(db, orgId, idBeginsWith(videos.id, prefix), limit);
}

/** Finds videos of both modes that the request with this id created. */
export async function searchVideosOfRequest(db: Db, orgId: OrgId, requestId: string, limit: number) {
  return listFoundVideos(db, orgId, eq(videos.requestId, requestId), limit);
}

async function listFoundVideos(db: Db, orgId: OrgId, isFound: SQL | undefined, limit: number) {
  return db.orm
    .select({ id: videos.id, model: videos.model, mode: videos.mode })
    .from(videos)
    .where(and(eq(videos.orgId, orgId), isNull(videos.deletedAt), isFound))
    .orderBy(desc(videos.createdAt))
    .limit(limit);
}
