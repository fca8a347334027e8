import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { FirstRun } from '../../lib/accounts/first-run-file';
import { hashPassword } from '../../lib/accounts/password';
import { openDatabase } from '../../lib/db/open-database';
import { insertMember } from '../../lib/db/people';
import type { Role } from '../../lib/domain/caller';
import type { OrgId } from '../../lib/domain/ids';
import { newId } from '../../lib/domain/ids';
import { buildAll, isBuilt } from '../../server/build.mjs';
import { freePort } from './child-server';
import { projectRoot, startWorker } from './database';
import { recordLog } from './log';

// The product as `npm start` runs it: built, in a process of its own, with its pages. Built here only when something changed
// since the last build.

export interface Product {
  readonly baseUrl: string;
  readonly firstRun: FirstRun;
  /** Somebody else of the same organisation. */
  readonly person: { readonly email: string; readonly password: string };
  /** Ends it without a goodbye, as a machine that fails does. */
  crash(): Promise<void>;
  /** Starts it again after a crash, at the same address. */
  startAgain(): Promise<void>;
  stop(): Promise<void>;
}

interface Running {
  stop(): Promise<void>;
  crash(): Promise<void>;
}

const START_MS = 60_000;
const READY = 'Patchbay is ready';

/** Starts it twice: the first start makes the database, then a person with `role` is added to it. `env` is added to its environment. */
export async function startProduct(role: Role, env: Readonly<Record<string, string>> = {}): Promise<Product> {
  if (!isBuilt()) await buildAll();
  const dataDir = await mkdtemp(path.join(tmpdir(), 'patchbay-product-'));
  const port = await freePort();
  await (await run(dataDir, port, env)).stop();
  const firstRun = JSON.parse(await readFile(path.join(dataDir, 'first-run.json'), 'utf8')) as FirstRun; // Safe: the product has just written it.
  const person = { email: `${role}@patchbay.local`, password: 'correct horse battery' };
  await addPerson(dataDir, role, person);
  let running = await run(dataDir, port, env);
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    firstRun,
    person,
    crash: () => running.crash(),
    async startAgain() {
      running = await run(dataDir, port, env);
    },
    async stop() {
      await running.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function run(dataDir: string, port: number, env: Readonly<Record<string, string>>): Promise<Running> {
  const child = spawn(process.execPath, ['dist/main.cjs'], {
    cwd: projectRoot,
    env: { PATH: process.env.PATH, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1', DATA_DIR: dataDir, PORT: String(port), LOG_LEVEL: 'warn', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(child, 'exit');
  let said = '';
  const ready = new Promise<void>((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        said += String(chunk);
        if (said.includes(READY)) resolve();
      });
    }
  });
  const late = new Promise<'late'>((resolve) => setTimeout(resolve, START_MS, 'late').unref());
  const first = await Promise.race([ready.then(() => 'ready'), exited.then(() => 'gone'), late]);
  if (first !== 'ready') {
    child.kill('SIGKILL');
    throw new Error(`The product did not start. It said:\n${said}`);
  }
  const end = async (signal: 'SIGTERM' | 'SIGKILL') => {
    child.kill(signal);
    await exited;
  };
  return { stop: () => end('SIGTERM'), crash: () => end('SIGKILL') };
}

async function addPerson(dataDir: string, role: Role, { email, password }: { email: string; password: string }): Promise<void> {
  const db = await openDatabase({ dataDir, migrationsFolder: path.join(projectRoot, 'drizzle'), startWorker, log: recordLog() });
  try {
    const { rows } = await db.query('select id from organizations');
    const passwordHash = await hashPassword(password);
    const orgId = rows[0]?.id as OrgId; // Safe: the first start has made one organisation.
    await db.inTransaction((tx) => insertMember(tx, orgId, role, { id: newId('user'), email, passwordHash, createdAt: new Date() }));
  } finally {
    await db.close();
  }
}
