import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { BackupError } from '../../../lib/backup/backup-folder';
import { readManifest, restoreBackup } from '../../../lib/backup/restore-backup';
import { tablesOf } from '../../../lib/backup/table-rows';
import { writeBackup } from '../../../lib/backup/write-backup';
import type { Database } from '../../../lib/db/database';
import { readMigrations } from '../../../lib/db/migrate';
import { openUnmigrated, type UnmigratedDatabase } from '../../../lib/db/open-database';
import { recordLog } from '../../support/log';
import { startPostgres } from '../../support/postgres';
import { projectRoot } from '../../support/project';
import { startWorker } from '../../support/workers';
import { createWork } from '../../support/work';
import { makeAcme, type Acme } from '../videos/make-acme';

const migrationsFolder = path.join(projectRoot, 'drizzle');
const postgres = await startPostgres();
afterAll(() => postgres?.close());

let scratch: string;
beforeAll(async () => void (scratch = await mkdtemp(path.join(tmpdir(), 'patchbay-backup-'))));
afterAll(() => rm(scratch, { recursive: true, force: true }));

let folders = 0;
const newFolder = () => path.join(scratch, String((folders += 1)));

/** Each of its databases is an embedded one in a folder, or one of a server. */
type Kind = 'embedded' | 'external';

async function openNew(kind: Kind): Promise<UnmigratedDatabase> {
  const where = kind === 'embedded' ? { dataDir: newFolder() } : { url: await postgres!.createDatabase() };
  return openAt(where);
}

async function openAt(where: { dataDir: string } | { url: string }): Promise<UnmigratedDatabase> {
  const db = await openUnmigrated({ ...where, migrationsFolder, startWorker, log: recordLog() });
  onTestFinished(() => db.close());
  return db;
}

const always = { deletedBefore: new Date(0), onProgress: () => {} };
const backUp = async (db: Database, more: Partial<Parameters<typeof writeBackup>[0]> = {}) => {
  const directory = newFolder();
  const written = await writeBackup({
    db,
    directory,
    version: '1.2.3',
    now: new Date(),
    folders: {},
    ...always,
    ...more,
  });
  return { directory, ...written };
};
const restore = (db: UnmigratedDatabase, directory: string, more: Partial<Parameters<typeof restoreBackup>[0]> = {}) =>
  restoreBackup({
    db,
    directory,
    manifest: readManifest(directory),
    migrationsFolder,
    folders: {},
    ...always,
    ...more,
  });

/** Every row of every table as text, in an order of its own. */
async function contentsOf(db: Database): Promise<Record<string, readonly string[]>> {
  const contents: Record<string, readonly string[]> = {};
  for (const name of await db.inTransaction(tablesOf)) {
    const { rows } = await db.query(`select row_to_json(t)::text as line from "${name}" t`);
    contents[name] = rows.map(({ line }) => String(line)).toSorted();
  }
  return contents;
}

/** An installation with videos in several states, messages, webhooks, members and the ledger of them all. */
async function makeBusyAcme(databaseUrl?: string): Promise<Acme> {
  const acme = await makeAcme(databaseUrl === undefined ? {} : { databaseUrl });
  for (const prompt of ['a cat', 'un chat "à Paris"\nsecond line\u2028third\u2029fourth', '[[fail]] 貓'])
    await acme.submit(acme.live, { seconds: 5, prompt });
  await acme.settle();
  await acme.pass(6_000);
  await createWork(acme).messages(acme.live, [17n, 1_234_567_891n]);
  await acme.submit(acme.live, { seconds: 4, prompt: 'still running' });
  await acme.settle();
  return acme;
}

const kinds: Kind[] = postgres ? ['external'] : [];

