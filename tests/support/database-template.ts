import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { drizzle } from 'drizzle-orm/pglite';
import { migrate } from 'drizzle-orm/pglite/migrator';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  export interface ProvidedContext {
    databaseTemplate: string;
  }
}

// Migrating a database takes seconds, loading a dump a fraction: the run creates a migrated one once, and each test
// file loads it.
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const directory = await mkdtemp(path.join(tmpdir(), 'patchbay-template-'));
  const database = await PGlite.create();
  await migrate(drizzle(database), { migrationsFolder: path.resolve(import.meta.dirname, '../../drizzle') });
  const dump = await database.dumpDataDir('none');
  await database.close();
  const file = path.join(directory, 'template.tar');
  await writeFile(file, Buffer.from(await dump.arrayBuffer()));
  project.provide('databaseTemplate', file);
  return () => rm(directory, { recursive: true, force: true });
}
