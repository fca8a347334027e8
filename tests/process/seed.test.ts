import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../lib/db/database';
import { openDatabase } from '../../lib/db/open-database';
import { buildAll, isBuilt } from '../../server/build.mjs';
import { bundleServer } from '../support/bundle-server';
import { checkBooks } from '../../lib/db/check-books';
import { sharedSecrets } from '../support/gateway';
import { recordLog } from '../support/log';
import { isFullRun, leftToGate } from '../support/proof-runs';
import { openDatabaseAt, startPostgres } from '../support/postgres';
import { projectRoot, SHORT_LIVED } from '../support/project';
import { startWorker } from '../support/workers';

// `npm run seed` in a process of its own, as a developer runs it.

const postgres = await startPostgres();
const dataDir = await mkdtemp(path.join(tmpdir(), 'patchbay-seed-'));
afterAll(async () => {
  await postgres?.close();
  await rm(dataDir, { recursive: true, force: true });
});

// The bundle starts workers that were built.
beforeAll(async () => {
  if (!isBuilt()) await buildAll();
}, 300_000);

const fromSource = ['--import', 'tsx', 'server/seed.ts'];

/** Compiling the sources takes each process two seconds, so only the first runs them as the command does. */
const seed = (env: Readonly<Record<string, string>>, ...args: readonly string[]) =>
  run([bundleServer('server/seed.ts'), ...args], env);

