import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { parseUrl } from '../domain/url';
import { makePrivateDirectory } from '../io/private-directory';
import { usageError } from './command-error';
import { option } from './command';
import type { Connection } from './http';
import type { Terminal } from './terminal';

// Finds the installation and the key of a command: in its options, in the environment, or in the file that `patchbay
// login` has written.

const loginSchema = z.object({
  base_url: z.string(),
  api_key: z.string(),
  /** Signs what `patchbay listen` forwards. */
  webhook_secret: z.string().optional(),
});
export type Login = z.infer<typeof loginSchema>;

export const DEFAULT_URL = 'http://127.0.0.1:3000';

/** The options of every command that calls the API. */
export const connectionOptions = [
  option('--base-url <url>', 'base URL of the installation (default: PATCHBAY_BASE_URL, else that of the login)'),
  option('--api-key <key>', 'API key (default: PATCHBAY_API_KEY, else that of the login)'),
];
export interface ConnectionOptions {
  readonly baseUrl?: string;
  readonly apiKey?: string;
}

export interface FoundConnection extends Connection {
  /** Where the key comes from. */
  readonly source: 'option' | 'environment' | 'login';
}

/** Returns the connection of a command. Throws a CommandError that says how to log in. */
export function findConnection(terminal: Terminal, options: ConnectionOptions): FoundConnection {
  const { env, signal } = terminal;
  const login = readLogin(terminal);
  const chosenUrl = options.baseUrl ?? env.PATCHBAY_BASE_URL;
  const url = parseBaseUrl(chosenUrl ?? login?.base_url ?? DEFAULT_URL);
  if (options.apiKey) return { url, token: options.apiKey, signal, source: 'option' };
  if (env.PATCHBAY_API_KEY) return { url, token: env.PATCHBAY_API_KEY, signal, source: 'environment' };
  // A key is only sent to the installation that it was stored for.
  if (login && login.base_url === url) return { url, token: login.api_key, signal, source: 'login' };
  throw usageError(
    login
      ? `The stored key is for ${login.base_url}, not for ${url}. Run "patchbay login --base-url ${url}", or set PATCHBAY_API_KEY.`
      : 'There is no API key. Run "patchbay login", or set PATCHBAY_BASE_URL and PATCHBAY_API_KEY.',
  );
}

/** Returns the base URL without `/v1` and without a slash at its end. Throws a CommandError if it is invalid. */
export function parseBaseUrl(text: string): string {
  if (!/^https?:$/.test(parseUrl(text)?.protocol ?? ''))
    throw usageError(`The base URL must begin with http:// or https://, such as ${DEFAULT_URL}; got "${text}".`);
  return text.replace(/\/+$/, '').replace(/\/v1$/, '');
}

/** Returns the path of the file, in the user's configuration folder (XDG_CONFIG_HOME). */
export function loginFile({ env }: Terminal): string {
  const base = env.XDG_CONFIG_HOME || path.join(env.HOME || homedir(), '.config');
  return path.join(base, 'patchbay', 'login.json');
}

export function readLogin(terminal: Terminal): Login | undefined {
  const file = loginFile(terminal);
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
  try {
    return loginSchema.parse(JSON.parse(text));
  } catch {
    throw usageError(`${file} is damaged. Run "patchbay login" again.`);
  }
}

/** Stores the login in a file that only this user can read. Returns the file's path. */
export function writeLogin(terminal: Terminal, login: Login): string {
  const file = loginFile(terminal);
  makePrivateDirectory(path.dirname(file));
  writeFileSync(file, `${JSON.stringify(login, undefined, 2)}\n`, { mode: 0o600 });
  // `mode` applies only to new files.
  chmodSync(file, 0o600);
  return file;
}

/** Removes the stored login. Returns false if there was none. */
export function removeLogin(terminal: Terminal): boolean {
  try {
    rmSync(loginFile(terminal));
    return true;
  } catch {
    return false;
  }
}
