import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { DirectoryInUse } from '../../../lib/db/directory-lock';
import { openEmbedded } from '../../../lib/db/embedded';
import { openDatabase } from '../../../lib/db/open-database';
import { isDatabaseFailure } from '../../../lib/domain/database-failure';
import { bundleServer } from '../../support/bundle-server';
import { openEmbeddedTestDatabase, projectRoot, startWorker } from '../../support/database';
import { recordLog } from '../../support/log';
import { SHORT_LIVED } from '../../support/project';

let home: string;
beforeAll(() => {
  home = mkdtempSync(path.join(tmpdir(), 'patchbay-embedded-'));
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

/** A data directory with a migrated database: making one takes seconds, unpacking one does not. */
function makeDataDir(name: string): string {
  const dataDir = path.join(home, name);
  mkdirSync(path.join(dataDir, 'database'), { recursive: true });
  execFileSync('tar', ['-xf', inject('databaseTemplate'), '-C', path.join(dataDir, 'database')], { stdio: 'ignore' });
  return dataDir;
}

/** Works for seconds. */
const LONG_QUERY = 'select sum(sqrt(n)) from generate_series(1, 3000000) n';
const migrationsFolder = path.join(projectRoot, 'drizzle');

describe('the embedded database', () => {
  it('keeps every acknowledged row of a killed process, and opens again at once', { timeout: 120_000 }, async () => {
    const dataDir = makeDataDir('killed');
    const numbers = (length: number) => Array.from({ length }, (_, n) => n).join(',');
    let acknowledged = 0;
    // The child starts it.
    bundleServer('lib/db/pglite-worker.ts');
    for (const killAfter of [40, 1, 150, 12]) {
      const child = spawn(process.execPath, [...SHORT_LIVED, bundleServer('tests/lib/db/insert-child.ts'), dataDir], {
        cwd: projectRoot,
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const gone = once(child, 'exit');
      let left = killAfter;
      for await (const line of createInterface({ input: child.stdout })) {
        if (line.startsWith('found ')) {
          // One that was committed but not yet printed may exist too.
          expect([numbers(acknowledged), numbers(acknowledged + 1)]).toContain(line.slice('found '.length));
          continue;
        }
        acknowledged = Number(line) + 1;
        left -= 1;
        if (left === 0) child.kill('SIGKILL');
      }
      await gone;
    }
    expect(acknowledged).toBeGreaterThan(200);
  });

  it(
    'is refused to a second opener in the same process, and opens again after it was closed',
    { timeout: 60_000 },
    async () => {
      const options = { dataDir: makeDataDir('twice'), migrationsFolder, startWorker, log: recordLog() };
      const first = await openDatabase(options);
      await first.query('create table pages (n int)');
      await first.query('insert into pages values (7)');
      await expect(openDatabase(options)).rejects.toThrow(DirectoryInUse);
      // The refused opener took nothing from the holder.
      expect((await first.query('select n from pages')).rows).toEqual([{ n: 7 }]);
      await first.close();
      const again = await openDatabase(options);
      expect((await again.query('select n from pages')).rows).toEqual([{ n: 7 }]);
      await again.close();
    },
  );

  it('does not block the event loop during a long query', async () => {
    const db = await openEmbeddedTestDatabase();
    let longestMs = 0;
    let last = performance.now();
    const meter = setInterval(() => {
      longestMs = Math.max(longestMs, performance.now() - last);
      last = performance.now();
    }, 2);
    const begun = performance.now();
    await db.query('select sum(sqrt(n)) from generate_series(1, 2000000) n');
    const queryMs = performance.now() - begun;
    clearInterval(meter);
    // On the calling thread the whole query would be one pause.
    expect(longestMs).toBeLessThan(queryMs / 3);
    await db.close();
  });

  it('fails requests at once when its thread has ended, and can still be closed', async () => {
    let worker: Worker | undefined;
    const db = await openDatabase({
      template: inject('databaseTemplate'),
      migrationsFolder,
      startWorker: (source, data) => (worker = startWorker(source, data)),
      log: recordLog(),
    });
    const running = [
      db.query('select sum(n) from generate_series(1, 100000000) n'),
      db.ping(),
      db.inTransaction((tx) => tx.query('select 1')),
    ];
    const ends = Promise.all(running.map((asked) => asked.catch((error: unknown) => error)));
    await worker!.terminate();
    for (const error of await ends) expect(isDatabaseFailure(error)).toBe(true);
    expect(isDatabaseFailure(await db.ping().catch((error: unknown) => error))).toBe(true);
    await db.close();
  });

  it('is reported as lost, once, when its thread ends by itself, but not when it is closed', async () => {
    const losses: string[] = [];
    let worker: Worker | undefined;
    const open = () =>
      openDatabase({
        template: inject('databaseTemplate'),
        migrationsFolder,
        startWorker: (source, data) => (worker = startWorker(source, data)),
        log: recordLog(),
        onLost: ({ message }) => void losses.push(message),
      });
    await (await open()).close();
    expect(losses).toEqual([]);
    const db = await open();
    await worker!.terminate();
    await db.close();
    expect(losses).toEqual(['The embedded database has ended.']);
  });

  it('gives up a query that takes too long and those that wait for it, and answers again afterwards', async () => {
    const losses: Error[] = [];
    const db = await openEmbedded(
      startWorker,
      { template: inject('databaseTemplate') },
      { queryTimeoutMs: 100, connectTimeoutMs: 300, onLost: (error) => void losses.push(error) },
    );
    const [long, waiting] = await Promise.allSettled([db.pool.query(LONG_QUERY), db.pool.query('select 1')]);
    for (const failed of [long, waiting])
      expect(failed.status === 'rejected' && isDatabaseFailure(failed.reason)).toBe(true);
    await expect
      .poll(() => db.pool.query('select 1 as one').then(({ rows }) => rows, String), { timeout: 60_000 })
      .toEqual([{ one: 1 }]);
    expect(losses).toEqual([]);
    await db.close();
  });

  it('is reported as lost when it does not answer for too long', async () => {
    const losses: string[] = [];
    const db = await openEmbedded(
      startWorker,
      { template: inject('databaseTemplate') },
      {
        queryTimeoutMs: 50,
        connectTimeoutMs: 100,
        silenceTimeoutMs: 400,
        onLost: ({ message }) => void losses.push(message),
      },
    );
    // On a busy machine a query may get no connection in time, so it is asked again.
    const ask = (sql: string) => db.pool.query(sql).catch(() => undefined);
    await expect
      .poll(() => Promise.all([ask(LONG_QUERY), ask('select 1')]).then(() => losses), { timeout: 60_000 })
      .toEqual(['The embedded database has not answered for 400 ms.']);
    await db.close();
  });

  it('is reported as lost when its files are gone, and fails as an unavailable database until then', async () => {
    const losses: string[] = [];
    const directory = path.join(home, 'without files');
    const db = await openEmbedded(
      startWorker,
      { directory, template: inject('databaseTemplate') },
      { brokenTimeoutMs: 300, onLost: ({ message }) => void losses.push(message) },
    );
    let tables = 0;
    const write = async () => {
      const failure = await db.pool.query(`create table written_${++tables} (n int)`).then(
        () => undefined,
        (error: unknown) => error,
      );
      if (failure !== undefined) expect(isDatabaseFailure(failure)).toBe(true);
      return losses.length;
    };
    await write();
    expect(losses).toEqual([]);
    for (const name of ['base', 'pg_wal']) rmSync(path.join(directory, name), { recursive: true });
    await expect.poll(write, { timeout: 30_000 }).toBe(1);
    expect(losses[0]).toMatch(/^The embedded database cannot use its files: /);
    await db.close().catch(() => undefined);
  });

  it('says that it cannot be opened when its directory is not a database', async () => {
    const broken = path.join(home, 'broken');
    mkdirSync(path.join(broken, 'database'), { recursive: true });
    writeFileSync(path.join(broken, 'database', 'PG_VERSION'), '9.6\n');
    const options = { dataDir: broken, migrationsFolder, startWorker, log: recordLog() };
    await expect(openDatabase(options)).rejects.toThrow('The embedded database could not be opened');
    // The lock is released.
    await expect(openDatabase(options)).rejects.not.toThrow(DirectoryInUse);
  });
});
