import { parseArgs } from 'node:util';
import { usageError, type CommandError } from '../lib/cli/command-error';
import { ask, withQuery } from '../lib/cli/http';
import { table } from '../lib/cli/table';
import type { OrganizationLimitsJson } from '../lib/contract/limits';
import { isLimitName, limitNames, limitRules, parseLimitList, shownLimit, type LimitName } from '../lib/domain/limits';
import { callOf, findInstallation, run, withOrganization, wrongUsage as wrongUsageOf } from './operator-command';

// `npm run limits` and `patchbay limits`: the operator's command that shows and changes the limits of an organisation.

const call = callOf('limits');
const HELP = `Shows and changes the limits of an organisation of a running Patchbay.

  ${call} show
  ${call} set requests_per_second=200,open_streams=off
  ${call} reset requests_per_second,open_streams

Commands
  show         lists the limits that are in force
  set          changes limits: a value, dollars for spend_per_minute, or off
  reset        goes back to the configured limits (ORGANIZATION_LIMITS); "all" resets all of them

Limits
${limitNames.map((name) => `  ${name.padEnd(30)} ${descriptionOf(name)}`).join('\n')}

Options
  --organization org_…   which organisation; may be left out while there is only one
  --url URL              base URL of the installation (default: PUBLIC_BASE_URL, else HOST and PORT)
  --json                 prints the answer as JSON, errors too
  --help                 prints this text

A change is in force within 5 seconds. The token is OPERATOR_TOKEN, from the environment or .env; with the embedded database it is found
in DATA_DIR/secrets.json.
Exit codes: 0 done; 1 refused; 2 wrong command or setting; 3 no usable answer.
`;

const options = {
  organization: { type: 'string' },
  url: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

const PATH = '/internal/operator/limits';

async function main(args: readonly string[]): Promise<string> {
  const { values, positionals } = readArguments(args);
  const [command, list = '', ...rest] = positionals;
  if (values.help || command === 'help') return HELP;
  if (command === undefined) throw usageError(HELP);
  if (rest.length > 0)
    throw wrongUsage(`"${rest[0]}" is not expected here. Separate limits with commas, without spaces.`);
  const { organization } = values;
  const changes = changesOf(command, list);
  const installation = findInstallation('limits', values.url);
  const { json } = await withOrganization(
    'limits',
    changes === undefined
      ? ask(installation, 'GET', withQuery(PATH, { organization }))
      : ask(installation, 'PATCH', PATH, { body: { organization, limits: changes } }),
  );
  if (values.json) return `${JSON.stringify(json)}\n`;
  const { limits, changed } = json as OrganizationLimitsJson; // Safe: what this path answers with success.
  return table([
    ['limit', 'value', ''],
    ...limitNames.flatMap((name) => {
      const value = limits[name];
      return value === undefined ? [] : [[name, String(value), changed.includes(name) ? 'changed' : '']];
    }),
  ]);
}

function readArguments(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    throw wrongUsage(error instanceof Error ? error.message : String(error));
  }
}

/** Returns the body of the change; undefined if the command only shows the limits. */
function changesOf(command: string, list: string): Record<string, unknown> | undefined {
  switch (command) {
    case 'show':
      return undefined;
    case 'set': {
      const parsed = parseLimitList(list);
      if (typeof parsed === 'string' || list === '')
        throw wrongUsage(`The limits must be ${typeof parsed === 'string' ? parsed : 'given'}.`);
      const set = limitNames.flatMap((name) => {
        const value = parsed[name];
        return value === undefined ? [] : [[name, value === null ? 'off' : shownLimit(name, value)]];
      });
      return Object.fromEntries(set) as Record<string, unknown>;
    }
    case 'reset': {
      const names = list === 'all' ? limitNames : list.split(',').filter(Boolean);
      if (names.length === 0) throw wrongUsage('Name the limits to reset, or "all".');
      const unknown = names.find((name) => !isLimitName(name));
      if (unknown !== undefined)
        throw wrongUsage(`There is no limit "${unknown}". The limits are ${limitNames.join(', ')}.`);
      return Object.fromEntries(names.map((name) => [name, null]));
    }
    default:
      throw wrongUsage(`There is no command "${command}".`);
  }
}

/** Describes what a limit counts. */
function descriptionOf(name: LimitName): string {
  const rule = limitRules[name];
  return 'money' in rule ? `dollars ${rule.noun}` : rule.noun;
}

function wrongUsage(sentence: string): CommandError {
  return wrongUsageOf('limits', sentence);
}

run(main);
