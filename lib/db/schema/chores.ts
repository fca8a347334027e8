import { pgTable, text } from 'drizzle-orm/pg-core';
import { instant } from './instant';

/**
 * Periodic work that one process at a time does for all processes (lib/housekeeping/chores.ts). A row and not an
 * advisory lock: behind a connection pooler a session lock has no owner, and a transaction lock would keep a
 * transaction open for the whole run.
 */
export const chores = pgTable('chores', {
  name: text().primaryKey(),
  /** A random token of the process that took it last. */
  holder: text().notNull(),
  /** Due at this time, by the database's clock. While the chore runs, this is the end of the lease. */
  dueAt: instant('due_at').notNull(),
});