describe.each(kinds)('a backup of a running installation with an %s database', () => {
  let acme: Acme;
  let url: string;
  beforeAll(async () => {
    url = await postgres!.createDatabase();
    acme = await makeBusyAcme(url);
  });
  afterAll(() => acme.close({ checked: false }));

  it.each(['embedded', 'external'] as const)('is restored into an %s one, row by row', async (kind) => {
    const before = await contentsOf(acme.db);
    const { directory, errors, manifest } = await backUp(await openAt({ url }));
    expect(errors).toEqual([]);
    expect(manifest.tables.find(({ name }) => name === 'videos')?.rows).toBe(4);

    const db = await openNew(kind);
    expect(await restore(db, directory)).toEqual([]);
    expect(await contentsOf(db)).toEqual(before);
    // The stored request of a video keeps the order of its fields.
    const requests = (from: Database) => from.query('select id, request::text from videos order by id');
    expect((await requests(db)).rows).toEqual((await requests(acme.db)).rows);
  });

  it('continues the counters of its tables', async () => {
    const db = await openNew('external');
    await restore(db, (await backUp(await openAt({ url }))).directory);
    const next = async (table: string) => {
      const { rows } = await db.query(
        `select nextval(pg_get_serial_sequence('${table}', 'id'))::text as next, (select max(id) from "${table}")::text as max`,
      );
      return Number(rows[0]?.next) - Number(rows[0]?.max);
    };
    expect([await next('ledger_entries'), await next('jobs')]).toEqual([1, 1]);
  });

  it('is of one moment, whatever is written meanwhile', async () => {
    const db = await openAt({ url });
    let videos = 4;
    const submitting = (async () => {
      for (let n = 0; n < 20; n += 1) {
        await acme.submit(acme.live, { seconds: 3, prompt: `number ${n}` });
        videos += 1;
      }
    })();
    const { errors, manifest, directory } = await backUp(db);
    await submitting;
    expect(errors).toEqual([]);
    expect(manifest.tables.find(({ name }) => name === 'videos')?.rows).toBeLessThanOrEqual(videos);
    expect(await restore(await openNew('external'), directory)).toEqual([]);
  });

  it('contains no row twice and nothing for others to read', async () => {
    const { directory, manifest } = await backUp(await openAt({ url }));
    const modes = await Promise.all(
      ['', 'manifest.json', 'tables/videos.ndjson.gz'].map(
        async (name) => (await stat(path.join(directory, name))).mode & 0o077,
      ),
    );
    expect(modes).toEqual([0, 0, 0]);
    for (const { name, rows } of manifest.tables) {
      const lines = gunzipSync(await readFile(path.join(directory, 'tables', `${name}.ndjson.gz`)))
        .toString()
        .split('\n');
      expect([name, new Set(lines).size - 1]).toEqual([name, rows]);
    }
  });

  it('says which books do not add up, at both ends', async () => {
    const broken = await postgres!.createDatabase();
    const db = await openAt({ url: broken });
    await restore(db, (await backUp(await openAt({ url }))).directory);
    await db.query('update accounts set available_nano_usd = available_nano_usd + 1');
    const { directory, errors } = await backUp(db);
    expect(errors).toEqual([expect.stringMatching(/^an account is what its entries say/)]);
    expect(await restore(await openNew('external'), directory)).toEqual(errors);
  });

  it('is refused for an installation that is not empty, which stays as it is', async () => {
    const before = await contentsOf(acme.db);
    const { directory } = await backUp(await openAt({ url }));
    await expect(restore(await openAt({ url }), directory)).rejects.toThrow('This installation is not empty.');
    expect(await contentsOf(acme.db)).toEqual(before);
  });

  it.each([
    [
      'a table that breaks off',
      async (file: string) => truncate(file, (await stat(file)).size - 12),
      /is damaged or missing/,
    ],
    ['a table that is missing', (file: string) => rm(file), /is damaged or missing/],
    [
      'fewer rows than the manifest says',
      (file: string) => writeFile(file, gzipSync('')),
      /has 0 rows, and the manifest says/,
    ],
  ])('with %s is refused as a whole', async (_what, damage, message) => {
    const { directory } = await backUp(await openAt({ url }));
    await damage(path.join(directory, 'tables/videos.ndjson.gz'));
    const db = await openNew('external');
    await expect(restore(db, directory)).rejects.toThrow(message);
    expect((await db.query('select 1 from organizations')).rowCount).toBe(0);
  });
});

