import { sql, type SQL } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';

// Keyset pagination: a list ordered by (time, id) continues after the last row of the previous page.

/**
 * Returns a condition: the row follows this one in the list. It is a row comparison, so that an index on the two
 * columns starts at the right place. For the equivalent `a < x or (a = x and b < y)` Postgres reads and discards all
 * rows of the earlier pages.
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
