import type { ClientBase, QueryConfig } from 'pg';

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
