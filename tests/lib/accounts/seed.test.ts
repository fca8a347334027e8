import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { seedFirstRun, type SeedDeps, type Seeded } from '../../../lib/accounts/seed';
import { webhookSecretOf } from '../../../lib/accounts/webhook-secret';
import { createLedger } from '../../../lib/billing/ledger';
import type { Database } from '../../../lib/db/database';
import type { Mode } from '../../../lib/domain/video';
import { openTestDatabase } from '../../support/database';
import { cheapPasswords } from '../../support/passwords';
import { handClock, makeAccounts, sealer } from './make-accounts';

let db: Database;
let dataDir: string;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.close());
beforeEach(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'patchbay-seed-'));
});
afterEach(async () => {
  await rm(dataDir, { recursive: true, force: true });
  await db.query(
    'truncate organizations, users, members, api_keys, projects, spending, accounts, ledger_entries cascade',
  );
});

const clock = handClock();
const ledger = createLedger({ clock });
const deps = (other: Partial<SeedDeps> = {}): SeedDeps => ({
  db,
  ledger,
  sealer,
  clock,
  passwords: cheapPasswords(),
  baseUrl: 'http://127.0.0.1:3000',
  dataDir,
  embedded: true,
  ...other,
});
const file = () => path.join(dataDir, 'first-run.json');
const files = () => readdir(dataDir);
const count = async (table: string) => Number((await db.query(`select count(*) as n from ${table}`)).rows[0]?.n);

/** Checks that the contents of the file work: both keys, the password and the webhook secret. */
async function expectUsable(): Promise<Seeded & { kind: 'first-run' }> {
  const firstRun = JSON.parse(await readFile(file(), 'utf8'));
  const { accounts } = makeAccounts(db, clock);
  const test = await accounts.authenticate({ apiKey: firstRun.keys.test }, '::1');
  const live = await accounts.authenticate({ apiKey: firstRun.keys.live }, '::1');
  expect(test).toMatchObject({ mode: 'test', policy: { scopes: ['inference'] } });
  expect(live).toMatchObject({ mode: 'live', orgId: test.orgId, policy: { scopes: ['inference', 'manage'] } });
  expect(await accounts.verifyPassword(firstRun.owner.email, firstRun.owner.password)).toMatchObject({
    isOperator: true,
    memberships: [{ role: 'owner', orgId: test.orgId }],
  });
  expect(await accounts.credits({ orgId: test.orgId, mode: 'live' })).toMatchObject({ available: '25' });
  expect(await accounts.credits({ orgId: test.orgId, mode: 'test' })).toMatchObject({ available: '1000' });
  const { rows } = await db.query('select webhook_secret from organizations');
  expect(sealer.open(String(rows[0]?.webhook_secret), webhookSecretOf(test.orgId))).toBe(firstRun.webhook_secret);
  expect(await files()).toEqual(['first-run.json']);
  return { kind: 'first-run', file: file(), firstRun };
}

describe('seedFirstRun › an empty embedded database', () => {
  it('gets an organisation, an owner, two keys and credits, and a file that says so', async () => {
    const seeded = await seedFirstRun(deps());
    expect(await expectUsable()).toEqual(seeded);
    const text = await readFile(file(), 'utf8');
    expect(JSON.parse(text)).toEqual({
      base_url: 'http://127.0.0.1:3000',
      console_url: 'http://127.0.0.1:3000/console',
      owner: { email: 'owner@patchbay.local', password: expect.stringMatching(/^[a-z2-9]{4}(-[a-z2-9]{4}){4}$/) },
      keys: { test: expect.stringMatching(/^pb_test_/), live: expect.stringMatching(/^pb_live_/) },
      webhook_secret: expect.stringMatching(/^whsec_/),
    });
    const names = (await db.query('select name, mode from api_keys order by mode')).rows;
    expect(names).toEqual([
      { name: 'First live key', mode: 'live' },
      { name: 'First test key', mode: 'test' },
    ]);
    expect((await db.query('select name from organizations')).rows).toEqual([{ name: 'My organisation' }]);
  });

  it.skipIf(process.platform === 'win32')(
    'keeps the file readable for its owner alone, even if an older one was readable for all',
    async () => {
      await writeFile(`${file()}.pending`, 'left over', { mode: 0o666 });
      await chmod(`${file()}.pending`, 0o666);
      await seedFirstRun(deps());
      expect((await stat(file())).mode & 0o777).toBe(0o600);
      await expectUsable();
    },
  );

  it('creates a missing data directory', async () => {
    const nested = path.join(dataDir, 'a', 'b');
    await seedFirstRun(deps({ dataDir: nested }));
    expect(await readdir(nested)).toEqual(['first-run.json']);
  });

  it('is seeded once, by the first of several processes', async () => {
    const outcomes = await Promise.all([seedFirstRun(deps()), seedFirstRun(deps()), seedFirstRun(deps())]);
    expect(outcomes.filter((outcome) => outcome !== undefined)).toHaveLength(1);
    expect(await count('organizations')).toBe(1);
    expect(await count('api_keys')).toBe(2);
    await expectUsable();
  });

  it('leaves no password, key or webhook secret in the database', async () => {
    const seeded = await seedFirstRun(deps());
    if (seeded?.kind !== 'first-run') throw new Error('It was not seeded.');
    const tables = ['organizations', 'users', 'members', 'api_keys', 'ledger_entries'];
    const dump = JSON.stringify(
      await Promise.all(tables.map(async (table) => (await db.query(`select ${table}::text from ${table}`)).rows)),
    );
    const { owner, keys, webhook_secret } = seeded.firstRun;
    for (const secret of [owner.password, keys.test.slice(8, 38), keys.live.slice(8, 38), webhook_secret.slice(6)])
      expect(dump).not.toContain(secret);
    expect(dump).toContain(owner.email);
  });
});

