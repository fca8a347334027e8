import { existsSync, readdirSync } from 'node:fs';
import { copyFile, mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { checkBooks } from '../db/check-books';
import { findLastMigration } from '../db/migrate';
import type { Database } from '../db/database';
import { makePrivateDirectory } from '../io/private-directory';
import { BackupError, pathsIn, type BackupManifest } from './backup-folder';
import { tablesOf, writeRows } from './table-rows';

export interface WriteBackupOptions {
  readonly db: Database;
  /** A folder that is empty or does not exist yet. */
  readonly directory: string;
  /** The version of Patchbay. */
  readonly version: string;
  readonly now: Date;
  /** Rows from before this time may have been deleted by age; the check of the books allows for that. */
  readonly deletedBefore: Date;
  /** DATA_DIR/secrets.json; absent if it does not exist. */
  readonly secretsFile?: string;
  /** The folders with files, by their names in the backup. */
  readonly folders: Readonly<Partial<Record<'providers' | 'archive', string>>>;
  readonly onProgress: (line: string) => void;
}

export interface WrittenBackup {
  readonly manifest: BackupManifest;
  /** The errors that the check of the books found; empty if there are none. */
  readonly errors: readonly string[];
}

/**
 * Writes a backup of one moment, while the installation may be running. The files are copied after the rows, so every
 * file that a row names is in the backup unless it was removed in the meantime. Throws a BackupError.
 */
export async function writeBackup(options: WriteBackupOptions): Promise<WrittenBackup> {
  const { db, directory, version, now, deletedBefore, secretsFile, folders, onProgress } = options;
  if (existsSync(directory) && readdirSync(directory).length > 0)
    throw new BackupError(`${directory} is not empty. Name a new folder.`);
  const migration = await findLastMigration(db);
  if (migration === undefined) throw new BackupError('The database is empty: Patchbay has not been started with it.');
  makePrivateDirectory(directory);
  const paths = pathsIn(directory);
  await mkdir(paths.tables);

  const { tables, errors } = await db.inTransaction(async (tx) => {
    await tx.query('set transaction isolation level repeatable read, read only');
    const written: { name: string; rows: number }[] = [];
    for (const name of await tablesOf(tx)) written.push({ name, rows: await writeRows(tx, name, paths.table(name)) });
    onProgress(`${written.reduce((sum, { rows }) => sum + rows, 0)} rows of ${written.length} tables were written.`);
    return { tables: written, errors: await checkBooks(tx, { deletedBefore }) };
  });
  if (secretsFile !== undefined) await copyFile(secretsFile, paths.secrets);
  const files: BackupManifest['files'] = [];
  for (const name of ['providers', 'archive'] as const) {
    const folder = folders[name];
    if (folder === undefined || !existsSync(folder)) continue;
    const copied = await copyFolder(folder, paths.files(name));
    files.push({ name, ...copied });
    onProgress(`${copied.count} files of ${folder} were copied.`);
  }
  const manifest: BackupManifest = {
    format: 'patchbay-backup',
    version: 1,
    patchbay: version,
    created_at: now.toISOString(),
    migration,
    tables,
    has_secrets: secretsFile !== undefined,
    files,
  };
  await writeFile(paths.manifest, `${JSON.stringify(manifest, undefined, 2)}\n`, { mode: 0o600 });
  return { manifest, errors };
}

export interface FolderSize {
  readonly count: number;
  readonly bytes: number;
}

/** Copies the files below a folder. Files that are removed in the meantime are left out. */
export async function copyFolder(from: string, to: string): Promise<FolderSize> {
  await mkdir(to, { recursive: true, mode: 0o700 });
  return forEachFile(from, async (source) => {
    const target = path.join(to, path.relative(from, source));
    await mkdir(path.dirname(target), { recursive: true, mode: 0o700 });
    await copyFile(source, target);
    return (await stat(target)).size;
  });
}

/** Measures the files that `copyFolder` would copy. A folder that does not exist has none. */
export async function measureFolder(folder: string): Promise<FolderSize> {
  if (!existsSync(folder)) return { count: 0, bytes: 0 };
  return forEachFile(folder, async (file) => (await stat(file)).size);
}

/** Adds up the files below the folder. `work` resolves to the bytes of one. */
async function forEachFile(folder: string, work: (file: string) => Promise<number>): Promise<FolderSize> {
  let count = 0;
  let bytes = 0;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    try {
      bytes += await work(path.join(entry.parentPath, entry.name));
      count += 1;
    } catch (error) {
      // Removed since the folder was listed.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
  return { count, bytes };
}
