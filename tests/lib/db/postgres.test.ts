import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import type { Database } from '../../../lib/db/database';
import { isDatabaseFailure } from '../../../lib/domain/database-failure';
import { createQueue } from '../../../lib/jobs/queue';
import { checkBooks } from '../../../lib/db/check-books';
import { createTestClock } from '../../support/clock';
import { projectRoot } from '../../support/database';
import { recordLog } from '../../support/log';
import { openDatabaseAt, startPostgres } from '../../support/postgres';
import { makeAcme } from '../videos/make-acme';
import { loseLeases } from '../../support/jobs';

// What only an external server can cause: several instances at once, broken connections, restarts, silence.

const postgres = await startPostgres();
afterAll(() => postgres?.close());

/** For events that happen by themselves, on a machine that may be busy. */
const patience = { timeout: 60_000, interval: 10 };

const opened: Database[] = [];
const open = async (...given: Parameters<typeof openDatabaseAt>) => {
  const db = await openDatabaseAt(...given);
  opened.push(db);
  return db;
};
afterEach(async () => {
  postgres?.resume();
  await Promise.all(opened.splice(0).map((db) => db.close()));
});

describe.skipIf(!postgres)('migrations', () => {
  const journal = JSON.parse(readFileSync(path.join(projectRoot, 'drizzle/meta/_journal.json'), 'utf8')) as {
    entries: unknown[];
  };

  it('are applied once by four instances that start at the same time on an empty database, and not again by a later one', async () => {
    const url = await postgres!.createDatabase();
    const clock = createTestClock();
    const start = async () => {
      const db = await open(url);
      await (await createQueue({ db, clock, log: recordLog(), exclusive: false })).stop(0);
      return db;
    };
    const [first] = await Promise.all([start(), start(), start(), start()]);
    await start();
    expect((await first!.query('select count(*)::int as n from drizzle.__drizzle_migrations')).rows).toEqual([
      { n: journal.entries.length },
    ]);
  });

  it('may wait for those of another instance longer than a query of a request may take', async () => {
    const url = await postgres!.createDatabase();
    const other = await open(url);
    let proceed: () => void = () => {};
    const held = new Promise<void>((resolve) => (proceed = resolve));
    let holding: Promise<void> = Promise.resolve();
    await new Promise<void>((locked) => {
      holding = other.inTransaction(async (tx) => {
        await tx.query('select pg_advisory_xact_lock(7285101)');
        locked();
        await held;
      });
    });
    const late = open(url, { queryTimeoutMs: 50 });
    const isLate = late.then(
      () => 'open',
      () => 'failed',
    );
    // Several times the limit.
    expect(await Promise.race([isLate, other.query('select pg_sleep(0.5)').then(() => 'waiting')])).toBe('waiting');
    proceed();
    await holding;
    await (await late).ping();
  });
});

describe.skipIf(!postgres)('a connection that breaks', () => {
  it('between the statements of a transaction is an error of that transaction, and the process continues', async () => {
    const db = await open(await postgres!.createDatabase());
    await db.query('create table pages (n int)');
    const broken = db.inTransaction(async (tx) => {
      await tx.query('insert into pages values (1)');
      await postgres!.breakConnections();
      // The break arrives while no query is running.
      await expect
        .poll(
          () =>
            tx.query('select 1').then(
              () => 'answers',
              () => 'broken',
            ),
          patience,
        )
        .toBe('broken');
      await tx.query('insert into pages values (2)');
    });
    expect(isDatabaseFailure(await broken.catch((error: unknown) => error))).toBe(true);
    expect((await db.query('select * from pages')).rows).toEqual([]);
  });

  it('during a query is an error of that query alone', async () => {
    const db = await open(await postgres!.createDatabase());
    const sleeping = [db.query('select pg_sleep(60)'), db.inTransaction((tx) => tx.query('select pg_sleep(60)'))].map(
      (asked) => asked.catch((error: unknown) => error),
    );
    await expect
      .poll(
        async () =>
          (await db.query(`select count(*)::int as n from pg_stat_activity where wait_event = 'PgSleep'`)).rows,
        patience,
      )
      .toEqual([{ n: 2 }]);
    await postgres!.breakConnections();
    for (const error of await Promise.all(sleeping)) expect(isDatabaseFailure(error)).toBe(true);
    // The idle connection was cut too, and its end may not have arrived yet.
    await expect
      .poll(
        () =>
          db.ping().then(
            () => 'answers',
            () => 'broken',
          ),
        patience,
      )
      .toBe('answers');
  });

  it('while it is idle is replaced', async () => {
    const log = recordLog();
    const db = await open(await postgres!.createDatabase(), { log });
    await Promise.all(Array.from({ length: 10 }, () => db.ping()));
    await postgres!.breakConnections();
    await expect
      .poll(() => log.lines.filter(({ message }) => message === 'a database connection broke').length, patience)
      .toBeGreaterThanOrEqual(10);
    await Promise.all(Array.from({ length: 10 }, () => db.ping()));
  });
});

