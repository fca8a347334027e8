import { existsSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { createSealer } from '../lib/accounts/seal';
import { BackupError } from '../lib/backup/backup-folder';
import { readManifest, restoreBackup } from '../lib/backup/restore-backup';
import { CommandError, exitCodes, usageError } from '../lib/cli/command-error';
import { readSecrets } from '../lib/config/secrets';
import { examineSecrets } from '../lib/credentials/examine-secrets';
import { deletedBefore } from '../lib/domain/retention';
import { orUsageError, run } from './operator-command';
import { filesOf, migrationsFolder, withInstallation } from './maintained-installation';

// `patchbay restore`: fills an empty installation from a backup, and checks what it has restored.

const HELP = `Fills an empty installation from a backup: rows, secrets and files, of this version or an earlier one.

  patchbay restore backup-2026-11-25

Options
  --json    prints the result as JSON, errors too
  --help    prints this text

The settings say where to: a new DATABASE_URL, or a new DATA_DIR. The server must not run. Stop the
former installation before you start the restored one: otherwise both would follow the same videos at their providers
and send the same webhooks.
Exit codes: 0 done; 1 refused, or what was restored is not in order; 2 wrong command or setting; 3 the database does not answer.
`;

async function main(args: readonly string[]): Promise<string> {
  const { values, positionals } = orUsageError(() =>
    parseArgs({
      args: [...args],
      options: { json: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
      allowPositionals: true,
    }),
  );
  if (values.help) return HELP;
  const [folder, ...rest] = positionals;
  if (folder === undefined || rest.length > 0) throw usageError(`Name the folder of one backup.\n${HELP}`);
  const directory = path.resolve(folder);
  const { manifest, errors, unreadable } = await restore(directory).catch((error: unknown) => {
    throw error instanceof BackupError ? new CommandError(error.message, exitCodes.failed) : error;
  });
  const problems = [
    ...errors,
    ...(unreadable === 0
      ? []
      : [
          `${unreadable === 1 ? '1 stored secret was' : `${unreadable} stored secrets were`} encrypted with another MASTER_KEY. Set MASTER_KEY to the key that was in use when the backup was made.`,
        ]),
  ];
  if (problems.length > 0)
    throw new CommandError(
      `The backup was restored, but has these problems:\n${problems.join('\n')}`,
      exitCodes.failed,
      {
        manifest,
        errors: problems,
      },
    );
  if (values.json) return `${JSON.stringify(manifest)}\n`;
  return `The backup of ${manifest.created_at} is restored: its books add up, and its secrets can be read.\n`;
}

async function restore(directory: string) {
  const manifest = readManifest(directory);
  return withInstallation(async (config, db) => {
    const { folders, secretsFile } = filesOf(config);
    const takesSecrets = secretsFile !== undefined && !existsSync(secretsFile);
    const errors = await restoreBackup({
      db,
      directory,
      manifest,
      migrationsFolder,
      deletedBefore: deletedBefore(config.retention, Date.now()),
      ...(takesSecrets && { secretsFile }),
      folders,
      onProgress: (line) => process.stderr.write(`${line}\n`),
    });
    const sealer = createSealer(readSecrets(config).masterKey, config.masterKeyFallbacks);
    const { unreadable } = await examineSecrets(db, sealer);
    return { manifest, errors, unreadable };
  });
}

run(main);
