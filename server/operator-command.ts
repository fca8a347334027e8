import path from 'node:path';
import { CommandError, exitCodes, usageError } from '../lib/cli/command-error';
import { isMissing, type Connection } from '../lib/cli/http';
import { baseUrlOf, readConfig, type Config } from '../lib/config/config';
import { findOperatorToken } from '../lib/config/secrets';
import type { ProviderDefinition } from '../lib/domain/provider';
import { parseUrl } from '../lib/domain/url';
import { readEnvFile } from '../lib/config/env-file';

// Shared parts of the operator's commands. The commands call the running installation over HTTP, because only its
// process can open an embedded database. They do the same with an external database.

/**
 * Reads the settings of this folder, including those of `providers`, from the environment and `.env`. Throws a
 * CommandError if they are invalid.
 */
export function readSettings(providers: readonly ProviderDefinition[] = []): Config {
  return orUsageError(() =>
    readConfig({ ...readEnvFile(path.join(process.cwd(), '.env')), ...process.env }, providers),
  );
}

/** Returns the result of `read`. Turns its error into a usage error. */
export function orUsageError<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw usageError(error instanceof Error ? error.message : String(error));
  }
}

/**
 * Returns the running installation's URL and operator token, from the environment and `.env`. Throws a CommandError if
 * there is no token.
 */
export function findInstallation(command: OperatorScript, givenUrl: string | undefined): Connection {
  const config = readSettings();
  const token = orUsageError(() => findOperatorToken(config));
  if (token === undefined) {
    throw usageError(
      config.databaseUrl === undefined
        ? `There is no operator token in ${path.join(config.dataDir, 'secrets.json')}. Start Patchbay once with this DATA_DIR, or set OPERATOR_TOKEN.`
        : 'OPERATOR_TOKEN is not set. Set it to the same secret (at least 32 characters) for Patchbay and for this command.',
    );
  }
  const url = givenUrl ?? baseUrlOf(config);
  if (!/^https?:$/.test(parseUrl(url)?.protocol ?? ''))
    throw wrongUsage(command, '--url must be a URL that begins with http:// or https://.');
  return { url: url.replace(/\/+$/, ''), token };
}

/** The scripts of package.json that are also commands of `patchbay`, with their names there. */
const patchbayNames = { credits: 'grant', limits: 'limits', providers: 'providers' } as const;
export type OperatorScript = keyof typeof patchbayNames;

/** Whether this process is `patchbay`, which runs these commands too, and not the script itself. */
export function isPatchbay(script: OperatorScript): boolean {
  return path.parse(process.argv[1] ?? '').name !== script;
}

/** Returns what a person types before the arguments: `npm run limits --` or `patchbay limits`. */
export function callOf(script: OperatorScript): string {
  return isPatchbay(script) ? `patchbay ${patchbayNames[script]}` : `npm run ${script} --`;
}

export function wrongUsage(script: OperatorScript, sentence: string): CommandError {
  const help = isPatchbay(script) ? '--help explains it' : 'help explains the commands';
  return usageError(`${sentence}\n${callOf(script)} ${help}.`);
}

/** Returns the installation's answer. If the organisation is missing, throws a usage error that names the option. */
export async function withOrganization<Result>(script: OperatorScript, answer: Promise<Result>): Promise<Result> {
  try {
    return await answer;
  } catch (error) {
    if (!isMissing(error, 'organization')) throw error;
    const { message } = wrongUsage(
      script,
      'Name the organisation with --organization org_…: there are several. "npm run credits -- list" lists them.',
    );
    throw new CommandError(message, exitCodes.usage, error.body);
  }
}

/** Prints what the command returns, or its error, and sets the exit code. */
export function run(main: (args: readonly string[]) => Promise<string>): void {
  const args = process.argv.slice(2);
  main(args).then(
    (text) => process.stdout.write(text),
    (error: unknown) => {
      if (!(error instanceof CommandError)) throw error;
      if (args.includes('--json'))
        process.stdout.write(`${JSON.stringify(error.body ?? { error: { message: error.message } })}\n`);
      else process.stderr.write(`${error.message.trimEnd()}\n`);
      process.exitCode = error.exitCode;
    },
  );
}
