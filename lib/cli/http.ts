import { CommandError, exitCodes } from './command-error';

// The HTTP access of all commands: with an API key, or with the operator's token.

/** A running installation, and the key or token for it. */
export interface Connection {
  /** Without a slash at its end. */
  readonly url: string;
  readonly token: string;
  readonly signal?: AbortSignal;
}

export interface AskOptions {
  readonly body?: unknown;
  readonly timeoutMs?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Answer {
  readonly json: unknown;
  /** Of a repeated submission, which did nothing again. */
  readonly isReplay: boolean;
  readonly headers: Headers;
}

const TIMEOUT_MS = 30_000;

/** Rejects with a CommandError for every response but a success. */
export async function ask(connection: Connection, method: string, target: string, options: AskOptions = {}) {
  const response = await send(connection, method, target, options);
  const text = await response.text().catch(() => '');
  const json = parseJson(text);
  if (response.ok && json !== undefined) {
    const { headers } = response;
    return { json, isReplay: headers.get('idempotent-replayed') === 'true', headers } satisfies Answer;
  }
  throw refusal(connection, response, json);
}

/** A successful response with its body unread. Rejects with a CommandError for every other one. */
export async function openBody(connection: Connection, target: string): Promise<Response> {
  const response = await send(connection, 'GET', target, { timeoutMs: 600_000 });
  if (response.ok) return response;
  throw refusal(connection, response, parseJson(await response.text().catch(() => '')));
}

/** Every entry of a list, page by page; at most `max` of them. */
export async function listAll<Entry extends { readonly id: string }>(
  connection: Connection,
  listPath: string,
  query: Readonly<Record<string, string | undefined>>,
  max = Number.POSITIVE_INFINITY,
): Promise<readonly Entry[]> {
  const all: Entry[] = [];
  for (;;) {
    const limit = String(Math.min(100, max - all.length));
    const { json } = await ask(connection, 'GET', withQuery(listPath, { ...query, limit, after: all.at(-1)?.id }));
    const page = json as { readonly data: readonly Entry[]; readonly has_more?: boolean }; // Safe: what these paths answer with success.
    all.push(...page.data);
    if (!page.has_more || all.length >= max) return all;
  }
}

/** Leaves out what is undefined. */
export function withQuery(target: string, query: Readonly<Record<string, string | undefined>>): string {
  const parameters = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
  return parameters.length === 0 ? target : `${target}?${new URLSearchParams(parameters).toString()}`;
}

async function send(
  { url, token, signal }: Connection,
  method: string,
  target: string,
  { body, timeoutMs = TIMEOUT_MS, headers }: AskOptions,
): Promise<Response> {
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    return await fetch(`${url}${target}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      redirect: 'manual',
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    });
  } catch {
    if (signal?.aborted) throw new CommandError('Interrupted.', exitCodes.interrupted);
    throw new CommandError(
      `Patchbay does not answer at ${url}. Start it with "npm start", or give the right address.`,
      exitCodes.unavailable,
    );
  }
}

function refusal({ url }: Connection, { status }: Response, json: unknown): CommandError {
  const message = messageIn(json);
  if (message === undefined)
    return new CommandError(
      `${url} answered with status ${status}, and not as Patchbay does. Give the address of the installation.`,
      exitCodes.unavailable,
    );
  return new CommandError(message, status >= 500 || status === 429 ? exitCodes.unavailable : exitCodes.failed, json);
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
  const error = errorIn(json);
  return error && 'message' in error && typeof error.message === 'string' ? error.message : undefined;
}

/** The code of an error in the API's format, such as "scope_required". */
export function codeOf(error: unknown): string | undefined {
  const found = error instanceof CommandError ? errorIn(error.body) : undefined;
  return found && 'code' in found && typeof found.code === 'string' ? found.code : undefined;
}

function errorIn(json: unknown): object | undefined {
  const error = typeof json === 'object' && json !== null && 'error' in json ? json.error : undefined;
  return typeof error === 'object' && error !== null ? error : undefined;
}
