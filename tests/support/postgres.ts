import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from 'pg';
import type { TestOptions } from 'vitest';
import type { Database } from '../../lib/db/database';
import { openDatabase, type DatabaseOptions } from '../../lib/db/open-database';
import {
  findProgram,
  freePort,
  skippedBecause,
  startChildServer,
  unprivilegedAccount,
  type Account,
} from './child-server';
import { projectRoot } from './project';
import { recordLog } from './log';
import { isFullRun, leftToGate } from './proof-runs';
import { startWorker } from './workers';

// A Postgres from the programs of this machine. It tests what the embedded database cannot: several processes on one
// database, for which that of the run is enough (run-postgres.ts), and a server that stops answering.

export interface TestDatabases {
  /** Creates an empty database and returns its URL. */
  createDatabase(): Promise<string>;
  readonly port: number;
  close(): Promise<void>;
}

export interface TestPostgres extends TestDatabases {
  /** Terminates every other connection, as an administrator or a failover does. */
  breakConnections(): Promise<void>;
  /** Stops all its processes (SIGSTOP): connections stay open without answers. */
  pause(): Promise<void>;
  resume(): void;
  /** Kills it without a clean shutdown and starts it again. */
  restart(): Promise<void>;
  /** Of its Unix socket, which this user and that of the server can use. */
  readonly socketFolder: string;
}

/** Opens a database as the product does, migrations included. */
export function openDatabaseAt(url: string, options: Partial<DatabaseOptions> = {}): Promise<Database> {
  return openDatabase({
    url,
    migrationsFolder: path.join(projectRoot, 'drizzle'),
    startWorker,
    log: recordLog(),
    ...options,
  });
}

/**
 * Starts a server. If there is none on this machine, prints why and returns undefined, and the suites that need it are
 * skipped. With `CI=true` it throws instead, so that the tests cannot silently be skipped.
 */
export async function startPostgres({ maxConnections = 200 } = {}): Promise<TestPostgres | undefined> {
  const suite = 'tests against a real Postgres';
  const programs = findProgram('initdb', '/usr/lib/postgresql');
  if (programs === undefined) return skippedBecause(suite, 'no initdb was found in PATH or below /usr/lib/postgresql');
  // Postgres does not run as root.
  const account = unprivilegedAccount();
  if (!account) return skippedBecause(suite, 'it refuses to run as root, and there is no user postgres or nobody');
  return start(programs, account, maxConnections);
}

async function start(programs: string, account: Account, maxConnections: number): Promise<TestPostgres> {
  const home = await mkdtemp(path.join(tmpdir(), 'patchbay-postgres-'));
  if (account.uid !== undefined && account.gid !== undefined) await chown(home, account.uid, account.gid);
  const data = path.join(home, 'data');
  execFileSync(
    path.join(programs, 'initdb'),
    ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'],
    { ...account, stdio: 'pipe', cwd: home },
  );

  const port = await freePort();
  // Data need not survive a crash of the machine; a crash of the server's processes is still safe.
  const options = [
    'fsync=off',
    'full_page_writes=off',
    'listen_addresses=127.0.0.1',
    `port=${port}`,
    `unix_socket_directories=${home}`,
    `max_connections=${maxConnections}`,
  ];
  const command = [path.join(programs, 'postgres'), '-D', data, ...options.flatMap((option) => ['-c', option])];
  const run = () => startChildServer(command, { ...account, cwd: home, ready: 'ready to accept connections' });
  let server = await run();

  async function ask(text: string): Promise<Record<string, unknown>[]> {
    const client = new Client({ host: '127.0.0.1', port, user: 'postgres', database: 'postgres' });
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(text)).rows;
    } finally {
      await client.end();
    }
  }

  let paused: number[] = [];
  let databases = 0;
  const resume = () => {
    for (const pid of paused) signal(pid, 'SIGCONT');
    paused = [];
  };

  return {
    port,
    socketFolder: home,
    async createDatabase() {
      const name = `d${(databases += 1)}`;
      await ask(`create database ${name}`);
      return `postgres://postgres@127.0.0.1:${port}/${name}`;
    },
    async breakConnections() {
      await ask(
        `select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and backend_type = 'client backend'`,
      );
    },
    async pause() {
      const rows = await ask('select pid from pg_stat_activity where pid <> pg_backend_pid()');
      const [postmaster] = readFileSync(path.join(data, 'postmaster.pid'), 'utf8').split('\n');
      paused = [postmaster, ...rows.map(({ pid }) => pid)].map(Number);
      for (const pid of paused) signal(pid, 'SIGSTOP');
    },
    resume,
    async restart() {
      await server.stop();
      server = await run();
    },
    async close() {
      resume();
      await server.stop();
      await rm(home, { recursive: true, force: true });
    },
  };
}

/** To a process of the server, which may have ended since it was listed, as that of a connection that was closed. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/**
 * Options of the embedded half of a suite that runs on both databases. In a short run it runs on Postgres only, if that
 * is installed: all other tests use the embedded database.
 */
export const embeddedToo = (postgres: TestDatabases | undefined): TestOptions =>
  leftToGate(postgres !== undefined && !isFullRun());
