import { parseArgs } from 'node:util';
import type { ProviderListJson, VerificationListJson } from '../lib/contract/providers';
import { CommandError, exitCodes } from '../lib/cli/command-error';
import { ask } from '../lib/cli/http';
import { table } from '../lib/cli/table';
import { callOf, findInstallation, run, wrongUsage } from './operator-command';

// `npm run providers` and `patchbay providers`: which providers a running installation offers, and whether they accept
// its credentials.

const call = callOf('providers');
const HELP = `Shows the providers of a running Patchbay.

  ${call.replace(/ --$/, '')}
  ${call} verify
  ${call} verify kling

Commands
  list              which providers are offered, and what is missing for the others (also without a command)
  verify [ID]       sends each offered provider, or this one, the cheapest request that needs its credentials: the check
                    of a job that does not exist, a message of one token, a transcription without audio, one syllable

Options
  --url URL         base URL of the installation (default: PUBLIC_BASE_URL, else HOST and PORT)
  --json            prints the answer as JSON, errors too (with "npm run --silent providers" nothing else)
  --help            prints this text

The token is OPERATOR_TOKEN, from the environment or .env; with the embedded database it is found in DATA_DIR/secrets.json.
Exit codes: 0 done; 1 refused, or a provider refused its credentials; 2 wrong command or setting; 3 no usable answer.
`;

/** Longer than the installation waits for a provider. */
const VERIFY_TIMEOUT_MS = 60_000;

const options = {
  url: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

async function main(args: readonly string[]): Promise<string> {
  const { values, positionals } = readArguments(args);
  const [command = 'list', id, ...rest] = positionals;
  if (values.help || command === 'help') return HELP;
  if (rest.length > 0 || (command === 'list' && id !== undefined))
    throw wrongUsage('providers', `"${rest[0] ?? id}" is not expected here.`);
  if (command === 'list') return list(values);
  if (command === 'verify') return verify(values, id);
  throw wrongUsage('providers', `There is no command "${command}".`);
}

function readArguments(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    throw wrongUsage('providers', error instanceof Error ? error.message : String(error));
  }
}

interface Values {
  readonly url?: string;
  readonly json?: boolean;
}

async function list({ url, json: asJson }: Values): Promise<string> {
  const { json } = await ask(findInstallation('providers', url), 'GET', '/internal/operator/providers');
  if (asJson) return `${JSON.stringify(json)}\n`;
  const { data } = json as ProviderListJson; // Safe: what this path answers with success.
  const rows = data.map(
    ({ id, capabilities, offered, models, reason, unconfirmed_models: { length: unconfirmed } }) => [
      id,
      capabilities.join(', '),
      offered ? `offered, ${models} ${models === 1 ? 'model' : 'models'}` : 'not offered',
      reason ??
        (unconfirmed > 0 ? `Confirm the prices of ${unconfirmed} ${unconfirmed === 1 ? 'model' : 'models'}.` : ''),
    ],
  );
  return `${table([['provider', 'capabilities', 'state', 'to do'], ...rows])}${unconfirmedText(data)}`;
}

/** The prices to confirm, in the form of the variable. */
function unconfirmedText(data: ProviderListJson['data']): string {
  const names = data.flatMap(({ id, unconfirmed_models: models }) => models.map((model) => `${id}/${model}`));
  if (names.length === 0) return '';
  return `
Prices that could not be read at the provider are not sold until you confirm them. Compare them in the catalog with
your contract; these names are for CONFIRMED_PRICES:

${names.map((name) => `  ${name}\n`).join('')}`;
}

async function verify({ url, json: asJson }: Values, provider: string | undefined): Promise<string> {
  const installation = findInstallation('providers', url);
  const path = '/internal/operator/providers/verify';
  const { json } = await ask(installation, 'POST', path, {
    body: provider === undefined ? {} : { provider },
    timeoutMs: VERIFY_TIMEOUT_MS,
  });
  const { data } = json as VerificationListJson; // Safe: what this path answers with success.
  const rows = data.map((each) => [each.provider, each.capability, each.outcome, each.message]);
  const text = table([['provider', 'capability', 'credentials', ''], ...rows]);
  if (data.some(({ outcome }) => outcome === 'refused')) throw new CommandError(text, exitCodes.failed, json);
  return asJson ? `${JSON.stringify(json)}\n` : text;
}

run(main);
