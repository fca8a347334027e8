import path from 'node:path';
import { neonConfig, Pool as NeonPool } from '@neondatabase/serverless';
import { drizzle } from 'drizzle-orm/node-postgres';
import { Pool, type ClientBase, type PoolClient, type QueryConfig, type QueryResult } from 'pg';
import { WebSocket } from 'ws';
import type { Log } from '../domain/log';
import type { StartWorker } from '../workers';
import type { Database, Tx } from './database';
import { waitForDirectoryLock } from './directory-lock';
import { openEmbedded } from './embedded';
import { migrateDatabase } from './migrate';
import { createPreparedStatements, type PreparedStatements } from './sql';
import { makePrivateDirectory } from '../io/private-directory';

// One schema, and three ways to reach Postgres: embedded in a worker thread, over a socket, or through Neon's WebSocket
// proxy. Each results in a `pg` pool, so that the rest of the product sees no difference.

export interface DatabaseOptions {
  /** `postgres://…`; absent: embedded. */
  readonly url?: string;
  /** The directory of the embedded database; if it and `url` are absent: in memory. */
  readonly dataDir?: string;
  /** In memory only: a dump to start from. */
  readonly template?: string;
  readonly poolSize?: number;
  /**
   * The timeout of a query, after which its connection is closed too. A server's own timeout is slightly shorter. The
   * embedded database has no timeout of its own and works on until the query has ended.
   */
  readonly queryTimeoutMs?: number;
  /** How long a query waits for a connection, in milliseconds; the default depends on the kind of database. */
  readonly connectTimeoutMs?: number;
  readonly migrationsFolder: string;
  readonly startWorker: StartWorker;
  readonly log: Log;
  /** Called once when the embedded database has ended or fails permanently: only a new process can open it again. */
  readonly onLost?: (error: Error) => void;
  /** `host:port/path` of another proxy for a Neon host than Neon's own, such as a self-hosted one or one of a test. */
  readonly neonProxy?: string;
}

interface Opened {
  readonly pool: Pool;
  readonly prepared?: PreparedStatements;
  /** A pool without a query timeout. The caller ends it. */
  openPatientPool(): Pool;
  close(): Promise<void>;
}

/** Thrown if a Postgres server does not answer or refuses the sign-in. The message is a sentence for the operator. */
export class DatabaseUnreachable extends Error {
  constructor(cause: unknown) {
    const code = cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? ` (${cause.code})` : '';
    super(
      `The database does not answer, or refuses the sign-in${code}. Check DATABASE_URL and that it can be reached.`,
      { cause },
    );
  }
}

/**
 * Opens the database and migrates it. Throws DirectoryInUse when another process has the embedded one open, and
 * DatabaseUnreachable when a server cannot be used.
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const opened = await connect(options);
  watchPool(opened.pool, options.log);
  try {
    if (options.url) await refuseUnreachable(opened.pool);
    await migrate(opened, options);
  } catch (error) {
    await opened.close();
    throw error;
  }
  return fromPool(opened);
}

async function refuseUnreachable(pool: Pool): Promise<void> {
  try {
    await pool.query('select 1');
  } catch (error) {
    throw new DatabaseUnreachable(error);
  }
}

/** A database that is opened without migrating it, for a command of the operator. */
export interface UnmigratedDatabase extends Database {
  /**
   * Applies the missing migrations; with `untilMs`, only those up to the one created at this time, in milliseconds
   * since 1970.
   */
  migrate(untilMs?: number): Promise<void>;
}

/**
 * Opens the database without migrating it, and without a limit for its queries: a backup reads whole tables. Throws
 * DirectoryInUse when another process has the embedded one open.
 */
export async function openUnmigrated(options: DatabaseOptions): Promise<UnmigratedDatabase> {
  const opened = await connect(options);
  const patient = opened.openPatientPool();
  watchPool(opened.pool, options.log);
  watchPool(patient, options.log);
  const close = async () => {
    await patient.end();
    await opened.close();
  };
  return {
    ...fromPool({ ...opened, pool: patient, close }),
    migrate: (untilMs) => migrateDatabase(patient, { ...options, ...(untilMs !== undefined && { untilMs }) }),
  };
}

/**
 * Opens another pool of connections to a database that is already migrated, so that two kinds of work do not wait for
 * each other's connections. The embedded database, which has only one connection, does not support this.
 */
export function openPool(options: DatabaseOptions & { readonly url: string }): Database {
  const opened = connectExternal(options.url, options);
  watchPool(opened.pool, options.log);
  return fromPool(opened);
}

