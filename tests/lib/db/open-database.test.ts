import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../../lib/db/database';
import { DatabaseUnreachable, isNeon, openDatabase } from '../../../lib/db/open-database';
import { isDatabaseFailure } from '../../../lib/domain/database-failure';
import { projectRoot, startWorker, openTestDatabase } from '../../support/database';
import { recordLog } from '../../support/log';
import { neonUrl, startNeonProxy } from '../../support/neon-proxy';
import { openDatabaseAt } from '../../support/postgres';
import { runPostgres } from '../../support/run-postgres';

// The three ways to a database behave the same for everything above them: each test runs on all of them.

const postgres = runPostgres();
const proxy = postgres && (await startNeonProxy(postgres.port));
afterAll(async () => {
  await proxy?.close();
  await postgres?.close();
});

describe('on the embedded database', () => databaseSuite({ open: openTestDatabase, connections: 1 }));
describe.skipIf(!postgres)('on Postgres', () =>
  databaseSuite({ open: async () => openDatabaseAt(await postgres!.createDatabase()), connections: 10 }),
);
describe.skipIf(!postgres)('on Neon', () => {
  databaseSuite({
    open: async () => openDatabaseAt(neonUrl(await postgres!.createDatabase()), { neonProxy: proxy!.address }),
    connections: 10,
  });

  it('goes through the proxy', () => {
    expect(proxy!.connections()).toBeGreaterThan(0);
  });
});

it('a server that does not answer is named by its setting', async () => {
  const opening = openDatabase({
    url: 'postgres://127.0.0.1:1/patchbay',
    migrationsFolder: path.join(projectRoot, 'drizzle'),
    startWorker,
    log: recordLog(),
  });
  await expect(opening).rejects.toThrow(DatabaseUnreachable);
  await expect(opening).rejects.toThrow(
    'The database does not answer, or refuses the sign-in (ECONNREFUSED). Check DATABASE_URL and that it can be reached.',
  );
});

function databaseSuite({ open, connections }: { open: () => Promise<Database>; connections: number }): void {
  let db: Database;
  beforeAll(async () => {
    db = await open();
    await db.query('create table pages (n int primary key, name text, at timestamptz)');
  });
  afterAll(() => db.close());
  const pages = async () => (await db.query('select n from pages order by n')).rows.map(({ n }) => n);

  it('has the tables of the product', async () => {
    const { rows } = await db.query(
      `select count(*)::int as n from information_schema.tables where table_name in ('accounts', 'videos', 'ledger_entries')`,
    );
    expect(rows).toEqual([{ n: 3 }]);
    await db.ping();
  });

  it('commits what a transaction did when it resolves, then runs what waits for the commit', async () => {
    const seen: string[] = [];
    await db.inTransaction(async (tx) => {
      tx.afterCommit(() => seen.push('after'));
      await tx.query('insert into pages values ($1)', [1]);
      seen.push('inside');
    });
    expect(seen).toEqual(['inside', 'after']);
    expect(await pages()).toEqual([1]);
  });

  it('leaves nothing behind when it rejects, and the connection serves the next', async () => {
    const seen: string[] = [];
    const broken = db.inTransaction(async (tx) => {
      tx.afterCommit(() => seen.push('after'));
      await tx.query('insert into pages values (2)');
      throw new Error('no');
    });
    await expect(broken).rejects.toThrow('no');
    expect(seen).toEqual([]);
    expect(await pages()).toEqual([1]);
  });

  it('rejects with the error of a statement, and leaves nothing behind', async () => {
    const broken = db.inTransaction(async (tx) => {
      await tx.query('insert into pages values (3)');
      await tx.query('insert into pages values (1)');
    });
    await expect(broken).rejects.toMatchObject({ code: '23505' });
    expect(await pages()).toEqual([1]);
  });

  it('does not treat a transaction as committed when an error in it was swallowed', async () => {
    const seen: string[] = [];
    const broken = db.inTransaction(async (tx) => {
      tx.afterCommit(() => seen.push('after'));
      await tx.query('insert into pages values (4)');
      await tx.query('insert into pages values (1)').catch(() => undefined);
    });
    await expect(broken).rejects.toThrow('could not be committed');
    expect(seen).toEqual([]);
    expect(await pages()).toEqual([1]);
  });

  it('hides the changes of a transaction until it commits', async () => {
    let proceed: () => void = () => {};
    const waiting = new Promise<void>((resolve) => (proceed = resolve));
    const writing = db.inTransaction(async (tx) => {
      await tx.query('insert into pages values (5)');
      await waiting;
    });
    // With one connection the reader waits for the writer; with several it does not wait.
    const reading = pages();
    if (connections > 1) expect(await reading).toEqual([1]);
    proceed();
    await writing;
    if (connections === 1) expect(await reading).toEqual([1, 5]);
    expect(await pages()).toEqual([1, 5]);
  });

  it('runs 20 transactions that begin at once, with any number of connections', async () => {
    await db.query('delete from pages');
    const addPage = () =>
      db.inTransaction(async (tx) => {
        await tx.query('lock table pages in exclusive mode');
        const { rows } = await tx.query('select coalesce(max(n), 0)::int as n from pages');
        await tx.query('insert into pages values ($1)', [Number(rows[0]?.n) + 1]);
      });
    // On a busy machine a transaction may find no free connection in time; then it has not begun, and is retried.
    const untilBegun = (error: Error): Promise<void> => {
      if (error.message !== 'timeout exceeded when trying to connect') throw error;
      return addPage().catch(untilBegun);
    };
    await Promise.all(Array.from({ length: 20 }, () => addPage().catch(untilBegun)));
    expect(await pages()).toEqual(Array.from({ length: 20 }, (_, n) => n + 1));
  });

  it('returns texts and instants as they were written', async () => {
    const at = new Date('2026-11-21T12:00:00.123Z');
    const name = `Grüße, 世界 🎬 '; drop table pages; --`;
    await db.query('insert into pages values ($1, $2, $3)', [100, name, at]);
    expect((await db.query('select * from pages where n = 100')).rows).toEqual([{ n: 100, name, at }]);
  });

  it('answers requests after its end with the error of a lost database', async () => {
    const other = await open();
    await other.close();
    await other.close();
    const asked = await other.query('select 1').catch((error: unknown) => error);
    expect(isDatabaseFailure(asked)).toBe(true);
  });
}

describe('isNeon', () => {
  it.each([
    ['postgres://u:p@ep-cool-123.eu-central-1.aws.neon.tech/db', true],
    ['postgres://u:p@ep-cool-123-pooler.eu-central-1.aws.neon.tech:5432/db?sslmode=require', true],
    ['postgres://u:p@neon.tech.example.com/db', false],
    ['postgres://u:p@myneon.tech/db', false],
    ['postgres://neon.tech@127.0.0.1/db', false],
  ])('of %s is %s', (url, expected) => {
    expect(isNeon(url)).toBe(expected);
  });
});