describe.skipIf(!postgres)('a server that does not answer', () => {
  it('costs a request its bounded wait and no more, and is used again when it answers', async () => {
    const db = await open(await postgres!.createDatabase(), { poolSize: 2, queryTimeoutMs: 4_000 });
    await Promise.all([db.ping(), db.ping()]);
    await postgres!.pause();
    const timed = async (asked: Promise<unknown>) => {
      const begun = performance.now();
      const error = await asked.catch((reason: unknown) => reason);
      expect(isDatabaseFailure(error)).toBe(true);
      return performance.now() - begun;
    };
    const inHand = [timed(db.query('select 1')), timed(db.inTransaction((tx) => tx.query('select 1')))];
    const waiting = Array.from({ length: 20 }, () => timed(db.query('select 1')));
    // Requests that find the pool exhausted fail within about a second and a half; those with a connection fail at the
    // query's limit, and the one in a transaction does not wait a second time for its rollback.
    for (const ms of await Promise.all(waiting)) expect(ms).toBeLessThan(3_500);
    for (const ms of await Promise.all(inHand)) expect(ms).toBeLessThan(7_500);
    postgres!.resume();
    await expect
      .poll(
        () =>
          db.ping().then(
            () => 'answers',
            () => 'silent',
          ),
        patience,
      )
      .toBe('answers');
  });
});

describe.skipIf(!postgres)('the timeouts of the server', () => {
  const failed = (asked: Promise<unknown>) =>
    asked.then(
      () => 'done',
      (error: unknown) => (isDatabaseFailure(error) ? 'database_unavailable' : error),
    );

  it('end the wait for a row that an idle transaction has locked, and after ten seconds that transaction', async () => {
    const url = await postgres!.createDatabase();
    // Two processes; the first one hangs in its transaction, as a host without a network does.
    const [stuck, other] = [await open(url), await open(url)];
    await other.query('create table credits (n int)');
    await other.query('insert into credits values (1)');
    let goOn: () => void = () => {};
    let hanging: Promise<unknown> = Promise.resolve();
    await new Promise<void>((locked) => {
      hanging = failed(
        stuck.inTransaction(async (tx) => {
          await tx.query('update credits set n = 2');
          locked();
          await new Promise<void>((resolve) => (goOn = resolve));
          await tx.query('select 1');
        }),
      );
    });
    const begun = performance.now();
    expect(await failed(other.query('update credits set n = 3'))).toBe('database_unavailable');
    expect(performance.now() - begun).toBeLessThan(9_000);
    await expect
      .poll(() => failed(other.query('update credits set n = 3')), { timeout: 40_000, interval: 100 })
      .toBe('done');
    goOn();
    expect(await hanging).toBe('database_unavailable');
    expect((await other.query('select n from credits')).rows).toEqual([{ n: 3 }]);
  });

  it('end a statement that its caller has abandoned, so that none runs on', async () => {
    const url = await postgres!.createDatabase();
    const [impatient, other] = [await open(url, { queryTimeoutMs: 1_000 }), await open(url)];
    expect(await failed(impatient.query('select pg_sleep(60)'))).toBe('database_unavailable');
    await expect
      .poll(
        async () =>
          (await other.query(`select count(*)::int as n from pg_stat_activity where wait_event = 'PgSleep'`)).rows,
        patience,
      )
      .toEqual([{ n: 0 }]);
  });

  it('are set for every connection, and are not startup parameters, which poolers refuse', async () => {
    const db = await open(await postgres!.createDatabase(), { poolSize: 3 });
    const read = () =>
      db.inTransaction(
        async (tx) =>
          (
            await tx.query(
              `select current_setting('statement_timeout') || ' ' || current_setting('lock_timeout') || ' ' || current_setting('idle_in_transaction_session_timeout') as set, pg_sleep(0.2)`,
            )
          ).rows[0]?.set,
      );
    expect(await Promise.all([read(), read(), read()])).toEqual(Array(3).fill('14s 3s 10s'));
    const { rows } = await db.query(`select name from pg_settings where name like '%timeout' and source = 'client'`);
    expect(rows).toEqual([]);
  });

  it('do not end a migration', async () => {
    const migrations = await mkdtemp(path.join(tmpdir(), 'patchbay-migrations-'));
    await mkdir(path.join(migrations, 'meta'));
    await writeFile(
      path.join(migrations, 'meta/_journal.json'),
      JSON.stringify({
        version: '7',
        dialect: 'postgresql',
        entries: [{ idx: 0, version: '7', when: 1, tag: '0000_slow', breakpoints: true }],
      }),
    );
    await writeFile(path.join(migrations, '0000_slow.sql'), 'select pg_sleep(1.5);');
    const db = await open(await postgres!.createDatabase(), { migrationsFolder: migrations, queryTimeoutMs: 500 });
    expect((await db.query('select count(*)::int as n from drizzle.__drizzle_migrations')).rows).toEqual([{ n: 1 }]);
    await rm(migrations, { recursive: true });
  });
});

