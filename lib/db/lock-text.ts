import type { Db } from './database';

// Locks on a text instead of a row. Code that uses a text must lock the text before any rows that other holders of the
// lock may need.

/** Returns the expression that locks the text `$parameter` until its transaction, or its single statement, ends. */
export const lockExpression = (parameter: number) => `pg_advisory_xact_lock(hashtextextended($${parameter}::text, 0))`;

/** Locks this text until the transaction ends. */
export async function lockText(db: Db, text: string): Promise<void> {
  await db.query(`select ${lockExpression(1)}`, [text]);
}
