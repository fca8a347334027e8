import path from 'node:path';
import { baseUrlOf, readConfig, type Config } from '../lib/config';
import { findOperatorToken } from '../lib/config-secrets';
import { readEnvFile } from '../lib/env-file';
import { parseUrl } from '../lib/domain/url';

// The parts of the operator's commands. They call the running installation over HTTP, because only that process can open
// an embedded database; with an external database they do the same.

const TIMEOUT_MS = 30_000;
export const REFUSED = 1;
export const WRONG_USAGE = 2;
const NO_ANSWER = 3;

/** Ends the command with a message and an exit code. */
export class Stop extends Error {
  constructor(
    message: string,
    readonly exitCode: number,
    /** The error in the response of the installation. */
    readonly body?: unknown,
  ) {
    super(message);
  }
}

/** The running installation, and the token for it. */
export interface Installation {
  readonly url: string;
  readonly token: string;
}

/** From the environment and `.env`. Throws a Stop if there is no token. */
export function findInstallation(command: string, givenUrl: string | undefined): Installation {
  let config: Config;
  let token: string | undefined;
  try {
    config = readConfig({ ...readEnvFile(path.join(process.cwd(), '.env')), ...process.env }, []);
    token = findOperatorToken(config);
  } catch (error) {
    throw new Stop(error instanceof Error ? error.message : String(error), WRONG_USAGE);
  }
  if (token === undefined) {
    throw new Stop(
      config.databaseUrl === undefined
        ? `There is no operator token in ${path.join(config.dataDir, 'secrets.json')}. Start Patchbay once with this DATA_DIR, or set OPERATOR_TOKEN.`
        : 'OPERATOR_TOKEN is not set. Set it to the same secret (at least 32 characters) for Patchbay and for this command.',
      WRONG_USAGE,
    );
  }
  const url = givenUrl ?? baseUrlOf(config);
  if (!/^https?:$/.test(parseUrl(url)?.protocol ?? ''))
    throw wrongUsage(command, '--url must be an address that begins with http:// or https://.');
  return { url: url.replace(/\/+$/, ''), token };
}

/** Rejects with Stop for every response but a success. */
export async function ask(
  { url, token }: Installation,
  method: string,
  target: string,
  body?: unknown,
  timeoutMs = TIMEOUT_MS,
): Promise<{ json: unknown; isReplay: boolean }> {
  let response: Response;
  let text: string;
  try {
    response = await fetch(`${url}${target}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
    text = await response.text();
  } catch {
    throw new Stop(
      `Patchbay does not answer at ${url}. Start it with "npm start", or give its address with --url.`,
      NO_ANSWER,
    );
  }
  const json = parseJson(text);
  if (response.ok && json !== undefined)
    return { json, isReplay: response.headers.get('idempotent-replayed') === 'true' };
  const message = messageIn(json);
  if (message === undefined)
    throw new Stop(
      `${url} answered with status ${response.status}, and not as Patchbay does. Give the address of the installation with --url.`,
      NO_ANSWER,
    );
  throw new Stop(message, response.status >= 500 || response.status === 429 ? NO_ANSWER : REFUSED, json);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The message of an error in the API's format. */
function messageIn(json: unknown): string | undefined {
  const error = typeof json === 'object' && json !== null && 'error' in json ? json.error : undefined;
  return typeof error === 'object' && error !== null && 'message' in error && typeof error.message === 'string'
    ? error.message
    : undefined;
}

/** Columns of text; the first row has their titles. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map(
      (row) =>
        `${row
          .map((cell, column) => cell.padEnd(widths[column] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}

export function wrongUsage(command: string, sentence: string): Stop {
  return new Stop(`${sentence}\nnpm run ${command} -- help explains the commands.`, WRONG_USAGE);
}

/** Prints what the command returns, or why it stopped, and sets the exit code. */
export function run(main: (args: readonly string[]) => Promise<string>): void {
  const args = process.argv.slice(2);
  main(args).then(
    (text) => process.stdout.write(text),
    (error: unknown) => {
      if (!(error instanceof Stop)) throw error;
      if (args.includes('--json'))
        process.stdout.write(`${JSON.stringify(error.body ?? { error: { message: error.message } })}\n`);
      else process.stderr.write(`${error.message.trimEnd()}\n`);
      process.exitCode = error.exitCode;
    },
  );
}
