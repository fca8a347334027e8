import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import type { Command } from 'commander';
import type { CreditsJson } from '../contract/credits';
import type { OrganizationSettingsJson } from '../contract/organizations';
import { makeCommand, option, type Outcome } from './command';
import { usageError } from './command-error';
import { ask, codeOf, type Connection } from './http';
import {
  connectionOptions,
  DEFAULT_URL,
  findConnection,
  parseBaseUrl,
  readLogin,
  removeLogin,
  writeLogin,
  type ConnectionOptions,
} from './login';
import { dollars, facts } from './table';
import { readStdin, type Terminal } from './terminal';

// `login`, `logout`, `whoami` and `credits`: the key in use, and the account behind it.

export function accountCommands(terminal: Terminal): readonly Command[] {
  return [
    makeCommand<LoginOptions>(terminal, {
      name: 'login',
      description: 'Store the base URL of an installation and an API key, after checking them.',
      examples: ['patchbay login', 'echo "$KEY" | patchbay login --base-url https://patchbay.example.com --api-key -'],
      options: [
        option('--base-url <url>', 'base URL of the installation; asked for if left out'),
        option('--api-key <key>', 'API key, or - to read it from standard input; asked for if left out'),
        // The earlier name, for scripts that have it.
        option('--key <key>', 'the same').hideHelp(),
      ],
      more: 'The file is login.json in the folder patchbay of XDG_CONFIG_HOME (default: ~/.config), readable by you only.',
      run: ({ baseUrl, apiKey, key }) => logIn(terminal, { baseUrl, key: apiKey ?? key }),
    }),
    makeCommand(terminal, {
      name: 'logout',
      description: 'Remove the stored base URL and key.',
      examples: ['patchbay logout'],
      more: 'The key stays valid: revoke it with "patchbay keys revoke".',
      run: async () => {
        const removed = removeLogin(terminal);
        return { text: removed ? 'Logged out.\n' : 'You were not logged in.\n', json: { removed } };
      },
    }),
    makeCommand<ConnectionOptions>(terminal, {
      name: 'whoami',
      description: 'Show the installation, the key and its organisation.',
      examples: ['patchbay whoami', 'patchbay whoami --json'],
      options: connectionOptions,
      run: (options) => showCaller(terminal, options),
    }),
    makeCommand<ConnectionOptions>(terminal, {
      name: 'credits',
      description: 'Show the credits of the account that the key uses.',
      examples: ['patchbay credits', 'patchbay credits --json'],
      options: connectionOptions,
      run: async (options) => {
        const { json } = await ask(findConnection(terminal, options), 'GET', '/v1/credits');
        const credits = json as CreditsJson; // Safe: what this path answers with success.
        const { mode, available, held, spent } = credits;
        return {
          text: facts({ mode, available: dollars(available), held: dollars(held), spent: dollars(spent) }),
          json,
        };
      },
    }),
  ];
}

interface LoginOptions extends ConnectionOptions {
  readonly key?: string;
}

async function logIn(
  terminal: Terminal,
  options: { readonly baseUrl: string | undefined; readonly key: string | undefined },
): Promise<Outcome> {
  const isAsking = options.baseUrl === undefined || options.key === undefined;
  if (isAsking && options.key !== '-' && !terminal.stdin.isTTY)
    throw usageError('Without a terminal, give the base URL with --base-url and the key with --api-key -.');
  const known = readLogin(terminal)?.base_url ?? DEFAULT_URL;
  const baseUrl = parseBaseUrl(
    options.baseUrl ?? (terminal.stdin.isTTY ? (await prompt(terminal, `Base URL [${known}]: `)) || known : known),
  );
  const key = await readKey(terminal, options.key);
  if (!/^pb_(?:live|test)_\w+$/.test(key))
    throw usageError('This is not an API key. API keys begin with pb_live_ or pb_test_. Create one in the console.');
  const connection = { url: baseUrl, token: key, signal: terminal.signal };
  const caller = await describeCaller(connection);
  const kept = readLogin(terminal);
  const secret = kept?.base_url === baseUrl ? kept.webhook_secret : undefined;
  const file = writeLogin(terminal, {
    base_url: baseUrl,
    api_key: key,
    ...(secret === undefined ? {} : { webhook_secret: secret }),
  });
  return {
    text: `Logged in to ${baseUrl} with ${caller.key}${caller.organization ? ` of ${caller.organization.name}` : ''}. The key is stored in ${file}.\n`,
    json: { ...caller, file },
  };
}

async function readKey(terminal: Terminal, given: string | undefined): Promise<string> {
  if (given === undefined) return (await prompt(terminal, 'API key: ', true)).trim();
  return (given === '-' ? String(await readStdin(terminal)) : given).trim();
}

/** Asks a question. If it is for a secret, the typed text is not shown. */
async function prompt({ stdin, stderr, signal }: Terminal, question: string, isSecret = false): Promise<string> {
  stderr.write(question);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: stdin, output: isSecret ? silent : stderr, terminal: true });
  try {
    return await lines.question('', { signal });
  } finally {
    lines.close();
    if (isSecret) stderr.write('\n');
  }
}

interface CallerFacts {
  readonly base_url: string;
  /** The beginning and the end of the key. */
  readonly key: string;
  readonly mode: 'live' | 'test';
  /** The scopes that the key is known to have. */
  readonly scopes: readonly ('inference' | 'manage')[];
  /** Null unless the key has the scope `manage`. */
  readonly organization: { readonly id: string; readonly name: string } | null;
}

async function showCaller(terminal: Terminal, options: ConnectionOptions): Promise<Outcome> {
  const connection = findConnection(terminal, options);
  const caller = await describeCaller(connection);
  const { base_url: url, key, mode, scopes, organization } = caller;
  const source = { option: '--api-key', environment: 'PATCHBAY_API_KEY', login: 'patchbay login' }[connection.source];
  return {
    text: facts({
      url,
      key: `${key} (from ${source})`,
      mode,
      scopes: scopes.join(', '),
      organisation: organization ? `${organization.name} (${organization.id})` : undefined,
    }),
    json: { ...caller, source: connection.source },
  };
}

/** Rejects with a CommandError if the key is not valid. */
async function describeCaller(connection: Connection): Promise<CallerFacts> {
  const { url, token } = connection;
  const used = await unlessOutOfScope(ask(connection, 'GET', '/v1/credits'));
  const managed = await unlessOutOfScope(ask(connection, 'GET', '/console/api/organization'));
  const settings = managed?.json as OrganizationSettingsJson | undefined; // Safe: what this path answers with success.
  return {
    base_url: url,
    key: `${token.slice(0, 8)}…${token.slice(-4)}`,
    mode: token.startsWith('pb_live_') ? 'live' : 'test',
    scopes: [...(used ? (['inference'] as const) : []), ...(settings ? (['manage'] as const) : [])],
    organization: settings ? { id: settings.id, name: settings.name } : null,
  };
}

/** Resolves to undefined if the key is valid but lacks the scope for this request. */
async function unlessOutOfScope<Value>(answer: Promise<Value>): Promise<Value | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (['scope_required', 'endpoint_not_allowed', 'role_required'].includes(codeOf(error) ?? '')) return undefined;
    throw error;
  }
}
