import path from 'node:path';
import { parseArgs } from 'node:util';
import { baseUrlOf, readConfig, type Config } from '../lib/config';
import { findOperatorToken } from '../lib/config-secrets';
import { readEnvFile } from '../lib/env-file';
import type { OrganizationJson } from '../lib/contract/organizations';
import type { TransferJson } from '../lib/contract/credits';

// `npm run credits`: the operator's command. It calls the running installation over HTTP, because only that process can
// open an embedded database; with an external database it does the same.

const HELP = `Grants, adjusts and refunds credits of a running Patchbay.

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
  --organization org_…   which organisation; may be left out while there is only one
  --mode live|test       which account of it (default: live)
  --amount USD           dollars as a decimal number
  --reference TEXT       your name for this transfer; a repetition with the same reference moves nothing twice
  --reason TEXT          why; the organisation can read it
  --subject ID           of a refund: id of a video, a message or an audio session
  --url URL              address of the installation (default: PUBLIC_BASE_URL, else HOST and PORT)
  --json                 prints the answer as JSON, errors too (with "npm run --silent credits" nothing else)
  --help                 prints this text

The token is OPERATOR_TOKEN, from the environment or .env; with the embedded database it is found in DATA_DIR/secrets.json.
Exit codes: 0 done; 1 refused; 2 wrong command or setting; 3 no usable answer: repeat it with the same reference.
`;

const TIMEOUT_MS = 30_000;
const REFUSED = 1;
const WRONG_USAGE = 2;
const NO_ANSWER = 3;

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

/** Ends the command with a message and an exit code. */
class Stop extends Error {
  constructor(
    message: string,
    readonly exitCode: number,
    /** The error in the response of the installation. */
    readonly body?: unknown,
  ) {
    super(message);
  }
}

interface Installation {
  readonly url: string;
  readonly token: string;
}

async function main(args: readonly string[]): Promise<string> {
  const { values, positionals } = readArguments(args);
  const [command, ...rest] = positionals;
  if (values.help || command === 'help' || command === undefined) {
    if (command === undefined && !values.help) throw new Stop(HELP, WRONG_USAGE);
    return HELP;
  }
  if (rest.length > 0) throw wrongUsage(`"${rest[0]}" is not expected here. Put texts with blanks into quotes.`);
  switch (command) {
    case 'grant':
    case 'adjust':
    case 'refund':
      return transfer(findInstallation(values), command, values);
    case 'list':
      return listOrganizations(findInstallation(values), values);
    case 'transfers':
      return listTransfers(findInstallation(values), values);
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

function findInstallation(values: Options): Installation {
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
  const url = values.url ?? baseUrlOf(config);
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw wrongUsage('--url must be an address that begins with http:// or https://.');
  return { url: url.replace(/\/+$/, ''), token };
}

async function transfer(
  installation: Installation,
  kind: 'grant' | 'adjust' | 'refund',
  values: Options,
): Promise<string> {
  const { amount, reference, reason, organization, subject, mode = 'live' } = values;
  const missing = Object.entries({ amount, reference, reason }).flatMap(([name, value]) =>
    value === undefined ? [`--${name}`] : [],
  );
  if (missing.length > 0) throw wrongUsage(`${kind} needs ${missing.join(' and ')}.`);
  const body = { kind, mode, amount, reference, reason, organization, subject };
  const { json, isReplay } = await ask(installation, 'POST', '/internal/operator/transfers', body);
  if (values.json) return `${JSON.stringify(json)}\n`;
  const made = json as TransferJson; // Safe: what this path answers with success.
  const done = isReplay ? 'This reference was used before, and nothing was moved again:' : 'Done:';
  return `${done} ${described(made)}. Available right after it: ${dollars(made.available)}.\n`;
}

async function listOrganizations(installation: Installation, values: Options): Promise<string> {
  const organizations = (await listAll(
    installation,
    '/internal/operator/organizations',
    {},
  )) as readonly OrganizationJson[]; // Safe: see `transfer`.
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

async function listTransfers(installation: Installation, values: Options): Promise<string> {
  const { organization, mode } = values;
  const transfers = (await listAll(installation, '/internal/operator/transfers', {
    organization,
    mode,
  })) as readonly TransferJson[]; // Safe: see `transfer`.
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

/** Every page of a list. */
async function listAll(
  installation: Installation,
  listPath: string,
  query: Readonly<Record<string, string | undefined>>,
): Promise<readonly unknown[]> {
  const all: { readonly id: string }[] = [];
  for (;;) {
    const asked = Object.entries({ ...query, limit: '100', after: all.at(-1)?.id }).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    );
    const { json } = await ask(installation, 'GET', `${listPath}?${new URLSearchParams(asked).toString()}`);
    const page = json as { readonly data: readonly { readonly id: string }[]; readonly has_more: boolean }; // Safe: what these paths answer with success.
    all.push(...page.data);
    if (!page.has_more) return all;
  }
}

/** Rejects with Stop for every response but a success. */
async function ask(
  { url, token }: Installation,
  method: string,
  target: string,
  body?: unknown,
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
      signal: AbortSignal.timeout(TIMEOUT_MS),
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

function described({ id, kind, mode, amount, organization, subject, reference }: TransferJson): string {
  const what = { grant: 'granted', adjust: 'adjusted by', refund: 'refunded' }[kind];
  return `${what} ${dollars(amount)} of ${mode} credits in ${organization}${subject === null ? '' : ` for ${subject}`} (${id}, reference ${reference})`;
}

function dollars(amount: string): string {
  return amount.startsWith('-') ? `-$${amount.slice(1)}` : `$${amount}`;
}

function table(rows: readonly (readonly string[])[]): string {
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

function wrongUsage(sentence: string): Stop {
  return new Stop(`${sentence}\nnpm run credits -- help explains the commands.`, WRONG_USAGE);
}

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
