import type { NodePgDatabase } from 'drizzle-orm/node-postgres';

// The database interface of the product: drizzle for our own queries, plain SQL for the job queue, and transactions.
// The embedded database has a single connection, so querying `db` inside a transaction deadlocks; a function that may
// run inside one takes a `Db` parameter and receives the transaction.

export interface Db {
  readonly orm: NodePgDatabase;
  /**
   * Runs a query. With `prepare`, a connection without a pooler plans the statement only once. Use it for constant
   * texts that find their rows by primary keys: a plan that was made for small tables may be used until Postgres
   * analyses them again.
   */
  query(
    text: string,
    values?: unknown[],
    options?: { readonly prepare?: true },
  ): Promise<{ rows: Record<string, unknown>[]; rowCount: number | null }>;
}

/** A `Db` inside an open transaction. */
export interface Tx extends Db {
  readonly transaction: 'open';
  /** Runs `run` after the commit; never after a rollback. */
  afterCommit(run: () => void): void;
}

/** The connections to the database. */
export interface PoolState {
  /** The open connections, the idle ones included. */
  readonly open: number;
  readonly idle: number;
  readonly max: number;
  /** How many queries wait for a connection. */
  readonly waiting: number;
}

export interface Database extends Db {
  /** Commits when `run` resolves, rolls back when it rejects. */
  inTransaction<T>(run: (tx: Tx) => Promise<T>): Promise<T>;
  /**
   * Rejects if the database does not answer. Sends no query if another query was answered within the last half second.
   */
  ping(): Promise<void>;
  pool(): PoolState;
  close(): Promise<void>;
}
