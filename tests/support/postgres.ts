import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from 'pg';

// A Postgres of the test's own, from the programs of this machine: what several processes do to one database, and what a
// server that stops answering does to us, the embedded database cannot show.

export interface TestPostgres {
  /** Makes an empty database and returns its address. */
  createDatabase(): Promise<string>;
  /** Breaks every connection but the one that asks, as an administrator or a failover does. */
  breakConnections(): Promise<void>;
  /** Stops all its processes where they are (SIGSTOP): connections stay open and nobody answers. */
  pause(): Promise<void>;
  resume(): void;
  /** Ends it without a goodbye and starts it again. */
  restart(): Promise<void>;
  readonly port: number;
  close(): Promise<void>;
}

/**
 * Starts a server, or prints why there can be none and returns undefined; suites that need it are then skipped. Where `CI` is
 * `true` it must be there, so that the proofs cannot silently stop being made.
 */
export async function startPostgres(): Promise<TestPostgres | undefined> {
  const programs = findPrograms();
  if (!programs) return without('no initdb was found in PATH or below /usr/lib/postgresql');
  const account = process.getuid?.() === 0 ? unprivilegedAccount() : {};
  if (!account) return without('it refuses to run as root, and there is no user postgres or nobody');
  return start(programs, account);
}

function without(reason: string): undefined {
  if (process.env.CI === 'true') throw new Error(`A Postgres is needed in CI, but ${reason}.`);
  console.log(`Skipped: tests against a real Postgres, because ${reason}.`);
  return undefined;
}

function findPrograms(): string | undefined {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).toSorted((a, b) => Number(b) - Number(a)) : [];
  const folders = [...(process.env.PATH ?? '').split(path.delimiter), ...versions.map((version) => path.join(debian, version, 'bin'))];
  return folders.find((folder) => existsSync(path.join(folder, 'initdb')) && existsSync(path.join(folder, 'postgres')));
}

interface ServerAccount {
  uid?: number;
  gid?: number;
}

/** Postgres does not run as root. */
function unprivilegedAccount(): ServerAccount | undefined {
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n');
  for (const name of ['postgres', 'nobody']) {
    const [, , uid, gid] = lines.find((line) => line.startsWith(`${name}:`))?.split(':') ?? [];
    if (uid !== undefined && gid !== undefined) return { uid: Number(uid), gid: Number(gid) };
  }
  return undefined;
}

async function start(programs: string, account: ServerAccount): Promise<TestPostgres> {
  const home = await mkdtemp(path.join(tmpdir(), 'patchbay-postgres-'));
  if (account.uid !== undefined && account.gid !== undefined) await chown(home, account.uid, account.gid);
  const data = path.join(home, 'data');
  execFileSync(path.join(programs, 'initdb'), ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'], { ...account, stdio: 'pipe', cwd: home });

  const port = await freePort();
  // Nothing that is written here needs to survive the machine; processes of the server may die all the same.
  const options = ['fsync=off', 'full_page_writes=off', 'listen_addresses=127.0.0.1', `port=${port}`, `unix_socket_directories=${home}`, 'max_connections=200'];
  let server = await run();
  const end = () => void server.kill('SIGQUIT');
  process.once('exit', end);

  async function run(): Promise<ChildProcess> {
    const child = spawn(path.join(programs, 'postgres'), ['-D', data, ...options.flatMap((option) => ['-c', option])], { ...account, cwd: home, stdio: ['ignore', 'ignore', 'pipe'] });
    await new Promise<void>((resolve, reject) => {
      let said = '';
      child.stderr.on('data', (chunk: Buffer) => {
        said += chunk.toString();
        if (said.includes('ready to accept connections')) resolve();
      });
      child.once('exit', () => reject(new Error(`Postgres did not start: ${said}`)));
    });
    return child;
  }

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
    for (const pid of paused) process.kill(pid, 'SIGCONT');
    paused = [];
  };

  return {
    port,
    async createDatabase() {
      databases += 1;
      await ask(`create database d${databases}`);
      return `postgres://postgres@127.0.0.1:${port}/d${databases}`;
    },
    async breakConnections() {
      await ask(`select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and backend_type = 'client backend'`);
    },
    async pause() {
      const rows = await ask('select pid from pg_stat_activity where pid <> pg_backend_pid()');
      // A running server has a process number.
      paused = [server.pid!, ...rows.map(({ pid }) => Number(pid))];
      for (const pid of paused) process.kill(pid, 'SIGSTOP');
    },
    resume,
    async restart() {
      const ended = once(server, 'exit');
      server.kill('SIGQUIT');
      await ended;
      server = await run();
    },
    async close() {
      resume();
      process.removeListener('exit', end);
      const ended = once(server, 'exit');
      server.kill('SIGQUIT');
      await ended;
      await rm(home, { recursive: true, force: true });
    },
  };
}

async function freePort(): Promise<number> {
  const listener = createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  // Safe: a listening TCP server has an address with a port.
  const { port } = listener.address() as AddressInfo;
  listener.close();
  await once(listener, 'close');
  return port;
}