/**
 * Listens to the errors of all connections; without a listener, an error ends the process. The pool itself listens only
 * to idle connections and replaces them. A connection in use reports its error to its next query.
 */
function watchPool(pool: Pool, log: Log): void {
  pool.on('error', () => log.warn('a database connection broke'));
  pool.on('connect', (client) => client.on('error', () => undefined));
}

/**
 * Migrates without a query timeout: a migration, and waiting for another instance's migration, may take longer than any
 * query of a request.
 */
async function migrate({ openPatientPool }: Opened, options: DatabaseOptions): Promise<void> {
  const patient = openPatientPool();
  watchPool(patient, options.log);
  try {
    await migrateDatabase(patient, options);
  } finally {
    await patient.end();
  }
}

async function connect(options: DatabaseOptions): Promise<Opened> {
  if (options.url) return connectExternal(options.url, options);
  const limits = {
    ...(options.queryTimeoutMs === undefined ? {} : { queryTimeoutMs: options.queryTimeoutMs }),
    ...(options.connectTimeoutMs === undefined ? {} : { connectTimeoutMs: options.connectTimeoutMs }),
    onLost: options.onLost,
  };
  const prepared = createPreparedStatements({ isAlwaysDirect: true });
  if (!options.dataDir) {
    const data = options.template ? { template: options.template } : {};
    return { ...(await openEmbedded(options.startWorker, data, limits)), prepared };
  }

  const directory = path.join(options.dataDir, 'database');
  const lock = await waitForDirectoryLock(options.dataDir);
  try {
    makePrivateDirectory(directory);
    const embedded = await openEmbedded(options.startWorker, { directory }, limits);
    return {
      ...embedded,
      prepared,
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

const connectExternal = (url: string, options: DatabaseOptions): Opened =>
  isNeon(url) ? connectNeon(url, options) : connectPostgres(url, options);

/**
 * Also limits the wait for a connection from an exhausted pool: the request then fails as "database unavailable"
 * instead of hanging.
 */
const CONNECT_TIMEOUT_MS = 1_500;
/** A query that hangs (a paused server, a lost network) must fail before its caller gives up. */
const QUERY_TIMEOUT_MS = 15_000;
/** The server's statement timeout: shorter than ours, so that it does not work on a query that we have given up. */
const STATEMENT_SHARE = 14 / 15;
/** A row that is locked for longer is locked by a stuck transaction. Waiting longer would exhaust the pool. */
const LOCK_TIMEOUT_MS = 3_000;
/**
 * If a host is lost inside a transaction, its locks are kept for this long. Our transactions wait only for the
 * database.
 */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 10_000;

/** The server's own timeouts in milliseconds; 0 means none. */
interface ServerTimeouts {
  readonly statementMs: number;
  readonly lockMs: number;
  readonly idleInTransactionMs: number;
}

// Set by a statement and not as startup parameters: poolers (PgBouncer, Neon's) refuse parameters that they do not
// know. Not for the embedded database: its timers do not run while a query does, and it has no other connections.
//
// Without `jit = off` the server compiles a statement whose cost it estimates high, at each run. Ours read few rows;
// the estimates are high because they do not know that. When 186 jobs of a million were claimed, compilation took 21 of
// 37 ms.
const setUpSession =
  ({ statementMs, lockMs, idleInTransactionMs }: ServerTimeouts, prepared?: PreparedStatements) =>
  async (client: ClientBase) => {
    // Safe: the driver supports a timeout per query, which its types leave out. Its result is a list, because there are
    // several statements.
    const results = (await client.query({
      text: `set statement_timeout = ${statementMs}; set lock_timeout = ${lockMs}; set idle_in_transaction_session_timeout = ${idleInTransactionMs}; set jit = off; select pg_backend_pid() as pid`,
      query_timeout: CONNECT_TIMEOUT_MS,
    } as QueryConfig)) as unknown as QueryResult<{ pid: number }>[];
    prepared?.note(client, results.at(-1)?.rows[0]?.pid);
  };

const poolOptions = (
  url: string,
  timeouts: ServerTimeouts,
  connectTimeoutMs = CONNECT_TIMEOUT_MS,
  prepared?: PreparedStatements,
) => ({
  connectionString: url,
  onConnect: setUpSession(timeouts, prepared),
  connectionTimeoutMillis: connectTimeoutMs,
  idleTimeoutMillis: 30_000,
  keepAlive: true,
});
const quickOptions = (
  url: string,
  { poolSize = 10, queryTimeoutMs = QUERY_TIMEOUT_MS, connectTimeoutMs }: DatabaseOptions,
  prepared: PreparedStatements,
) => ({
  ...poolOptions(
    url,
    {
      statementMs: Math.ceil(queryTimeoutMs * STATEMENT_SHARE),
      lockMs: LOCK_TIMEOUT_MS,
      idleInTransactionMs: IDLE_IN_TRANSACTION_TIMEOUT_MS,
    },
    connectTimeoutMs,
    prepared,
  ),
  max: poolSize,
  query_timeout: queryTimeoutMs,
});
/** For migrations, which limit their own waits for locks. Set explicitly, because a pooler may hand out a server connection with a request's settings. */
const patientOptions = (url: string) => poolOptions(url, { statementMs: 0, lockMs: 0, idleInTransactionMs: 0 });

function connectPostgres(url: string, options: DatabaseOptions): Opened {
  const prepared = createPreparedStatements();
  const pool = new Pool(quickOptions(url, options, prepared));
  return { pool, prepared, openPatientPool: () => new Pool(patientOptions(url)), close: () => pool.end() };
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
  // Safe: Neon's pool extends the pool of `pg`; only its transport differs.
  const prepared = createPreparedStatements();
  const pool = new NeonPool(quickOptions(url, options, prepared)) as unknown as Pool;
  return {
    pool,
    prepared,
    openPatientPool: () => new NeonPool(patientOptions(url)) as unknown as Pool,
    close: () => pool.end(),
  };
}

/** Whether this is one of Neon's hosts, which are reached through its WebSocket proxy. */
export function isNeon(url: string): boolean {
  return new URL(url).hostname.endsWith('.neon.tech');
}

/** For this long, a query that ended without an error proves that the database answers. */
const RECENT_ANSWER_MS = 500;

function fromPool({ pool, prepared, close }: Opened): Database {
  let closing: Promise<void> | undefined;
  let answeredMs = -Infinity;
  pool.on('release', (error) => {
    // Safe: pg passes undefined for a connection that can be used again, which its types leave out.
    if (!(error as Error | undefined)) answeredMs = performance.now();
  });
  return {
    orm: drizzle(pool),
    query: (text, values, { prepare } = {}) =>
      prepare && prepared ? queryPrepared(pool, prepared, text, values) : pool.query(text, values),
    inTransaction: (run) => inTransaction(pool, prepared, run),
    async ping() {
      // Under load, a new query would wait for a connection, and a working database would be reported as unavailable.
      if (closing || performance.now() - answeredMs > RECENT_ANSWER_MS) await pool.query('select 1');
    },
    pool: () => ({
      open: pool.totalCount,
      idle: pool.idleCount,
      max: pool.options.max,
      waiting: pool.waitingCount,
    }),
    close: () => (closing ??= close()),
  };
}

async function queryPrepared(
  pool: Pool,
  prepared: PreparedStatements,
  text: string,
  values: unknown[] | undefined,
): Promise<QueryResult<Record<string, unknown>>> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    return await client.query(prepared.queryOf(client, text, values));
  } catch (error) {
    // After an error of a statement the connection can be used again.
    if (error instanceof Error && !('severity' in error && error.severity === 'ERROR')) broken = error;
    throw error;
  } finally {
    client.release(broken);
  }
}

async function inTransaction<T>(
  pool: Pool,
  prepared: PreparedStatements | undefined,
  run: (tx: Tx) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  const afterCommit: (() => void)[] = [];
  let broken: Error | undefined;
  let result: T;
  try {
    await client.query('begin');
    result = await run(transactionOf(client, prepared, afterCommit));
    const { command } = await client.query('commit');
    // If `run` swallowed an error, Postgres answers the commit with a rollback and reports no error.
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
    // A connection whose rollback failed is discarded.
    client.release(broken);
  }
  for (const after of afterCommit) after();
  return result;
}

/**
 * Whether the driver's query timeout has fired. The connection then still waits for the response and cannot be reused.
 */
function wasGivenUp(error: unknown): error is Error {
  return error instanceof Error && (error.message === 'Query read timeout' || wasGivenUp(error.cause));
}

function transactionOf(client: PoolClient, prepared: PreparedStatements | undefined, afterCommit: (() => void)[]): Tx {
  return {
    transaction: 'open',
    orm: drizzle(client),
    query: (text, values, { prepare } = {}) =>
      client.query(prepare && prepared ? prepared.queryOf(client, text, values) : { text, ...(values && { values }) }),
    afterCommit: (after) => void afterCommit.push(after),
  };
}
