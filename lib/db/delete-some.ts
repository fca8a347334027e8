import { sql, type SQL } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import type { Db } from './database';

/**
 * Deletes at most `limit` rows, so that no statement takes long, however many there are. Resolves to false if there were
 * no more.
 */
export async function deleteSome(db: Db, table: PgTable, which: SQL | undefined, limit: number): Promise<boolean> {
  const some = db.orm
    .select({ place: sql`ctid` })
    .from(table)
    .where(which)
    .limit(limit);
  const { rowCount } = await db.orm.delete(table).where(sql`ctid = any(array(${some}))`);
  return rowCount === limit;
}
