import { sql, type SQL } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';

// A list that is ordered by (time, id) goes on after the last row of the page before.

/**
 * Is a row beyond that one? As a comparison of rows, with which an index on the two columns begins at the right place;
 * `a < x or (a = x and b < y)` means the same, but Postgres reads and throws away all rows of the earlier pages for it.
 */
export function isBeyond(
  order: 'asc' | 'desc',
  time: PgColumn,
  id: PgColumn,
  last: { readonly time: Date; readonly id: string },
): SQL {
  const compared = order === 'asc' ? sql`>` : sql`<`;
  return sql`(${time}, ${id}) ${compared} (${sql.param(last.time, time)}, ${sql.param(last.id, id)})`;
}
