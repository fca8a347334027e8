import type { NodePgDatabase } from 'drizzle-orm/node-postgres';

// A database as the rest of the house sees it: drizzle for our own queries, plain text for the job queue, and one way to
// open a transaction. The embedded database has a single connection: whoever queries `db` while inside a transaction of
// his own would wait for himself, so a function that may run inside one takes `Db` and is handed the transaction.

export interface Db {
  readonly orm: NodePgDatabase;
  query(text: string, values?: unknown[]): Promise<{ rows: Record<string, unknown>[]; rowCount: number | null }>;
}

/** A `Db` inside an open transaction. */
export interface Tx extends Db {
  readonly transaction: 'open';
  /** Runs after the commit; not at all after a rollback. */
  afterCommit(run: () => void): void;
}

export interface Database extends Db {
  /** Commits when `run` resolves, rolls back when it rejects. */
  inTransaction<T>(run: (tx: Tx) => Promise<T>): Promise<T>;
  ping(): Promise<void>;
  close(): Promise<void>;
}
