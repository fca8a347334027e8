import type { Command } from 'commander';
import type { CreatedKeyJson, KeyJson, KeyListJson } from '../contract/keys';
import { makeCommand, option } from './command';
import { usageError } from './command-error';
import { ask } from './http';
import { connectionOptions, findConnection, type ConnectionOptions } from './login';
import { dollars, instant, table } from './table';
import type { Terminal } from './terminal';

// `keys`: the API keys of the organisation.

const PATH = '/console/api/keys';

interface CreateOptions extends ConnectionOptions {
  readonly name?: string;
  readonly mode: string;
  readonly scope?: readonly string[];
  readonly limit?: string;
  readonly period?: string;
  readonly expires?: string;
  readonly model?: readonly string[];
}

export function keyCommands(terminal: Terminal): Command {
  const list = makeCommand<ConnectionOptions & { all?: boolean }>(terminal, {
    name: 'list',
    description: 'List the keys of the organisation.',
    examples: ['patchbay keys list'],
    options: [...connectionOptions, option('--all', 'also keys that are revoked or expired')],
    run: async (options) => {
      const { json } = await ask(findConnection(terminal, options), 'GET', PATH);
      const { data } = json as KeyListJson; // Safe: what this path answers with success.
      const keys = options.all ? data : data.filter(({ status }) => status === 'active' || status === 'disabled');
      return { text: keysTable(keys), json: { object: 'list', data: keys } };
    },
  });
  const create = makeCommand<CreateOptions>(terminal, {
    name: 'create',
    description: 'Create a key. It is shown only this once.',
    examples: [
      'patchbay keys create --name Backend --mode test',
      'patchbay keys create --name Backend --limit 25.00 --period monthly --model sandbox-t2v',
    ],
    options: [
      ...connectionOptions,
      option('--name <text>', 'what the key is for (required)'),
      option('--mode <mode>', 'live or test').choices(['live', 'test']).default('live'),
      option('--scope <scopes...>', 'inference, manage or both (default: inference)'),
      option('--limit <usd>', 'how much it may spend, as a decimal number of dollars'),
      option('--period <period>', 'when the limit begins again: total, daily, weekly or monthly (default: total)'),
      option('--expires <date>', 'when it stops working, such as 2037-01-31T00:00:00Z'),
      option('--model <ids...>', 'the models that it may use (default: all)'),
    ],
    run: async ({ name, mode, scope, limit, period, expires, model, ...options }) => {
      if (name === undefined) throw usageError('Give the key a name with --name.');
      if (limit === undefined && period !== undefined) throw usageError('--period needs --limit.');
      const body = {
        name,
        mode,
        scopes: scope,
        limit: limit === undefined ? undefined : { amount: limit, period: period ?? 'total' },
        expires_at: expires,
        allowed_models: model,
      };
      const { json } = await ask(findConnection(terminal, options), 'POST', PATH, { body });
      const { key, id } = json as CreatedKeyJson; // Safe: see `list`.
      return { text: `${key}\nThis is key ${id}. Store it now: it is not shown again.\n`, json };
    },
  });
  const revoke = makeCommand<ConnectionOptions>(terminal, {
    name: 'revoke <id>',
    description: 'Revoke a key. It stops working within 5 seconds, for good.',
    examples: ['patchbay keys revoke key_0123456789abcdef0123456789abcdef'],
    options: connectionOptions,
    run: async (options, id = '') => {
      const { json } = await ask(findConnection(terminal, options), 'DELETE', `${PATH}/${encodeURIComponent(id)}`);
      return { text: `Revoked ${id}.\n`, json };
    },
  });
  return makeCommand(terminal, {
    name: 'keys',
    description: 'List, create and revoke API keys. Needs a live key with the scope manage.',
    examples: ['patchbay keys list', 'patchbay keys create --name Backend'],
    commands: [list, create, revoke],
  });
}

function keysTable(keys: readonly KeyJson[]): string {
  if (keys.length === 0) return 'There is no key.\n';
  return table([
    ['id', 'name', 'key', 'mode', 'status', 'scopes', 'limit', 'last used'],
    ...keys.map(({ id, name, display, mode, status, scopes, limit, last_used_at: usedAt }) => [
      id,
      name,
      display,
      mode,
      status,
      scopes.join(', '),
      limit ? `${dollars(limit.spent)} of ${dollars(limit.amount)} ${limit.period}` : '',
      instant(usedAt),
    ]),
  ]);
}
