import { bigint, pgTable, text } from 'drizzle-orm/pg-core';
import { instant } from './instant';

/** What was spent in the current minute of a limit, counted here without Redis (lib/db/spend-windows.ts). */
export const spendWindows = pgTable('spend_windows', {
  /** The name of the counter (lib/limits/limits.ts). */
  name: text().primaryKey(),
  /** In billionths of a dollar. */
  spent: bigint({ mode: 'bigint' }).notNull(),
  endsAt: instant('ends_at').notNull(),
});