describe('a backup of an embedded database', () => {
  it('takes the secrets and the files with it', async () => {
    const acme = await makeBusyAcme();
    onTestFinished(() => acme.close({ checked: false }));
    const providers = newFolder();
    await mkdir(path.join(providers, 'sandbox/videos/one'), { recursive: true });
    await writeFile(path.join(providers, 'sandbox/videos/one/output.mp4'), 'a video');
    const secretsFile = path.join(scratch, 'secrets.json');
    await writeFile(secretsFile, '{"masterKey":"m"}');
    const { directory, manifest } = await backUp(acme.db, {
      secretsFile,
      folders: { providers, archive: newFolder() },
    });
    expect(manifest).toMatchObject({ has_secrets: true, files: [{ name: 'providers', count: 1, bytes: 7 }] });

    const dataDir = newFolder();
    const target = {
      folders: { providers: path.join(dataDir, 'providers') },
      secretsFile: path.join(dataDir, 'secrets.json'),
    };
    expect(await restore(await openNew('embedded'), directory, target)).toEqual([]);
    expect(await readFile(target.secretsFile, 'utf8')).toBe('{"masterKey":"m"}');
    expect(await readFile(path.join(dataDir, 'providers/sandbox/videos/one/output.mp4'), 'utf8')).toBe('a video');
  });

  it.each([
    ['a file missing', 'files/providers/sandbox/one.mp4', /has 1 files of 5 bytes, and the manifest says 2 of 12/],
    ['a folder missing', 'files/providers', /has 0 files of 0 bytes, and the manifest says 2 of 12/],
    ['every folder missing', 'files', /has 0 files/],
    ['the secrets missing', 'secrets.json', /secrets.json is missing/],
  ])('with %s is refused as a whole, and can be repeated', async (_what, name, message) => {
    const old = await openNew('embedded');
    await old.migrate();
    await old.query(`insert into organizations (id, name, webhook_secret) values ('org_1', 'Acme', 'v1.x')`);
    const providers = newFolder();
    await mkdir(path.join(providers, 'sandbox'), { recursive: true });
    await writeFile(path.join(providers, 'sandbox/one.mp4'), 'a video');
    await writeFile(path.join(providers, 'sandbox/two.mp4'), 'other');
    const secretsFile = newFolder();
    await writeFile(secretsFile, '{"masterKey":"m"}');
    const { directory } = await backUp(old, { secretsFile, folders: { providers } });
    const lost = path.join(directory, name);
    const elsewhere = newFolder();
    await rename(lost, elsewhere);

    const dataDir = newFolder();
    const target = {
      folders: { providers: path.join(dataDir, 'providers') },
      secretsFile: path.join(dataDir, 'secrets.json'),
    };
    const db = await openNew('embedded');
    const refusal = await restore(db, directory, target).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(BackupError);
    expect(refusal).toMatchObject({ message: expect.stringMatching(message) });
    expect(refusal).toMatchObject({ message: expect.stringMatching(/Nothing was restored\.$/) });
    expect(existsSync(dataDir)).toBe(false);
    await rename(elsewhere, lost);
    expect(await restore(db, directory, target)).toEqual([]);
    expect(await readFile(path.join(dataDir, 'providers/sandbox/one.mp4'), 'utf8')).toBe('a video');
  });

  it('without the secrets is restored where they are settings', async () => {
    const old = await openNew('embedded');
    await old.migrate();
    const secretsFile = newFolder();
    await writeFile(secretsFile, '{"masterKey":"m"}');
    const { directory } = await backUp(old, { secretsFile, folders: { archive: newFolder() } });
    await rm(path.join(directory, 'secrets.json'));
    expect(await restore(await openNew('embedded'), directory)).toEqual([]);
  });

  it('of an earlier version is restored, and migrated', async () => {
    const migrations = readMigrations(migrationsFolder);
    const earlier = migrations.at(-2)!;
    const old = await openNew('embedded');
    await old.migrate(earlier.createdMs);
    const { directory, manifest } = await backUp(old);
    expect(manifest.migration).toBe(earlier.createdMs);
    const db = await openNew('embedded');
    await restore(db, directory);
    const { rows } = await db.query('select max(created_at)::text as last from drizzle.__drizzle_migrations');
    expect(Number(rows[0]?.last)).toBe(migrations.at(-1)!.createdMs);
  });

  it('of a later version, of an unfinished backup and of another folder is refused', async () => {
    const old = await openNew('embedded');
    await old.migrate();
    const { directory } = await backUp(old);
    const manifest = { ...readManifest(directory), migration: 1 };
    const db = await openNew('embedded');
    await expect(restore(db, directory, { manifest })).rejects.toThrow(/whose schema this version does not know/);
    await writeFile(path.join(directory, 'manifest.json'), '{');
    expect(() => readManifest(directory)).toThrow(/is damaged/);
    await rm(path.join(directory, 'manifest.json'));
    expect(() => readManifest(directory)).toThrow(/is not a backup, or the backup was not finished/);
  });

  it('goes to a new or empty folder, and not without an installation', async () => {
    const db = await openNew('embedded');
    await expect(backUp(db)).rejects.toThrow('The database is empty');
    await db.migrate();
    const directory = newFolder();
    await mkdir(directory);
    await writeFile(path.join(directory, 'mine'), '');
    await expect(backUp(db, { directory })).rejects.toThrow(`${directory} is not empty.`);
    expect(await readdir(directory)).toEqual(['mine']);
  });
});
