import path from 'node:path';
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { version } from '../package.json';
import { BackupError } from '../lib/backup/backup-folder';
import { writeBackup } from '../lib/backup/write-backup';
import { CommandError, exitCodes, usageError } from '../lib/cli/command-error';
import { deletedBefore } from '../lib/domain/retention';
import { orUsageError, run } from './operator-command';
import { filesOf, withInstallation } from './maintained-installation';

// `patchbay backup`: everything that an installation keeps, in a folder.

const HELP = `Writes a backup: the rows of the database at one moment, the generated secrets, and the files on this machine.

  patchbay backup --out backup-2026-11-25
  patchbay backup --out backup-2026-11-25 --without-files

Options
  --out FOLDER      where to; a new or empty folder
  --without-files   leaves out the sandbox videos and the archive of finished videos
  --json            prints the manifest of the backup as JSON, errors too
  --help            prints this text

With an external database it can run while the server runs. Stop the server first if the database is embedded. A bucket
is not copied: it has backups of its own. With an external database keep AUTH_SECRET and MASTER_KEY in a safe place
yourself.
Exit codes: 0 done; 1 refused, or the books do not add up; 2 wrong command or setting; 3 the database does not answer.
`;

async function main(args: readonly string[]): Promise<string> {
  const { values } = orUsageError(() =>
    parseArgs({
      args: [...args],
      options: {
        out: { type: 'string' },
        'without-files': { type: 'boolean' },
        json: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    }),
  );
  if (values.help) return HELP;
  const { out, json } = values;
  if (out === undefined) throw usageError(`Name a new folder with --out.\n${HELP}`);
  const directory = path.resolve(out);
  const { manifest, errors } = await withInstallation(async (config, db) => {
    const { folders, secretsFile } = filesOf(config);
    const now = new Date();
    return writeBackup({
      db,
      directory,
      version,
      now,
      deletedBefore: deletedBefore(config.retention, now.getTime()),
      ...(secretsFile !== undefined && existsSync(secretsFile) && { secretsFile }),
      folders: values['without-files'] ? {} : folders,
      onProgress: (line) => process.stderr.write(`${line}\n`),
    }).catch((error: unknown) => {
      throw error instanceof BackupError ? new CommandError(error.message, exitCodes.failed) : error;
    });
  });
  if (errors.length > 0)
    throw new CommandError(
      `The backup was written to ${directory}, but its books do not add up:\n${errors.join('\n')}`,
      exitCodes.failed,
      { manifest, errors },
    );
  if (json) return `${JSON.stringify(manifest)}\n`;
  const kept = manifest.has_secrets
    ? 'It contains the secrets of the installation: let no one else read it.'
    : 'It does not contain AUTH_SECRET and MASTER_KEY: keep them too.';
  return `The backup is in ${directory}, and its books add up. ${kept}\n`;
}

run(main);
