import path from 'node:path';
import { neonConfig, Pool as NeonPool } from '@neondatabase/serverless';
import { drizzle } from 'drizzle-orm/node-postgres';
import { Pool, type ClientBase, type PoolClient, type QueryConfig } from 'pg';
import { WebSocket } from 'ws';
import type { Log } from '../domain/log';
import type { StartWorker } from '../workers';
import type { Database, Tx } from './database';
import { waitForDirectoryLock } from './directory-lock';
import { openEmbedded } from './embedded';
import { migrateDatabase } from './migrate';
import { makePrivateDirectory } from './private-directory';

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
  /** After this a query is given up, and its connection with it; the server gives it up shortly before. Not for the embedded database, which no network can lose. */
  readonly queryLimitMs?: number;
  readonly migrationsFolder: string;
  readonly startWorker: StartWorker;
  readonly log: Log;
  /** Called once when the embedded database has ended or fails for good: only a new process can open it again. */
  readonly onLost?: (error: Error) => void;
  /** Reaches a Neon host through another proxy than Neon's own (an own proxy, tests): `host:port/path`. */
  readonly neonProxy?: string;
}

interface Opened {
  readonly pool: Pool;
  /** A pool whose queries may take as long as they need; absent: `pool` is one. The caller ends it. */
  openPatientPool?(): Pool;
  close(): Promise<void>;
}

/** Opens the database and brings its schema up to date. Throws DirectoryInUse when another process holds the embedded one. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const opened = await connect(options);
  listenToBreaks(opened.pool, options.log);
  try {
    await migrate(opened, options);
  } catch (error) {
    await opened.close();
    throw error;
  }
  return fromPool(opened);
}

/**
 * An idle connection that breaks is replaced by the pool; one in use tells it to its next query. Both need a listener all the
 * same, or Node would end the process; the pool itself listens only to those that are idle.
 */
function listenToBreaks(pool: Pool, log: Log): void {
  pool.on('error', () => log.warn('a database connection broke'));
  pool.on('connect', (client) => client.on('error', () => undefined));
}

/** A migration, and the wait for the one of another instance, may take longer than a request ever waits for a query. */
async function migrate({ pool, openPatientPool }: Opened, options: DatabaseOptions): Promise<void> {
  const patient = openPatientPool?.();
  if (patient) listenToBreaks(patient, options.log);
  try {
    await migrateDatabase(patient ?? pool, options.migrationsFolder);
  } finally {
    await patient?.end();
  }
}

async function connect(options: DatabaseOptions): Promise<Opened> {
  if (options.url && isNeon(options.url)) return connectNeon(options.url, options);
  if (options.url) return connectPostgres(options.url, options);
  if (!options.dataDir)
    return openEmbedded(options.startWorker, options.template ? { template: options.template } : {}, options.onLost);

  const directory = path.join(options.dataDir, 'database');
  const lock = await waitForDirectoryLock(options.dataDir);
  try {
    makePrivateDirectory(directory);
    const embedded = await openEmbedded(options.startWorker, { directory }, options.onLost);
    return {
      pool: embedded.pool,
      async close() {
        await embedded.close();
        await lock.release();
      },
    };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/** Also the wait for a connection of an exhausted pool: a request is told that the database is away rather than left hanging. */
const CONNECT_LIMIT_MS = 1_500;
/** A query that hangs (a paused server, a lost network) must end before its caller gives up. */
const QUERY_LIMIT_MS = 15_000;
/** Of that time, what the server works on a statement: it gives up before we do, or it would work on for nobody. */
const STATEMENT_SHARE = 14 / 15;
/** A row that is locked for longer is locked by somebody who is stuck; waiting on would use up the pool for everybody. */
const LOCK_TIMEOUT_MS = 3_000;
/** A host that is lost inside a transaction keeps its locks until then. No transaction of ours waits for anything but the database. */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 10_000;

/** What the server itself gives up, in milliseconds; 0 is never. */
interface ServerTimeouts {
  readonly statementMs: number;
  readonly lockMs: number;
  readonly idleInTransactionMs: number;
}

// Set by a statement and not as startup parameters: poolers (PgBouncer, Neon's) refuse those that they do not know. The
// embedded database has none of them: it keeps no time while it works, and nobody else has a connection to it.
const setTimeouts =
  ({ statementMs, lockMs, idleInTransactionMs }: ServerTimeouts) =>
  (client: ClientBase) =>
    // Safe: the driver knows a limit for one query, which its types leave out.
    client.query({
      text: `set statement_timeout = ${statementMs}; set lock_timeout = ${lockMs}; set idle_in_transaction_session_timeout = ${idleInTransactionMs}`,
      query_timeout: CONNECT_LIMIT_MS,
    } as QueryConfig);

const poolOptions = (url: string, timeouts: ServerTimeouts) => ({
  connectionString: url,
  onConnect: setTimeouts(timeouts),
  connectionTimeoutMillis: CONNECT_LIMIT_MS,
  idleTimeoutMillis: 30_000,
  keepAlive: true,
});
const quickOptions = (url: string, { poolSize = 10, queryLimitMs = QUERY_LIMIT_MS }: DatabaseOptions) => ({
  ...poolOptions(url, {
    statementMs: Math.ceil(queryLimitMs * STATEMENT_SHARE),
    lockMs: LOCK_TIMEOUT_MS,
    idleInTransactionMs: IDLE_IN_TRANSACTION_TIMEOUT_MS,
  }),
  max: poolSize,
  query_timeout: queryLimitMs,
});
/** For migrations. Stated, because a pooler may hand out a server connection on which a request has set others. */
const patientOptions = (url: string) => poolOptions(url, { statementMs: 0, lockMs: 0, idleInTransactionMs: 0 });

function connectPostgres(url: string, options: DatabaseOptions): Opened {
  const pool = new Pool(quickOptions(url, options));
  return { pool, openPatientPool: () => new Pool(patientOptions(url)), close: () => pool.end() };
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
  const pool = new NeonPool(quickOptions(url, options)) as unknown as Pool;
  return { pool, openPatientPool: () => new NeonPool(patientOptions(url)) as unknown as Pool, close: () => pool.end() };
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
  let result: T;
  try {
    await client.query('begin');
    result = await run(transactionOf(client, afterCommit));
    const { command } = await client.query('commit');
    // After an error that `run` swallowed, Postgres answers a commit by rolling back, and reports no error.
    if (command !== 'COMMIT')
      throw new Error('A statement of the transaction had failed, so it could not be committed.');
  } catch (error) {
    if (wasGivenUp(error)) broken = error;
    else
      await client.query('rollback').catch((rollbackError: Error) => {
        broken = rollbackError;
      });
    throw error;
  } finally {
    // A connection that could not even roll back is thrown away.
    client.release(broken);
  }
  for (const after of afterCommit) after();
  return result;
}

/** Did the driver stop waiting for a query? Its connection still waits for the answer and can be asked nothing more. */
function wasGivenUp(error: unknown): error is Error {
  return error instanceof Error && (error.message === 'Query read timeout' || wasGivenUp(error.cause));
}

function transactionOf(client: PoolClient, afterCommit: (() => void)[]): Tx {
  return {
    transaction: 'open',
    orm: drizzle(client),
    query: (text, values) => client.query(text, values),
    afterCommit: (after) => void afterCommit.push(after),
  };
}
