import { Client } from 'pg';
import { inject } from 'vitest';
import type { TestDatabases } from './postgres';

let databases = 0;

/**
 * The Postgres of the run, for files that need databases of their own but no server that they can stop: to make and
 * start one takes a second of processor time. Undefined if this machine has none; the start of the run then says so.
 */
export function runPostgres(): TestDatabases | undefined {
  const server = inject('serverTemplate');
  if (!server) return undefined;
  const { host, port } = server;
  const created: string[] = [];

  async function ask(...statements: readonly string[]): Promise<void> {
    const client = new Client({ host, port, user: 'postgres', database: 'postgres' });
    await client.connect();
    try {
      for (const statement of statements) await client.query(statement);
    } finally {
      await client.end();
    }
  }

  return {
    port,
    async createDatabase() {
      const name = `own_${process.pid}_${(databases += 1)}`;
      await ask(`create database ${name}`);
      created.push(name);
      return `postgres://postgres@127.0.0.1:${port}/${name}`;
    },
    // Not left to the end of the run: the server would look after each of them until then.
    close: () => ask(...created.splice(0).map((name) => `drop database ${name} with (force)`)),
  };
}
