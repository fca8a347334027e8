import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { version } from '../package.json';
import { CommandError, usageError } from '../lib/cli/command-error';
import { ConfigError } from '../lib/config/config';
import { providerDefinitions } from '../lib/providers/registry';
import { examineDatabase } from './examine-database';
import { examineSettings } from './examine-settings';
import { checkNode, ok, report, warning, wrong, type Finding } from './findings';
import { changelogFile, InstallationRuns, withInstallation } from './maintained-installation';
import { orUsageError, readSettings, run } from './operator-command';

// `patchbay upgrade --check`: whether this version can take over an installation, and what that changes.

const HELP = `Shows what the next start with this version changes in the installation of this folder, without changing anything.

  patchbay upgrade --check
  patchbay upgrade --check --json

It examines Node, the settings and the schema of the database, and prints what CHANGELOG.md asks operators to do. Run it
with the new version and the settings of the installation, before you replace the first process. How to upgrade is in
/docs/operating of every installation.
Exit codes: 0 this version can start; 1 it cannot; 2 wrong command.
`;

async function main(args: readonly string[]): Promise<string> {
  const { values } = orUsageError(() =>
    parseArgs({
      args: [...args],
      options: { check: { type: 'boolean' }, json: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
    }),
  );
  if (values.help) return HELP;
  if (!values.check)
    throw usageError(`Use --check. The documentation describes how to install the new version.\n${HELP}`);
  const settings = await checkSettings();
  const findings = [checkNode(), settings, ...(settings.state === 'wrong' ? [] : await checkDatabase())];
  return report(findings, values.json === true, await upgradingNotes());
}

async function checkSettings(): Promise<Finding> {
  try {
    await examineSettings(readSettings(providerDefinitions), providerDefinitions);
    return ok('settings', 'The settings are valid.');
  } catch (error) {
    if (!(error instanceof CommandError || error instanceof ConfigError)) throw error;
    return wrong('settings', error.message);
  }
}

async function checkDatabase(): Promise<readonly Finding[]> {
  try {
    return await withInstallation(examineDatabase);
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    return [error instanceof InstallationRuns ? warning('database', error.message) : wrong('database', error.message)];
  }
}

/** Returns the "Upgrading" section of this version in CHANGELOG.md. */
async function upgradingNotes(): Promise<string> {
  const text = await readFile(changelogFile, 'utf8');
  const section = text.split(/^## /m).find((part) => part.startsWith(`[${version}]`));
  const notes = section?.split(/^### /m).find((part) => part.startsWith('Upgrading'));
  return notes === undefined ? '' : `\nUpgrading to ${version}:\n\n${notes.replace(/^Upgrading\s+/, '').trim()}\n`;
}

run(main);
