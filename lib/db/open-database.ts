import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { neonConfig, Pool as NeonPool } from '@neondatabase/serverless';
import { drizzle } from 'drizzle-orm/node-postgres';
import { Pool, type PoolClient } from 'pg';
import { WebSocket } from 'ws';
import type { Log } from '../domain/log';
import type { StartWorker } from '../workers';
import type { Database, Tx } from './database';
import { lockDirectory } from './directory-lock';
import { openEmbedded } from './embedded';
import { migrateDatabase } from './migrate';

// One schema, three ways to reach a Postgres: embedded in a worker thread, over a socket, or through Neon's WebSocket
// proxy. All three end in a `pg` pool, so that everything above this file is the same.

export interface DatabaseOptions {
  /** `postgres://…`; absent: embedded. */
  readonly url?: string;
  /** Where the embedded database lives; absent with an absent `url`: in memory. */
  readonly dataDir?: string;
  /** In memory only: a dump to begin with. */
  readonly template?: string;
  readonly poolSize?: number;
  readonly migrationsFolder: string;
  readonly startWorker: StartWorker;
  readonly log: Log;
  /** Reaches a Neon host through another proxy than Neon's own (an own proxy, tests): `host:port/path`. */
  readonly neonProxy?: string;
}

interface Opened {
  readonly pool: Pool;
  close(): Promise<void>;
}

/** Opens the database and brings its schema up to date. Throws DirectoryInUse when another process holds the embedded one. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const opened = await connect(options);
  // An idle connection that breaks is replaced by the pool; without a listener Node would end the process.
  opened.pool.on('error', () => options.log.warn('a database connection broke'));
  try {
    await migrateDatabase(opened.pool, options.migrationsFolder);
  } catch (error) {
    await opened.close();
    throw error;
  }
  return fromPool(opened);
}

async function connect(options: DatabaseOptions): Promise<Opened> {
  if (options.url && isNeon(options.url)) return connectNeon(options.url, options);
  if (options.url) return connectPostgres(options.url, options);
  if (!options.dataDir) return openEmbedded(options.startWorker, options.template ? { template: options.template } : {});

  const directory = path.join(options.dataDir, 'database');
  const release = lockDirectory(options.dataDir);
  try {
    mkdirSync(directory, { recursive: true });
    const embedded = await openEmbedded(options.startWorker, { directory });
    return {
      pool: embedded.pool,
      async close() {
        await embedded.close();
        release();
      },
    };
  } catch (error) {
    release();
    throw error;
  }
}

const poolOptions = (url: string, poolSize = 10) => ({
  connectionString: url,
  max: poolSize,
  connectionTimeoutMillis: 1_500,
  idleTimeoutMillis: 30_000,
  // A query that hangs (a paused server, a lost network) must end before its caller gives up.
  query_timeout: 15_000,
  keepAlive: true,
});

function connectPostgres(url: string, options: DatabaseOptions): Opened {
  const pool = new Pool(poolOptions(url, options.poolSize));
  return { pool, close: () => pool.end() };
}

function connectNeon(url: string, options: DatabaseOptions): Opened {
  neonConfig.webSocketConstructor = WebSocket;
  const { neonProxy } = options;
  if (neonProxy) {
    neonConfig.wsProxy = (host, port) => `${neonProxy}?address=${host}:${port}`;
    neonConfig.useSecureWebSocket = false;
    neonConfig.pipelineTLS = false;
    neonConfig.pipelineConnect = false;
    neonConfig.forceDisablePgSSL = true;
  }
  // Safe: Neon's pool extends the pool of `pg`; only its way to the server differs.
  const pool = new NeonPool(poolOptions(url, options.poolSize)) as unknown as Pool;
  return { pool, close: () => pool.end() };
}

/** Is this an address of Neon's, to be reached through its WebSocket proxy? */
export function isNeon(url: string): boolean {
  return new URL(url).hostname.endsWith('.neon.tech');
}

function fromPool({ pool, close }: Opened): Database {
  let closing: Promise<void> | undefined;
  return {
    orm: drizzle(pool),
    query: (text, values) => pool.query(text, values),
    inTransaction: (run) => inTransaction(pool, run),
    async ping() {
      await pool.query('select 1');
    },
    close: () => (closing ??= close()),
  };
}

async function inTransaction<T>(pool: Pool, run: (tx: Tx) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  const afterCommit: (() => void)[] = [];
  let broken: Error | undefined;
  try {
    await client.query('begin');
    const result = await run(transactionOf(client, afterCommit));
    await client.query('commit');
    for (const after of afterCommit) after();
    return result;
  } catch (error) {
    await client.query('rollback').catch((rollbackError: Error) => {
      broken = rollbackError;
    });
    throw error;
  } finally {
    // A connection that could not even roll back is thrown away.
    client.release(broken);
  }
}

function transactionOf(client: PoolClient, afterCommit: (() => void)[]): Tx {
  return {
    transaction: 'open',
    orm: drizzle(client),
    query: (text, values) => client.query(text, values),
    afterCommit: (after) => void afterCommit.push(after),
  };
}
