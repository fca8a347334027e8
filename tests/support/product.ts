import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { inject } from 'vitest';
import type { FirstRun } from '../../lib/accounts/first-run-file';
import { openDatabase } from '../../lib/db/open-database';
import { insertMember } from '../../lib/db/people';
import type { Role } from '../../lib/domain/caller';
import type { OrgId } from '../../lib/domain/ids';
import { newId } from '../../lib/domain/ids';
import { buildAll, isBuilt } from '../../server/build.mjs';
import { checkAnswersOf } from './check-answers';
import { freePort } from './child-server';
import { projectRoot, SHORT_LIVED } from './project';
import { recordLog } from './log';
import { cheapPasswords } from './passwords';
import { startWorker } from './workers';

// The product as `npm start` runs it: built, in its own process, with its pages. Built only when something changed
// since the last build.

export interface Product {
  readonly baseUrl: string;
  readonly dataDir: string;
  readonly firstRun: FirstRun;
  /** A second person of the same organisation. */
  readonly person: { readonly email: string; readonly password: string };
  /** Kills it without a clean shutdown, as a failing machine does. */
  crash(): Promise<void>;
  /** Starts it again after a crash, at the same URL. */
  startAgain(): Promise<void>;
  stop(): Promise<void>;
}

interface Running {
  stop(): Promise<void>;
  crash(): Promise<void>;
}

const personRoles = ['viewer', 'developer'] as const satisfies readonly Role[];
/** The role of the second person. */
export type PersonRole = (typeof personRoles)[number];

const personOf = (role: PersonRole) => ({ email: `${role}@patchbay.local`, password: 'correct horse battery' });

const START_MS = 60_000;
const READY = 'Patchbay is ready';

/** Starts it on a copy of a seeded database; `role` is the second person's. `env` is added to its environment. */
export async function startProduct(role: PersonRole, env: Readonly<Record<string, string>> = {}): Promise<Product> {
  const dataDir = await makeBegunDataDir();
  const firstRun = await readFirstRun(dataDir);
  const port = await freePort();
  const baseUrl = `http://127.0.0.1:${port}`;
  let running = await run(dataDir, port, env);
  const endChecks = checkAnswersOf(baseUrl);
  return {
    baseUrl,
    dataDir,
    firstRun: { ...firstRun, base_url: baseUrl, console_url: `${baseUrl}/console` },
    person: personOf(role),
    crash: () => running.crash(),
    async startAgain() {
      running = await run(dataDir, port, env);
    },
    async stop() {
      endChecks();
      await running.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** The product on a new external database: the first sign-up becomes its owner. */
export async function startEmptyProduct(
  databaseUrl: string,
): Promise<{ readonly baseUrl: string; stop(): Promise<void> }> {
  if (!isBuilt()) await buildAll();
  const dataDir = await mkdtemp(path.join(tmpdir(), 'patchbay-product-'));
  const port = await freePort();
  const secret = () => randomBytes(32).toString('base64');
  const running = await run(dataDir, port, { DATABASE_URL: databaseUrl, AUTH_SECRET: secret(), MASTER_KEY: secret() });
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    async stop() {
      await running.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/**
 * Makes the data folder of a product that was started once and stopped, with a person of each role. The caller removes
 * it. It is a copy, because a first start takes seconds and a copy a fraction of one.
 */
export async function makeBegunDataDir(): Promise<string> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'patchbay-product-'));
  await cp(await begunDataDir(), dataDir, { recursive: true });
  return dataDir;
}

/** All files of a test run share it: the first that needs it creates it, and the others wait. */
async function begunDataDir(): Promise<string> {
  const shared = path.join(path.dirname(inject('databaseTemplate')), 'product');
  const ready = `${shared}.ready`;
  while (!existsSync(ready)) {
    const isOurs = await mkdir(shared).then(
      () => true,
      () => false,
    );
    if (isOurs) await begin(shared).then(() => writeFile(ready, ''), leaveToOthers);
    else await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return shared;

  async function leaveToOthers(error: unknown): Promise<never> {
    await rm(shared, { recursive: true, force: true });
    throw error;
  }
}

async function begin(dataDir: string): Promise<void> {
  if (!isBuilt()) await buildAll();
  await (await run(dataDir, await freePort(), {})).stop();
  await addPeople(dataDir);
}

async function run(dataDir: string, port: number, env: Readonly<Record<string, string>>): Promise<Running> {
  const child = spawn(process.execPath, [...SHORT_LIVED, 'dist/main.cjs'], {
    cwd: projectRoot,
    env: {
      PATH: process.env.PATH,
      NODE_ENV: 'production',
      NEXT_TELEMETRY_DISABLED: '1',
      DATA_DIR: dataDir,
      PORT: String(port),
      LOG_LEVEL: 'warn',
      ...env,
    },
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

async function readFirstRun(dataDir: string): Promise<FirstRun> {
  // Safe: the product has written it.
  return JSON.parse(await readFile(path.join(dataDir, 'first-run.json'), 'utf8')) as FirstRun;
}

async function addPeople(dataDir: string): Promise<void> {
  const db = await openDatabase({
    dataDir,
    migrationsFolder: path.join(projectRoot, 'drizzle'),
    startWorker,
    log: recordLog(),
  });
  try {
    const passwords = cheapPasswords();
    // A check takes what the stored hash says: half a second of a core for each sign-in of a test.
    const { owner } = await readFirstRun(dataDir);
    await db.query('update users set password_hash = $2 where email = $1', [
      owner.email,
      await passwords.hash(owner.password),
    ]);
    const { rows } = await db.query('select id from organizations');
    const orgId = rows[0]?.id as OrgId; // Safe: the first start has made one organisation.
    for (const role of personRoles) {
      const { email, password } = personOf(role);
      const passwordHash = await passwords.hash(password);
      await db.inTransaction((tx) =>
        insertMember(tx, orgId, role, { id: newId('user'), email, passwordHash, createdAt: new Date() }),
      );
    }
  } finally {
    await db.close();
  }
}
