import type { ClientBase, QueryConfig } from 'pg';
import type { Db } from './database';

// Tools for SQL statements: parts of statements, locks on a text, and prepared statements.

// Inserts that are parts of a larger statement, so that rows that belong together take one round trip and one commit.

/**
 * An insert that selects from the one row of another part of the statement, and inserts nothing if there is no such
 * row.
 */
export interface PartialInsert {
  /**
   * `insert into … select … from <from>`. Its own parameters begin at `$first`. The columns of `from` are those of
   * `holds` in a statement that opens a hold.
   */
  text(first: number, from: string): string;
  readonly values: readonly unknown[];
}

/** Joins the inserts as parts of a `with`, each after a comma, and their values, which begin at `$first`. */
export function joinInserts(
  inserts: readonly PartialInsert[],
  first: number,
  from: string,
): { readonly text: string; readonly values: readonly unknown[] } {
  const values: unknown[] = [];
  let text = '';
  for (const [number, insert] of inserts.entries()) {
    text += `, inserted_${number} as (${insert.text(first + values.length, from)})`;
    values.push(...insert.values);
  }
  return { text, values };
}

// Locks on a text instead of a row. Code that uses a text must lock the text before any rows that other holders of the
// lock may need.

/** Returns the expression that locks the text `$parameter` until its transaction, or its single statement, ends. */
export const lockExpression = (parameter: number) => `pg_advisory_xact_lock(hashtextextended($${parameter}::text, 0))`;

/** Locks this text until the transaction ends. */
export async function lockText(db: Db, text: string): Promise<void> {
  await db.query(`select ${lockExpression(1)}`, [text]);
}

// Prepares statements that take longer to plan than to run. Some connection poolers refuse them, because the next
// statement of a client may run on another connection of the server. So they are used only on connections without a
// pooler: there, the process id that was announced at the start is that of the server's process. Before the embedded
// database there is none.

export interface PreparedStatements {
  /** Remembers that the connection is direct, if `backendPid`, which the server reports, shows it. */
  note(client: ClientBase, backendPid: unknown): void;
  /** Returns the query; on a direct connection, with the name of its prepared statement. */
  queryOf(client: ClientBase, text: string, values: unknown[] | undefined): QueryConfig;
}

/** The maximum number of texts. Only a few statements with some variants are prepared. */
const MAX_STATEMENTS = 100;

/** If `isAlwaysDirect`, no connection can have a pooler, so that none needs to be noted. */
export function createPreparedStatements({ isAlwaysDirect = false } = {}): PreparedStatements {
  const direct = new WeakSet<ClientBase>();
  const names = new Map<string, string>();

  function nameOf(text: string): string | undefined {
    const known = names.get(text);
    if (known !== undefined || names.size >= MAX_STATEMENTS) return known;
    const name = `patchbay_${names.size}`;
    names.set(text, name);
    return name;
  }

  return {
    note(client, backendPid) {
      // The driver keeps the announced id, which its types leave out.
      if ('processID' in client && client.processID === backendPid && typeof backendPid === 'number')
        direct.add(client);
    },
    queryOf(client, text, values) {
      const name = isAlwaysDirect || direct.has(client) ? nameOf(text) : undefined;
      return { text, ...(values && { values }), ...(name !== undefined && { name }) };
    },
  };
}
