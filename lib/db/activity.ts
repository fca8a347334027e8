import { and, eq, sql } from 'drizzle-orm';
import type { Account } from '../domain/caller';
import type { Db } from './database';
import { holds } from './schema/index';

/** Returns the number of videos, messages and sessions that hold credits now. */
export async function countOpenHolds(db: Db, { orgId, mode }: Account): Promise<number> {
  const [row] = await db.orm
    .select({ count: sql<number>`count(*)`.mapWith(Number) })
    .from(holds)
    .where(and(eq(holds.orgId, orgId), eq(holds.mode, mode), eq(holds.state, 'open')));
  return row?.count ?? 0;
}
