import { pgTable, text, timestamp } from 'drizzle-orm/pg-core';

/**
 * Work that one process at a time does for all of them (lib/housekeeping/chores.ts). A row and no advisory lock: behind a connection pooler
 * a lock of a session belongs to nobody, and one of a transaction would keep that open for as long as the work takes.
 */
export const chores = pgTable('chores', {
  name: text().primaryKey(),
  /** A random word of the process that took it last. */
  holder: text().notNull(),
  /** Nobody takes it before; by the clock of the database. While it is being done this is the end of the holder's lease. */
  dueAt: timestamp('due_at', { withTimezone: true, mode: 'date' }).notNull(),
});
