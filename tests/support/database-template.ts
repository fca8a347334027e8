import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import type { TestProject } from 'vitest/node';
import { openDatabase } from '../../lib/db/open-database';
import { recordLog } from './log';
import { openDatabaseAt, startPostgres } from './postgres';
import type { ServerTemplate } from './postgres-worker';
import { projectRoot } from './project';
import { SCHEMA_FINGERPRINT } from './reusable-worker';
import { startWorker } from './workers';

declare module 'vitest' {
  export interface ProvidedContext {
    databaseTemplate: string;
    templateFingerprint: string;
    /** Undefined if this machine has no Postgres. */
    serverTemplate: ServerTemplate | undefined;
  }
}

/** Of the files that run at the same time, each with several processes. */
const MAX_CONNECTIONS = 500;

interface Template {
  readonly directory: string;
  readonly file: string;
  readonly fingerprint: string;
  readonly server?: Server | undefined;
}

interface Server {
  readonly template: ServerTemplate;
  close(): Promise<void>;
}

// Migrating a database takes seconds, loading a dump a fraction: the run creates a migrated one once, and tests load
// it. The projects of vitest.config.mts share it.
const shared: { template?: Promise<Template>; projects: number } = ((
  globalThis as { testDatabaseTemplate?: typeof shared }
).testDatabaseTemplate ??= { projects: 0 });

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  shared.projects += 1;
  const { directory, file, fingerprint, server } = await (shared.template ??= makeTemplate());
  project.provide('databaseTemplate', file);
  project.provide('templateFingerprint', fingerprint);
  project.provide('serverTemplate', server?.template);
  return async () => {
    shared.projects -= 1;
    if (shared.projects > 0) return;
    await server?.close();
    await rm(directory, { recursive: true, force: true });
  };
}

async function makeTemplate(): Promise<Template> {
  const directory = await mkdtemp(path.join(tmpdir(), 'patchbay-template-'));
  const log = recordLog();
  const database = await openDatabase({
    dataDir: directory,
    migrationsFolder: path.join(projectRoot, 'drizzle'),
    startWorker,
    log,
  });
  await database.close();

  const migrated = await PGlite.create(path.join(directory, 'database'));
  const { rows } = await migrated.query<{ fingerprint: string }>(SCHEMA_FINGERPRINT);
  const dump = await migrated.dumpDataDir('none');
  await migrated.close();
  const file = path.join(directory, 'template.tar');
  await writeFile(file, Buffer.from(await dump.arrayBuffer()));
  return { directory, file, fingerprint: String(rows[0]?.fingerprint), server: await startServer() };
}

async function startServer(): Promise<Server | undefined> {
  const postgres = await startPostgres({ maxConnections: MAX_CONNECTIONS });
  if (!postgres) return undefined;
  const url = await postgres.createDatabase();
  const migrated = await openDatabaseAt(url);
  const { rows } = await migrated.query(SCHEMA_FINGERPRINT);
  await migrated.close();
  const database = new URL(url).pathname.slice(1);
  return {
    template: { host: postgres.socketFolder, port: postgres.port, database, fingerprint: String(rows[0]?.fingerprint) },
    close: () => postgres.close(),
  };
}
