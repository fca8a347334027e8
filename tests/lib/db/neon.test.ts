import { afterAll, describe, expect, it } from 'vitest';
import { checkBooks } from '../../../lib/db/check-books';
import { neonUrl, startNeonProxy } from '../../support/neon-proxy';
import { openDatabaseAt, startPostgres } from '../../support/postgres';
import { makeAcme } from '../videos/make-acme';

// Neon is a Postgres behind a WebSocket, with a driver of its own. This file tests what that driver must do beyond
// open-database.test.ts, which tests all three databases.

const postgres = await startPostgres();
const proxy = postgres && (await startNeonProxy(postgres.port));
afterAll(async () => {
  await proxy?.close();
  await postgres?.close();
});

/** For events that happen by themselves, on a machine that may be busy. */
const patience = { timeout: 60_000, interval: 10 };

describe.skipIf(!postgres)('Neon', () => {
  it('gives each of 1,000 rows to one of four simultaneous claimers', async () => {
    const options = { neonProxy: proxy!.address };
    const url = neonUrl(await postgres!.createDatabase());
    const claimers = await Promise.all(Array.from({ length: 4 }, () => openDatabaseAt(url, options)));
    const [first] = claimers;
    await first!.query('create table tasks (n int primary key, done_by int)');
    await first!.query('insert into tasks select generate_series(1, 1000)');
    const claimed: number[] = [];
    await Promise.all(
      claimers.map(async (db, claimer) => {
        for (;;) {
          const rows = await db.inTransaction(async (tx) => {
            const { rows: found } = await tx.query(
              'select n from tasks where done_by is null order by n limit 10 for update skip locked',
            );
            const numbers = found.map(({ n }) => Number(n));
            await tx.query('update tasks set done_by = $1 where n = any($2)', [claimer, numbers]);
            return numbers;
          });
          claimed.push(...rows);
          if (rows.length === 0) return;
        }
      }),
    );
    expect(claimed.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 1_000 }, (_, n) => n + 1));
    await Promise.all(claimers.map((db) => db.close()));
  });

  it('sets the timeouts of the server for every connection', async () => {
    const db = await openDatabaseAt(neonUrl(await postgres!.createDatabase()), { neonProxy: proxy!.address });
    const { rows } = await db.query(
      `select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock, current_setting('idle_in_transaction_session_timeout') as idle`,
    );
    expect(rows).toEqual([{ statement: '14s', lock: '3s', idle: '10s' }]);
    await db.close();
  });

  it('carries the whole product: a video is made, charged and delivered', async () => {
    const before = proxy!.connections();
    const acme = await makeAcme({
      databaseUrl: neonUrl(await postgres!.createDatabase()),
      neonProxy: proxy!.address,
    });
    expect(proxy!.connections()).toBeGreaterThan(before);
    const ids = await Promise.all(
      Array.from(
        { length: 5 },
        async (_, n) => (await acme.submit(acme.live, { seconds: 5, prompt: `number ${n}` })).id,
      ),
    );
    await acme.settle();
    await acme.pass(6_000);
    for (const id of ids) expect(await acme.read(acme.live, id)).toMatchObject({ status: 'completed', cost: 0.5 });
    expect(await acme.gateway.accounts.credits(acme.live)).toMatchObject({
      available: '22.5',
      held: '0',
      spent: '2.5',
    });
    expect(await checkBooks(acme.db, { quiet: true })).toEqual([]);
    await acme.close();
  });

  it('reports a broken connection as an error of the transaction, and continues', async () => {
    const db = await openDatabaseAt(neonUrl(await postgres!.createDatabase()), { neonProxy: proxy!.address });
    const broken = db.inTransaction(async (tx) => {
      await tx.query('create table pages (n int)');
      await postgres!.breakConnections();
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
    });
    await expect(broken).rejects.toThrow();
    await db.ping();
    await db.close();
  });
});
