import type { Db } from './database';
import { messages } from './schema/index';

// Queries about messages.

export type MessageRow = typeof messages.$inferInsert;

/** Written once, when the message is over; a second writing of the same message changes nothing. */
export async function insertMessage(db: Db, row: MessageRow): Promise<void> {
  await db.orm.insert(messages).values(row).onConflictDoNothing();
}
