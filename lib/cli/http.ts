import { ApiError } from '../client/errors';
import { Transport } from '../client/transport';
import { certificateSentence } from './certificate-error';
import { CommandError, exitCodes } from './command-error';

// The HTTP access of all commands, with an API key or the operator's token. It uses the client without retries, and
// throws the errors of commands.

/** A running installation, and the key or token for it. */
export interface Connection {
  /** Without a slash at its end. */
  readonly url: string;
  readonly token: string;
  readonly signal?: AbortSignal;
}

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

export interface AskOptions {
  readonly body?: unknown;
  readonly timeoutMs?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Answer {
  readonly json: unknown;
  /**
   * Whether the submission repeated an earlier one. If so, this is the earlier response, and nothing was done again.
   */
  readonly isReplay: boolean;
  readonly headers: Headers;
}

const TIMEOUT_MS = 30_000;
const DOWNLOAD_TIMEOUT_MS = 600_000;

/** Sends a request. Rejects with a CommandError unless the response is a success. */
export async function ask(
  connection: Connection,
  method: Method,
  target: string,
  options: AskOptions = {},
): Promise<Answer> {
  try {
    const response = await send(connection, method, target, options);
    const { headers } = response;
    return { json: await response.json(), isReplay: headers.get('idempotent-replayed') === 'true', headers };
  } catch (error) {
    throw asCommandError(connection, error);
  }
}

/** Resolves to a successful response whose body is not read yet. Rejects with a CommandError for any other. */
export async function openBody(connection: Connection, target: string): Promise<Response> {
  try {
    return await send(connection, 'GET', target, { timeoutMs: DOWNLOAD_TIMEOUT_MS });
  } catch (error) {
    throw asCommandError(connection, error);
  }
}

/** Lists the entries page by page, at most `max` of them. */
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

/** Adds the query to the target, without parameters that are undefined. */
export function withQuery(target: string, query: Readonly<Record<string, string | undefined>>): string {
  const parameters = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
  return parameters.length === 0 ? target : `${target}?${new URLSearchParams(parameters).toString()}`;
}

function send(
  { url, token, signal }: Connection,
  method: Method,
  target: string,
  { body, timeoutMs = TIMEOUT_MS, headers }: AskOptions,
): Promise<Response> {
  const timeout = AbortSignal.timeout(timeoutMs);
  const transport = new Transport({
    baseUrl: url,
    apiKey: token,
    maxRetries: 0,
    // Redirects are not followed, so the key is sent to no other URL.
    fetch: (input, init) => fetch(input, { ...init, redirect: 'manual' }),
  });
  return transport.open(target, {
    method,
    body,
    headers,
    signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
  });
}

function asCommandError({ url, signal }: Connection, error: unknown): CommandError {
  if (signal?.aborted) return new CommandError('Interrupted.', exitCodes.interrupted);
  if (error instanceof ApiError && error.code !== undefined) {
    const mayPass = error.status >= 500 || error.status === 429;
    return new CommandError(error.message, mayPass ? exitCodes.unavailable : exitCodes.failed, error);
  }
  const certificate = certificateSentence(url, error);
  if (certificate !== undefined) return new CommandError(certificate, exitCodes.unavailable);
  const isStranger = error instanceof ApiError || error instanceof SyntaxError;
  return new CommandError(
    isStranger
      ? `${url} does not answer like Patchbay. Give the base URL of the installation.`
      : `Patchbay does not answer at ${url}. Start it with "npm start", or give the right URL.`,
    exitCodes.unavailable,
  );
}

/** Whether the installation refused the request because this field is missing. */
export function isMissing(error: unknown, param: string): error is CommandError {
  if (!(error instanceof CommandError && error.body instanceof ApiError)) return false;
  return error.body.code === 'missing_required_parameter' && error.body.param === param;
}

/** Returns the code of an error in the API's format, such as "scope_required". */
export function codeOf(error: unknown): string | undefined {
  return error instanceof CommandError && error.body instanceof ApiError ? error.body.code : undefined;
}
