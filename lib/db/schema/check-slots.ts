import { pgTable, text, timestamp } from 'drizzle-orm/pg-core';

/** When the next check may be sent to a provider that limits them; one row for all processes. */
export const checkSlots = pgTable('check_slots', {
  provider: text().primaryKey(),
  /** By the database's clock. Every check that was reserved is before this time. */
  nextAt: timestamp('next_at', { withTimezone: true, mode: 'date' }).notNull(),
});