describe.skipIf(!postgres)('the gateway on an external database', () => {
  it('makes, charges and delivers a video like the embedded one', async () => {
    const acme = await makeAcme({ databaseUrl: await postgres!.createDatabase() });
    const { id } = await acme.submit(acme.live, { seconds: 5 });
    await acme.settle();
    await acme.pass(6_000);
    expect(await acme.read(acme.live, id)).toMatchObject({ status: 'completed', cost: 0.5 });
    expect(await acme.gateway.accounts.credits(acme.live)).toMatchObject({
      available: '24.5',
      held: '0',
      spent: '0.5',
    });
    expect(await checkBooks(acme.db, { quiet: true })).toEqual([]);
    await acme.close();
  });

  it('shares the jobs with a second instance, and runs each once', async () => {
    const databaseUrl = await postgres!.createDatabase();
    const first = await makeAcme({ databaseUrl });
    const second = await makeAcme({
      databaseUrl,
      clock: first.clock,
      providers: [first.alpha, first.beta, first.stage].map(({ definition }) => definition),
      testProvider: first.stage.definition,
    });
    const submitted: { id: string }[] = [];
    // In small groups: a request waits only a moment for a connection, which a busy machine does not always have.
    for (let n = 0; n < 40; n += 4) {
      const group = [first, second, first, second].map((instance, at) =>
        instance.submit(first.live, { seconds: 3, prompt: `number ${n + at}` }),
      );
      submitted.push(...(await Promise.all(group)));
    }
    await first.settle();
    // A job that finds no free connection on a busy machine runs a little later.
    await expect
      .poll(async () => {
        await first.pass(6_000);
        return (await first.gateway.accounts.credits(first.live)).held;
      })
      .toBe('0');
    expect(first.alpha.calls.starts.map(({ videoId }) => videoId).toSorted()).toEqual(
      submitted.map(({ id }) => id).toSorted(),
    );
    expect(await first.gateway.accounts.credits(first.live)).toMatchObject({ available: '13', held: '0', spent: '12' });
    const finished = ({ log }: { log: { lines: { message: string }[] } }) =>
      log.lines.filter(({ message }) => message === 'a video finished').length;
    expect(finished(first) + finished(second)).toBe(40);
    expect(await checkBooks(first.db, { quiet: true })).toEqual([]);
    await second.close();
    await first.close();
  });

  it('survives restarts and broken connections under load: a request succeeds or fails clearly, and accepted work finishes', async () => {
    const acme = await makeAcme({ databaseUrl: await postgres!.createDatabase() });
    const accepted: string[] = [];
    const unexpected: unknown[] = [];
    let told = 0;
    let over = false;
    const load = Array.from({ length: 8 }, async (_, worker) => {
      for (let n = 0; !over; n += 1) {
        try {
          accepted.push((await acme.submit(acme.test, { seconds: 3, prompt: `${worker} ${n}` })).id);
        } catch (error) {
          told += 1;
          if (!isDatabaseFailure(error)) unexpected.push(error);
          over ||= unexpected.length > 0;
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
      }
    });
    const grows = async (by: number) => {
      const goal = accepted.length + by;
      await expect.poll(() => accepted.length, patience).toBeGreaterThan(goal);
    };
    for (const harm of [postgres!.breakConnections, postgres!.restart, postgres!.breakConnections]) {
      await grows(30);
      await harm();
    }
    await grows(30);
    over = true;
    await Promise.all(load);
    expect(told).toBeGreaterThan(0);
    expect(unexpected).toEqual([]);

    // Jobs whose runner lost its connection return with their lease, which has expired for those here.
    await loseLeases(acme.db);
    await acme.settle();
    for (let round = 0; round < 5; round += 1) await acme.pass(6_000);
    for (const id of accepted) expect((await acme.read(acme.test, id)).status).toMatch(/completed|failed/);
    expect(await checkBooks(acme.db, { quiet: true })).toEqual([]);
    await acme.close();
  });
});
