import { parseArgs } from 'node:util';
import type { OrganizationJson } from '../lib/contract/organizations';
import type { TransferJson } from '../lib/contract/credits';
import { usageError, type CommandError } from '../lib/cli/command-error';
import { ask, listAll, type Connection } from '../lib/cli/http';
import { dollars, table } from '../lib/cli/table';
import { allOf } from '../lib/domain/phrases';
import {
  callOf,
  findInstallation,
  isPatchbay,
  run,
  withOrganization,
  wrongUsage as wrongUsageOf,
} from './operator-command';

// `npm run credits`: the operator's command for credits. `patchbay grant` is its `grant`.

const EXIT_CODES = `The token is OPERATOR_TOKEN, from the environment or .env; with the embedded database it is found in DATA_DIR/secrets.json.
Exit codes: 0 done; 1 refused; 2 wrong command or setting; 3 no usable answer: repeat it with the same reference.
`;

const TARGET_OPTIONS = `  --organization org_…   which organisation; may be left out while there is only one
  --mode live|test       which account of it (default: live)
  --amount USD           dollars as a decimal number`;

const GRANT_HELP = `Grants credits of a running Patchbay.

  ${callOf('credits')} --amount 25.00 --reference invoice-17 --reason "Paid by invoice 17"

Options
${TARGET_OPTIONS}
  --reference TEXT       your name for this grant; a repetition with the same reference moves no credits again
  --reason TEXT          why; the organisation can read it
  --url URL              base URL of the installation (default: PUBLIC_BASE_URL, else HOST and PORT)
  --json                 prints the answer as JSON, errors too
  --help                 prints this text

"npm run credits" in the folder of Patchbay also adjusts and refunds credits, and lists organisations and transfers.
${EXIT_CODES}`;

const SCRIPT_HELP = `Grants, adjusts and refunds credits of a running Patchbay.

  npm run credits -- grant     --amount 25.00 --reference invoice-17 --reason "Paid by invoice 17"
  npm run credits -- adjust    --amount -5.00 --reference ticket-9   --reason "Granted twice"
  npm run credits -- refund    --amount 0.40  --reference ticket-12  --reason "Wrong aspect ratio" --subject video_…
  npm run credits -- list
  npm run credits -- transfers

Commands
  grant        adds credits
  adjust       adds credits, or takes them with a negative amount; never more than is available
  refund       gives back what was charged; with --subject at most what that work was charged
  list         lists the organisations with their balances
  transfers    lists the grants, adjustments and refunds of an organisation, newest first

Options
${TARGET_OPTIONS}
  --reference TEXT       your name for this transfer; a repetition with the same reference moves no credits again
  --reason TEXT          why; the organisation can read it
  --subject ID           of a refund: id of a video, a message or an audio session
  --url URL              base URL of the installation (default: PUBLIC_BASE_URL, else HOST and PORT)
  --json                 prints the answer as JSON, errors too (with "npm run --silent credits" nothing else)
  --help                 prints this text

${EXIT_CODES}`;

const HELP = isPatchbay('credits') ? GRANT_HELP : SCRIPT_HELP;

const options = {
  organization: { type: 'string' },
  mode: { type: 'string' },
  amount: { type: 'string' },
  reference: { type: 'string' },
  reason: { type: 'string' },
  subject: { type: 'string' },
  url: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

type Options = {
  readonly [Name in keyof typeof options]?: (typeof options)[Name]['type'] extends 'boolean' ? boolean : string;
};

async function main(args: readonly string[]): Promise<string> {
  const { values, positionals } = readArguments(args);
  const [command, ...rest] = positionals;
  if (values.help || command === 'help' || command === undefined) {
    if (command === undefined && !values.help) throw usageError(HELP);
    return HELP;
  }
  if (rest.length > 0) throw wrongUsage(`"${rest[0]}" is not expected here. Put text with spaces in quotes.`);
  switch (command) {
    case 'grant':
    case 'adjust':
    case 'refund':
      return transfer(findInstallation('credits', values.url), command, values);
    case 'list':
      return listOrganizations(findInstallation('credits', values.url), values);
    case 'transfers':
      return listTransfers(findInstallation('credits', values.url), values);
    default:
      throw wrongUsage(`There is no command "${command}".`);
  }
}

function readArguments(args: readonly string[]): { values: Options; positionals: readonly string[] } {
  // `--amount -5` would be parsed as two options.
  const joined: string[] = [];
  for (const arg of args) {
    if (joined.at(-1) === '--amount' && /^-[\d.]/.test(arg)) joined[joined.length - 1] = `--amount=${arg}`;
    else joined.push(arg);
  }
  try {
    return parseArgs({ args: joined, options, allowPositionals: true });
  } catch (error) {
    throw wrongUsage(error instanceof Error ? error.message : String(error));
  }
}

async function transfer(
  installation: Connection,
  kind: 'grant' | 'adjust' | 'refund',
  values: Options,
): Promise<string> {
  const { amount, reference, reason, organization, subject, mode = 'live' } = values;
  const missing = Object.entries({ amount, reference, reason }).flatMap(([name, value]) =>
    value === undefined ? [`--${name}`] : [],
  );
  if (missing.length > 0) throw wrongUsage(`${kind} needs ${allOf(missing)}.`);
  const body = { kind, mode, amount, reference, reason, organization, subject };
  const { json, isReplay } = await withOrganization(
    'credits',
    ask(installation, 'POST', '/internal/operator/transfers', { body }),
  );
  if (values.json) return `${JSON.stringify(json)}\n`;
  const made = json as TransferJson; // Safe: what this path answers with success.
  const done = isReplay ? 'This reference was used before, and nothing was moved again:' : 'Done:';
  return `${done} ${described(made)}. Available right after it: ${dollars(made.available)}.\n`;
}

async function listOrganizations(installation: Connection, values: Options): Promise<string> {
  const organizations = await listAll<OrganizationJson>(installation, '/internal/operator/organizations', {});
  if (values.json) return `${JSON.stringify(organizations)}\n`;
  if (organizations.length === 0) return 'There is no organisation yet.\n';
  return table([
    ['organization', 'name', 'live available', 'held', 'spent', 'test available'],
    ...organizations.map(({ id, name, suspended, credits: { live, test } }) => [
      id,
      suspended ? `${name} (suspended)` : name,
      dollars(live.available),
      dollars(live.held),
      dollars(live.spent),
      dollars(test.available),
    ]),
  ]);
}

async function listTransfers(installation: Connection, values: Options): Promise<string> {
  const { organization, mode } = values;
  const transfers = await withOrganization(
    'credits',
    listAll<TransferJson>(installation, '/internal/operator/transfers', { organization, mode }),
  );
  if (values.json) return `${JSON.stringify(transfers)}\n`;
  if (transfers.length === 0) return 'There is no transfer yet.\n';
  return table([
    ['at', 'kind', 'amount', 'available', 'reference', 'reason', 'subject'],
    ...transfers.map((each) => [
      new Date(each.created_at * 1000).toISOString(),
      each.kind,
      dollars(each.amount),
      dollars(each.available),
      each.reference,
      each.reason,
      each.subject ?? '',
    ]),
  ]);
}

function described({ id, kind, mode, amount, organization, subject, reference }: TransferJson): string {
  const what = { grant: 'granted', adjust: 'adjusted by', refund: 'refunded' }[kind];
  return `${what} ${dollars(amount)} of ${mode} credits in ${organization}${subject === null ? '' : ` for ${subject}`} (${id}, reference ${reference})`;
}

function wrongUsage(sentence: string): CommandError {
  return wrongUsageOf('credits', sentence);
}

run(main);
