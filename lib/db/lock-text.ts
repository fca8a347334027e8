import type { Db } from './database';

// Locks that belong to a text and not to a row. Every use of a text must lock it before it locks rows that others with
// this lock may need.

/** The expression that locks the text `$parameter` until its transaction, or its single statement, ends. */
export const lockExpression = (parameter: number) => `pg_advisory_xact_lock(hashtextextended($${parameter}::text, 0))`;

/** Locks this text until the transaction ends. */
export async function lockText(db: Db, text: string): Promise<void> {
  await db.query(`select ${lockExpression(1)}`, [text]);
}
