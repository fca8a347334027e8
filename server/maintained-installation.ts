import path from 'node:path';
import { CommandError, exitCodes } from '../lib/cli/command-error';
import type { Config } from '../lib/config/config';
import { DirectoryInUse } from '../lib/db/directory-lock';
import { DatabaseUnreachable, openUnmigrated, type UnmigratedDatabase } from '../lib/db/open-database';
import { createLog } from '../lib/log';
import { createWorkerStarter } from '../lib/workers';
import { readSettings } from './operator-command';

// Access to an installation's database and files for commands that work without the server. An embedded database can be
// opened only while the server is stopped.

/** The folder of Patchbay. This file is in `server`, and the built one in `dist`. */
const projectRoot = path.resolve(__dirname, '..');
const isBuilt = path.basename(__dirname) === 'dist';

export const migrationsFolder = path.join(projectRoot, 'drizzle');
export const changelogFile = path.join(projectRoot, 'CHANGELOG.md');

/** Thrown if the server has the embedded database open. */
export class InstallationRuns extends CommandError {
  constructor(dataDir: string) {
    super(
      `Patchbay is running with the embedded database in ${dataDir}, which only one process can open. Stop it first.`,
      exitCodes.failed,
    );
  }
}

/**
 * Opens the database that this folder's settings name, and closes it after `work`. Rejects with a CommandError if it
 * cannot be opened.
 */
export async function withInstallation<T>(work: (config: Config, db: UnmigratedDatabase) => Promise<T>): Promise<T> {
  const config = readSettings();
  const db = await open(config);
  try {
    return await work(config, db);
  } finally {
    await db.close();
  }
}

/**
 * Returns the parts of an installation that are outside its database: the folders of files, and the file of generated
 * secrets.
 */
export function filesOf({ dataDir, databaseUrl, mediaStore }: Config) {
  return {
    folders: {
      providers: path.join(dataDir, 'providers'),
      ...(mediaStore && 'directory' in mediaStore && { archive: mediaStore.directory }),
    },
    // With an external database the secrets are settings, not a file.
    ...(databaseUrl === undefined && { secretsFile: path.join(dataDir, 'secrets.json') }),
  };
}

async function open({ databaseUrl, dataDir }: Config): Promise<UnmigratedDatabase> {
  try {
    const db = await openUnmigrated({
      ...(databaseUrl === undefined ? { dataDir } : { url: databaseUrl }),
      migrationsFolder,
      startWorker: createWorkerStarter(projectRoot, isBuilt),
      log: createLog('error'),
    });
    await db.ping();
    return db;
  } catch (error) {
    if (error instanceof DirectoryInUse) throw new InstallationRuns(dataDir);
    if (databaseUrl === undefined) throw error;
    throw new CommandError(new DatabaseUnreachable(error).message, exitCodes.unavailable);
  }
}
