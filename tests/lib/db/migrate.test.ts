import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Pool } from 'pg';
import { afterAll, afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { Database } from '../../../lib/db/database';
import { migrateDatabase } from '../../../lib/db/migrate';
import { openDatabase } from '../../../lib/db/open-database';
import { recordLog } from '../../support/log';
import { openDatabaseAt } from '../../support/postgres';
import { runPostgres } from '../../support/run-postgres';
import { startWorker } from '../../support/workers';

// Migrations of this test's own, applied while others use the database.

const postgres = runPostgres();
afterAll(() => postgres?.close());

let folder: string;
const opened: Database[] = [];
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'patchbay-migrations-'));
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((db) => db.close()));
  rmSync(folder, { recursive: true, force: true });
});

/** A folder of drizzle with these migrations, in order. */
function write(...files: readonly string[]): string {
  mkdirSync(path.join(folder, 'meta'), { recursive: true });
  const entries = files.map((file, idx) => {
    const tag = `000${idx}_test`;
    writeFileSync(path.join(folder, `${tag}.sql`), file);
    return { idx, version: '7', when: idx + 1, tag, breakpoints: true };
  });
  writeFileSync(
    path.join(folder, 'meta/_journal.json'),
    JSON.stringify({ version: '7', dialect: 'postgresql', entries }),
  );
  return folder;
}

const TABLE = 'create table films (id int primary key, name text)';
const INDEX =
  'drop index concurrently if exists films_name;--> statement-breakpoint\ncreate index concurrently films_name on films (name)';

const count = async (db: Database) =>
  Number((await db.query('select count(*) as n from drizzle.__drizzle_migrations')).rows[0]?.n);
const validIndexes = async (db: Database) =>
  (await db.query(`select indisvalid as valid from pg_index where indexrelid = 'films_name'::regclass`)).rows;

it('builds an index concurrently on the embedded database', async () => {
  const db = await openDatabase({ migrationsFolder: write(TABLE, INDEX), startWorker, log: recordLog() });
  opened.push(db);
  expect(await validIndexes(db)).toEqual([{ valid: true }]);
  expect(await count(db)).toBe(2);
});

describe.skipIf(!postgres)('on Postgres', () => {
  const open = async (url: string, log = recordLog()) => {
    const db = await openDatabaseAt(url, { migrationsFolder: folder, log });
    opened.push(db);
    return db;
  };
  /** A transaction with a lock that ends when the result is called. */
  async function hold(db: Database, statement: string): Promise<() => Promise<void>> {
    let end: () => void = () => {};
    const ended = new Promise<void>((resolve) => (end = resolve));
    let holding: Promise<void> = Promise.resolve();
    await new Promise<void>((held) => {
      holding = db.inTransaction(async (tx) => {
        await tx.query(statement);
        held();
        await ended;
      });
    });
    return () => {
      end();
      return holding;
    };
  }

  it('a migration that waits for a lock lets requests pass, and is applied when it gets the lock', async () => {
    const url = await postgres!.createDatabase();
    write(TABLE);
    const db = await open(url);
    const release = await hold(db, 'lock table films in access share mode');
    write(TABLE, 'alter table films add column seconds int');
    const log = recordLog();
    let isOpen = false;
    const migrated = open(url, log).then((newer) => {
      isOpen = true;
      return newer;
    });
    await expect.poll(() => log.lines.map(({ message }) => message)).toContain('a migration waits for a lock');
    // Each waits at most for one attempt, which is shorter than what a request waits for a lock.
    for (let request = 0; request < 3; request += 1) await db.query(`insert into films values (${request}, 'a')`);
    expect(isOpen).toBe(false);
    await release();
    const newer = await migrated;
    await newer.query('update films set seconds = 4');
    expect(await count(db)).toBe(2);
    expect(log.lines).toEqual([
      { level: 'warn', message: 'a migration waits for a lock', fields: { migration: '0001_test' } },
    ]);
  });

  it('a migration that never gets its lock ends the start with what to do, and changes nothing', async () => {
    const url = await postgres!.createDatabase();
    write(TABLE);
    const db = await open(url);
    const release = await hold(db, 'lock table films in access share mode');
    write(TABLE, 'create table later (id int);--> statement-breakpoint\nalter table films add column seconds int');
    const pool = new Pool({ connectionString: url });
    onTestFinished(() => pool.end());
    const options = { migrationsFolder: folder, log: recordLog(), maxLockAttempts: 2 };
    await expect(migrateDatabase(pool, options)).rejects.toThrow(
      /^The migration 0001_test did not get its lock.*pg_stat_activity/,
    );
    await release();
    expect(await count(db)).toBe(1);
    // The lock of the migrations is free again, and the next start succeeds.
    await migrateDatabase(pool, options);
    expect(await count(db)).toBe(2);
  });

  it('four instances build an index concurrently once, while rows are written', async () => {
    const url = await postgres!.createDatabase();
    write(TABLE);
    const db = await open(url);
    const release = await hold(db, `insert into films values (1, 'open')`);
    write(TABLE, INDEX);
    const starts = Promise.all([open(url), open(url), open(url), open(url)]);
    // The build waits for the open transaction, and the others for the build.
    await expect.poll(async () => (await db.query(`select 1 from pg_stat_progress_create_index`)).rows.length).toBe(1);
    await db.query(`insert into films values (2, 'meanwhile')`);
    await release();
    await starts;
    expect(await validIndexes(db)).toEqual([{ valid: true }]);
    expect(await count(db)).toBe(2);
  });

  it('a concurrent build that was broken off is repeated from its beginning', async () => {
    const url = await postgres!.createDatabase();
    write(TABLE);
    const db = await open(url);
    await db.query(`insert into films values (1, 'same'), (2, 'same')`);
    write(TABLE, INDEX.replace('create index', 'create unique index'));
    await expect(open(url)).rejects.toThrow();
    expect(await validIndexes(db)).toEqual([{ valid: false }]);
    expect(await count(db)).toBe(1);
    await db.query(`update films set name = 'other' where id = 2`);
    await open(url);
    expect(await validIndexes(db)).toEqual([{ valid: true }]);
    expect(await count(db)).toBe(2);
  });

  it('a migration that fails leaves those before it applied, and nothing of itself', async () => {
    const url = await postgres!.createDatabase();
    const failing = 'create table later (id int);--> statement-breakpoint\nselect 1 / 0';
    write(TABLE, failing);
    await expect(open(url)).rejects.toThrow('division by zero');
    write(TABLE, failing.replace('1 / 0', '1'));
    const db = await open(url);
    expect(await count(db)).toBe(2);
  });

  it('the version before starts on the newer schema and leaves it as it is', async () => {
    const url = await postgres!.createDatabase();
    write(TABLE, 'alter table films add column seconds int');
    await open(url);
    write(TABLE);
    const db = await open(url);
    await db.query('insert into films (id, seconds) values (1, 5)');
    expect(await count(db)).toBe(2);
  });
});
