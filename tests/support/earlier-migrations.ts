import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from './project';

export const migrations = path.join(projectRoot, 'drizzle');

/** A folder below `directory` with the migrations of the version before the one that is called `name`. */
export function migrationsBefore(name: string, directory: string): string {
  const folder = path.join(directory, 'drizzle');
  cpSync(migrations, folder, { recursive: true });
  const file = path.join(folder, 'meta/_journal.json');
  // Safe: drizzle's own file.
  const journal = JSON.parse(readFileSync(file, 'utf8')) as { entries: { tag: string }[] };
  const first = journal.entries.findIndex(({ tag }) => tag.endsWith(`_${name}`));
  writeFileSync(file, JSON.stringify({ ...journal, entries: journal.entries.slice(0, first) }));
  return folder;
}
