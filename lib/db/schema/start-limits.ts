import { integer, pgTable, text } from 'drizzle-orm/pg-core';
import { instant } from './instant';

/** How many videos an account at a provider may run, learned from its refusals (lib/videos/start-slots.ts). */
export const startLimits = pgTable('start_limits', {
  /** As in the column `account` of `waiting_starts`. */
  queue: text().primaryKey(),
  /** The number of running videos up to which others may be started. */
  running: integer().notNull(),
  /** The number of running videos of all models of the account when it last refused a start. */
  runningAtAccount: integer('running_at_account').notNull(),
  /** By how much the limit is raised next; it doubles until the provider refuses a start. */
  step: integer().notNull(),
  /** When the limit is raised next, if it is used up. */
  raiseAt: instant('raise_at').notNull(),
  /** When it may be raised earlier, because a video of the account has ended. */
  earliestAt: instant('earliest_at').notNull(),
  /** The milliseconds from the last refusal to the first raise. */
  pauseMs: integer('pause_ms').notNull(),
  /** The last refusal. */
  refusedAt: instant('refused_at').notNull(),
});
