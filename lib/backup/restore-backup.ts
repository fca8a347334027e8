import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import path from 'node:path';
import { checkBooks } from '../db/check-books';
import { findLastMigration, readMigrations } from '../db/migrate';
import type { Tx } from '../db/database';
import type { UnmigratedDatabase } from '../db/open-database';
import { BackupError, manifestSchema, pathsIn, type BackupManifest } from './backup-folder';
import { continueSequences, readRows, tablesOf } from './table-rows';
import { copyFolder, measureFolder } from './write-backup';

export interface RestoreOptions {
  readonly db: UnmigratedDatabase;
  /** The directory of the backup. */
  readonly directory: string;
  readonly manifest: BackupManifest;
  readonly migrationsFolder: string;
  /** Older rows may have been deleted by age; see `writeBackup`. */
  readonly deletedBefore: Date;
  /** DATA_DIR/secrets.json; absent if the secrets come from the settings. */
  readonly secretsFile?: string;
  readonly folders: Readonly<Partial<Record<'providers' | 'archive', string>>>;
  readonly onProgress: (line: string) => void;
}

/** Reads the manifest of a backup. Throws a BackupError if the folder is not a complete backup. */
export function readManifest(directory: string): BackupManifest {
  const file = pathsIn(directory).manifest;
  if (!existsSync(file))
    throw new BackupError(`${directory} is not a backup, or the backup was not finished: it has no manifest.json.`);
  const parsed = manifestSchema.safeParse(parseJson(readFileSync(file, 'utf8')));
  if (!parsed.success) throw new BackupError(`${file} is damaged, or of a later version of Patchbay.`);
  return parsed.data;
}

/**
 * Fills an empty installation from a backup of this version or an earlier one. Resolves to the errors that the check of
 * the books found. All rows are added in one transaction: after a failure the installation is still empty. Throws a
 * BackupError.
 */
export async function restoreBackup(options: RestoreOptions): Promise<readonly string[]> {
  const { db, directory, manifest, migrationsFolder, deletedBefore, secretsFile, folders, onProgress } = options;
  const paths = pathsIn(directory);
  await refuseUnlessEmpty(db);
  if (!readMigrations(migrationsFolder).some(({ createdMs }) => createdMs === manifest.migration))
    throw new BackupError(
      `The backup was written by Patchbay ${manifest.patchbay}, whose schema this version does not know. Restore it with that version or a later one.`,
    );
  // Before the first row: once the rows are committed, the installation is not empty and the restore cannot be repeated.
  await refuseMissingFiles(options);
  await db.migrate(manifest.migration);

  await db.inTransaction(async (tx) => {
    const tables = await tablesOf(tx);
    refuseOtherTables(tables, manifest);
    // Migrations may have added rows of their own.
    await tx.query(`truncate ${tables.map((name) => `"${name}"`).join(', ')} cascade`);
    for (const name of tables) await restoreTable(tx, name, paths.table(name), manifest);
  });
  onProgress(
    `${manifest.tables.reduce((sum, { rows }) => sum + rows, 0)} rows of ${manifest.tables.length} tables were added.`,
  );
  await db.migrate();

  if (secretsFile !== undefined && manifest.has_secrets) {
    mkdirSync(path.dirname(secretsFile), { recursive: true, mode: 0o700 });
    await copyFile(paths.secrets, secretsFile);
  }
  for (const { name } of manifest.files) {
    const folder = folders[name];
    if (folder === undefined) {
      onProgress(`The files of ${paths.files(name)} were not copied: there is no MEDIA_STORE with a folder.`);
      continue;
    }
    // A copy of a backup may have lost folders that contain no files.
    if (!existsSync(paths.files(name))) continue;
    const { count } = await copyFolder(paths.files(name), folder);
    onProgress(`${count} files were copied to ${folder}.`);
  }
  return checkBooks(db, { deletedBefore });
}

/** Compares the files to be copied with the manifest. Files that will not be copied may be missing. */
async function refuseMissingFiles({ directory, manifest, secretsFile, folders }: RestoreOptions): Promise<void> {
  const paths = pathsIn(directory);
  if (secretsFile !== undefined && manifest.has_secrets && !existsSync(paths.secrets))
    throw new BackupError(`${paths.secrets} is missing, but the manifest lists it. Nothing was restored.`);
  for (const { name, count, bytes } of manifest.files) {
    if (folders[name] === undefined) continue;
    const found = await measureFolder(paths.files(name));
    if (found.count !== count || found.bytes !== bytes)
      throw new BackupError(
        `${paths.files(name)} has ${found.count} files of ${found.bytes} bytes, and the manifest says ${count} of ${bytes}. Nothing was restored.`,
      );
  }
}

async function refuseUnlessEmpty(db: UnmigratedDatabase): Promise<void> {
  if ((await findLastMigration(db)) === undefined) return;
  const { rows } = await db.query('select 1 from organizations limit 1');
  if (rows.length > 0)
    throw new BackupError(
      'This installation is not empty. Restore into a new database, or a new DATA_DIR; nothing was changed.',
    );
}

function refuseOtherTables(tables: readonly string[], manifest: BackupManifest): void {
  const named = new Set(manifest.tables.map(({ name }) => name));
  if (tables.length !== named.size || tables.some((name) => !named.has(name)))
    throw new BackupError('The tables of the backup are not those of its version. Nothing was restored.');
}

async function restoreTable(tx: Tx, name: string, file: string, manifest: BackupManifest): Promise<void> {
  const expected = manifest.tables.find((each) => each.name === name)?.rows;
  let count: number;
  try {
    count = await readRows(tx, name, file);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    // Codes that begin with Z_ are errors of decompression.
    if (!code.startsWith('Z_') && code !== 'ENOENT') throw error;
    throw new BackupError(`${file} is damaged or missing. Nothing was restored.`);
  }
  if (count !== expected)
    throw new BackupError(`${file} has ${count} rows, and the manifest says ${expected}. Nothing was restored.`);
  await continueSequences(tx, name);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