async function run(args: readonly string[], env: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, [...SHORT_LIVED, ...args], {
    cwd: projectRoot,
    env: { ...process.env, NODE_ENV: 'development', DATA_DIR: dataDir, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { code, stdout, stderr };
}

const open = () =>
  openDatabase({ dataDir, migrationsFolder: path.join(projectRoot, 'drizzle'), startWorker, log: recordLog() });

/** Old demo data may be deleted by age while the rest is written. */
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);

async function group(db: Database, text: string): Promise<Record<string, number>> {
  const { rows } = await db.query(text);
  return Object.fromEntries(rows.map(({ name, count }) => [String(name), Number(count)]));
}

/** Every page of the console has content, and the books balance. */
async function expectDemoData(db: Database): Promise<void> {
  expect(await checkBooks(db, { deletedBefore: daysAgo(30) })).toEqual([]);
  const videos = await group(db, 'select status as name, count(*) from videos group by status');
  expect(Object.keys(videos).toSorted()).toEqual(['completed', 'failed', 'in_progress', 'queued']);
  expect(videos.completed).toBeGreaterThan(50);
  const models = await group(db, 'select model as name, count(*) from videos group by model');
  expect(Object.keys(models).length).toBeGreaterThan(5);
  // As the product does it: the sandbox serves test mode, and the file of a finished video can be read or has expired.
  const providers = await group(
    db,
    "select provider as name, count(*) from videos where mode = 'test' and provider is not null group by provider",
  );
  expect(Object.keys(providers)).toEqual(['sandbox']);
  const { rows: unreadable } = await db.query(
    "select id from videos where status = 'completed' and provider <> 'sandbox' and expires_at > now()",
  );
  expect(unreadable).toEqual([]);
  const deliveries = await group(db, 'select state as name, count(*) from webhook_deliveries group by state');
  expect(Object.keys(deliveries)).toEqual(expect.arrayContaining(['delivered', 'failed', 'pending']));
  const days = await group(
    db,
    `select 'messages' as name, count(distinct created_at::date) from messages union all
     select kind, count(distinct started_at::date) from meters group by kind`,
  );
  expect(Object.keys(days).toSorted()).toEqual(['messages', 'speech', 'transcription']);
  expect(Math.min(...Object.values(days))).toBeGreaterThan(14);
  // A year for the pages about usage.
  const [year] = (
    await db.query(
      "select count(distinct day) as days, count(distinct to_char(day, 'YYYY-MM')) as months from usage_days",
    )
  ).rows;
  expect(Number(year?.days)).toBeGreaterThan(330);
  expect(Number(year?.months)).toBeGreaterThan(11);
  const keys = await group(
    db,
    `select 'revoked' as name, count(revoked_at) from api_keys union all
     select 'disabled', count(disabled_at) from api_keys union all
     select 'expired', count(*) from api_keys where expires_at < now() union all
     select 'limited', count(limit_period) from api_keys`,
  );
  expect(keys).toEqual({ revoked: 1, disabled: 1, expired: 1, limited: 2 });
  const { rows } = await db.query(
    "select available_nano_usd as available from accounts where mode = 'live' and org_id = (select org_id from videos limit 1)",
  );
  expect(rows.map(({ available }) => String(available))).toEqual(['420000000']);
  const team = await group(
    db,
    `select role as name, count(*) from members where org_id = (select org_id from videos limit 1) group by role
     union all select 'open invitations', count(*) from invitations where expires_at > now()
       and org_id = (select org_id from videos limit 1)
     union all select 'projects', count(*) from projects union all select 'alerts', count(*) from alerts
     union all select 'organisations of the owner', count(*) from members where role = 'owner'
       and user_id = (select user_id from members where role = 'owner' order by created_at limit 1)`,
  );
  expect(team).toEqual({
    owner: 1,
    admin: 1,
    developer: 2,
    viewer: 1,
    'open invitations': 2,
    projects: 3,
    alerts: 3,
    'organisations of the owner': 2,
  });
  for (const [table, least] of [
    ['message_contents', 50],
    ['session_contents', 5],
  ] as const) {
    const contents = await group(
      db,
      `select 'kept' as name, count(*) from ${table} where expires_at > now() union all
       select 'over', count(*) from ${table} where expires_at <= now()`,
    );
    expect(contents.kept).toBeGreaterThan(least);
    expect(contents.over).toBe(0);
  }
  const { rows: future } = await db.query('select id from videos where created_at > now()');
  expect(future).toEqual([]);
}

describe('the embedded database', () => {
  beforeAll(async () => {
    const { code, stdout, stderr } = await run(fromSource, {});
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('Demo data was written');
    expect(stdout).toContain('vera@team.example (viewer)');
  });

  it('is refused while it has videos', async () => {
    const { code, stderr } = await seed({});
    expect(code).toBe(1);
    expect(stderr).toContain('already has videos');
    expect(stderr).toContain('--force');
  });

  describe('opened by another process', () => {
    let db: Database;
    beforeAll(async () => {
      db = await open();
    });
    afterAll(() => db.close());

    it('has videos in every state, deliveries, weeks of usage, several keys and a low balance, and its books balance', () =>
      expectDemoData(db));

    it('has an owner whose password is hashed at the full cost', async () => {
      const { rows } = await db.query('select password_hash from users where operator_since is not null');
      expect(rows).toEqual([{ password_hash: expect.stringMatching(/^scrypt\$131072\$8\$1\$/) as string }]);
    });

    it('is refused', async () => {
      const { code, stderr } = await seed({}, '--force');
      expect(code).toBe(1);
      expect(stderr).toContain(dataDir);
      expect(stderr).not.toContain('    at ');
    });
  });
});

it('NODE_ENV=production is refused, even with --force', async () => {
  const { code, stderr } = await seed({ NODE_ENV: 'production' }, '--force');
  expect(code).toBe(1);
  expect(stderr).toContain('nothing was written');
});

it('an unknown option is refused with the help', async () => {
  const { code, stderr } = await seed({}, '--all');
  expect(code).toBe(2);
  expect(stderr).toContain('npm run seed');
});

describe.skipIf(!postgres)('an external database', () => {
  let env: Readonly<Record<string, string>>;
  let db: Database;
  beforeAll(async () => {
    const url = await postgres!.createDatabase();
    env = { ...sharedSecrets, DATABASE_URL: url };
    db = await openDatabaseAt(url);
  });
  afterAll(() => db.close());

  it('without an organisation is refused', async () => {
    const { code, stderr } = await seed(env);
    expect(code).toBe(1);
    expect(stderr).toContain('no organisation');
  });

  // The embedded one is filled in every run.
  it('with an organisation is filled', leftToGate(!isFullRun()), async () => {
    const owner = { BOOTSTRAP_OWNER_EMAIL: 'owner@example.com', BOOTSTRAP_OWNER_PASSWORD: 'a password for tests' };
    const { code, stderr } = await seed({ ...env, ...owner });
    expect([code, stderr]).toEqual([0, '']);
    await expectDemoData(db);
  });

  it('with --force is filled again', leftToGate(!isFullRun()), async () => {
    const { code, stderr } = await seed(env, '--force');
    expect([code, stderr]).toEqual([0, '']);
    expect(await checkBooks(db, { deletedBefore: daysAgo(30) })).toEqual([]);
  });
});
