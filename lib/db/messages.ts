import type { Db } from './database';
import { messages } from './schema/index';

// Queries about messages.

export type MessageRow = typeof messages.$inferInsert;

/** Written when messages are over; a second writing of the same message changes nothing. */
export async function insertMessages(db: Db, rows: readonly MessageRow[]): Promise<void> {
  if (rows.length > 0) await db.orm.insert(messages).values([...rows]).onConflictDoNothing();
}