describe('seedFirstRun › a later start', () => {
  it('changes nothing, even if the file was removed', async () => {
    await seedFirstRun(deps());
    const before = await readFile(file(), 'utf8');
    expect(await seedFirstRun(deps({ baseUrl: 'http://127.0.0.1:4000' }))).toBeUndefined();
    expect(await readFile(file(), 'utf8')).toBe(before);
    await rm(file());
    expect(await seedFirstRun(deps())).toBeUndefined();
    expect(await files()).toEqual([]);
    expect(await count('api_keys')).toBe(2);
  });

  it('replaces the file of a deleted database', async () => {
    await writeFile(file(), '{"of":"another database"}');
    await seedFirstRun(deps());
    await expectUsable();
  });
});

describe('seedFirstRun › the process ends', () => {
  class Crash extends Error {}
  const crash = (): never => {
    throw new Crash();
  };
  const crashing = (inTransaction: Database['inTransaction']) =>
    expect(seedFirstRun(deps({ db: { ...db, inTransaction } }))).rejects.toThrow(Crash);

  it('before anything was written: the next start seeds', async () => {
    await crashing(() => Promise.reject(new Crash()));
    expect(await files()).toEqual([]);
    expect(await seedFirstRun(deps())).toEqual(await expectUsable());
  });

  it('after the pending file, before the commit: the next start seeds anew, with other secrets', async () => {
    await crashing((run) =>
      db.inTransaction(async (tx) => {
        await run(tx);
        return crash();
      }),
    );
    expect(await files()).toEqual(['first-run.json.pending']);
    expect(await count('organizations')).toBe(0);
    const lost = await readFile(`${file()}.pending`, 'utf8');
    expect(await seedFirstRun(deps())).toEqual(await expectUsable());
    expect(await readFile(file(), 'utf8')).not.toBe(lost);
  });

  it('after the commit, before the file has its name: the next start names it and says what is in it', async () => {
    await crashing(async (run) => {
      await db.inTransaction(run);
      return crash();
    });
    expect(await files()).toEqual(['first-run.json.pending']);
    expect(await count('organizations')).toBe(1);
    expect(await seedFirstRun(deps())).toEqual(await expectUsable());
    expect(await seedFirstRun(deps())).toBeUndefined();
  });

  it('there too when the file of an earlier database exists', async () => {
    await writeFile(file(), '{"of":"another database"}');
    await crashing(async (run) => {
      await db.inTransaction(run);
      return crash();
    });
    await seedFirstRun(deps());
    await expectUsable();
  });

  it('in the middle of writing the pending file: the next start seeds', async () => {
    await writeFile(`${file()}.pending`, '{"base_url":"http://127.0.0.1:3000","own');
    expect(await seedFirstRun(deps())).toEqual(await expectUsable());
  });

  it('with a pending file of another database: the next start deletes it', async () => {
    await seedFirstRun(deps());
    const right = await readFile(file(), 'utf8');
    const other = { ...JSON.parse(right), keys: { test: 'pb_test_of_another', live: 'pb_live_of_another' } };
    await writeFile(`${file()}.pending`, JSON.stringify(other));
    expect(await seedFirstRun(deps())).toBeUndefined();
    expect(await files()).toEqual(['first-run.json']);
    expect(await readFile(file(), 'utf8')).toBe(right);
  });

  it('because the file cannot be written: nothing is seeded', async () => {
    await mkdir(`${file()}.pending`);
    await expect(seedFirstRun(deps())).rejects.toThrow();
    expect(await count('organizations')).toBe(0);
    expect(await count('api_keys')).toBe(0);
  });
});

describe('seedFirstRun › an external database', () => {
  const bootstrap = { email: 'Boss@Example.com', password: 'a long password' };

  it('gets nothing by default', async () => {
    expect(await seedFirstRun(deps({ embedded: false }))).toBeUndefined();
    expect(await count('organizations')).toBe(0);
    expect(await files()).toEqual([]);
  });

  it('gets the owner that the operator named, once, without keys, live credits or a file', async () => {
    const outcomes = await Promise.all([1, 2].map(() => seedFirstRun(deps({ embedded: false, bootstrap }))));
    expect(outcomes.filter((outcome) => outcome !== undefined)).toEqual([{ kind: 'owner', email: 'boss@example.com' }]);
    const { accounts } = makeAccounts(db, clock);
    const owner = await accounts.verifyPassword('boss@example.com', bootstrap.password);
    const [membership] = owner?.memberships ?? [];
    expect(membership).toMatchObject({ role: 'owner' });
    expect(owner?.isOperator).toBe(true);
    expect(await count('api_keys')).toBe(0);
    expect(await count('users')).toBe(1);
    expect(await files()).toEqual([]);
    const credits = (mode: Mode) => membership && accounts.credits({ orgId: membership.orgId, mode });
    expect(await credits('live')).toMatchObject({ available: '0' });
    expect(await credits('test')).toMatchObject({ available: '1000' });
  });

  it('keeps its owner', async () => {
    await seedFirstRun(deps({ embedded: false, bootstrap }));
    expect(
      await seedFirstRun(
        deps({ embedded: false, bootstrap: { email: 'other@example.com', password: 'another password' } }),
      ),
    ).toBeUndefined();
    expect((await db.query('select email from users')).rows).toEqual([{ email: 'boss@example.com' }]);
  });
});
