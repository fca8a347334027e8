import { and, gte, lt, sql, type SQL } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';

/**
 * Does an id in hexadecimal begin with this text? The range lets the index be used, which `starts_with` alone cannot in
 * most collations. No character of such an id sorts after "y" in any collation.
 */
export function idBeginsWith(id: PgColumn, prefix: string): SQL | undefined {
  return and(gte(id, sql`${prefix}`), lt(id, sql`${`${prefix}z`}`), sql`starts_with(${id}, ${prefix})`);
}
