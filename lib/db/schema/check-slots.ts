import { pgTable, text } from 'drizzle-orm/pg-core';
import { instant } from './instant';

/** When the next check may be sent to a provider that limits them; one row for all processes. */
export const checkSlots = pgTable('check_slots', {
  provider: text().primaryKey(),
  /** By the database's clock. Every check that was reserved is before this time. */
  nextAt: instant('next_at').notNull(),
});
