import { and, gte, lt, sql, type SQL } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';

/**
 * Returns a condition: the hexadecimal id begins with this text. It is a range, so that the index can be used; in most
 * collations `starts_with` alone cannot use it. No character of such an id sorts after "y" in any collation.
 */
export function idBeginsWith(id: PgColumn, prefix: string): SQL | undefined {
  return and(gte(id, sql`${prefix}`), lt(id, sql`${`${prefix}z`}`), sql`starts_with(${id}, ${prefix})`);
}
