import { z } from 'zod';
import { speechOutputSchema, transcriptionOutputSchema } from '../../lib/contract/audio';
import { errorSchema } from '../../lib/contract/errors';
import { operations, type Operation } from '../../lib/contract/operations';

// Checks every JSON response that a test receives with `fetch` from a server of ours, and every message that it receives
// from a socket, against the contract, so that no answer differs from its schema unnoticed. The test that received it
// fails.

/** A JSON response. */
export interface ReceivedAnswer {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly status: number;
  readonly text: string;
}

const matchers = operations
  .map((operation) => ({
    operation,
    matches: new RegExp(`^${operation.pattern.replace(/:\w+/g, '[^/]+').replace(/\*\w+/g, '.+')}$`),
  }))
  // A literal path is not one with a parameter.
  .sort((one, other) => Number(/[:*]/.test(one.operation.pattern)) - Number(/[:*]/.test(other.operation.pattern)));

/** The operation that answers a request; undefined for an unknown path. The messages API is mounted without `/v1`, too. */
function findOperation(method: string, path: string): Operation | undefined {
  const full = path.startsWith('/messages') ? `/v1${path}` : path;
  return matchers.find(({ operation, matches }) => operation.method === method && matches.test(full))?.operation;
}

/** Throws if the contract has no such answer. */
export function checkAnswer({ method, path, status, text }: ReceivedAnswer): void {
  const operation = findOperation(method, path);
  const body = operation?.answers[status];
  const where = `${method} ${path} answered ${status}`;
  if (!operation && status < 400) throw new Error(`${where}, but lib/contract/operations.ts has no such operation.`);
  if (operation && status < 400 && !body)
    throw new Error(`${where}, a status that its entry in lib/contract/operations.ts does not have.`);
  const schema = body?.json ?? operation?.error ?? errorSchema;
  const parsed = schema.safeParse(JSON.parse(text));
  if (parsed.success) return;
  throw new Error(
    `${where} with a body that its schema in lib/contract does not describe:\n${z.prettifyError(parsed.error)}\n${text.slice(0, 500)}`,
  );
}

/** Why the contract has no such message of a socket; undefined if it has, or if the path is not one of ours. */
export function mistakeInMessage(path: string, message: unknown): string | undefined {
  const schema = messageSchemas[path];
  const parsed = schema?.safeParse(message);
  if (!parsed || parsed.success) return undefined;
  return `${path} sent a message that its schema in lib/contract/audio.ts does not describe:\n${z.prettifyError(parsed.error)}\n${JSON.stringify(message).slice(0, 500)}`;
}

const messageSchemas: Readonly<Record<string, z.ZodType>> = {
  '/v1/audio/transcriptions/ws': transcriptionOutputSchema,
  '/v1/audio/speech/ws': speechOutputSchema,
};

const origins = new Set<string>();
let isInstalled = false;
/** Checked before: the catalog is large, and its responses rarely differ. */
const knownTags = new Set<string>();

/** Checks the answers of the server at this address from now on; returns the end of it. */
export function checkAnswersOf(baseUrl: string): () => void {
  if (!isInstalled) globalThis.fetch = checkedFetch(globalThis.fetch);
  isInstalled = true;
  origins.add(baseUrl);
  return () => void origins.delete(baseUrl);
}

function checkedFetch(plain: typeof fetch): typeof fetch {
  return async (input, init) => {
    const response = await plain(input, init);
    const url = new URL(input instanceof Request ? input.url : input);
    // The paths below `/api/auth` are next-auth's own.
    if (!origins.has(url.origin) || url.pathname.startsWith('/api/auth/')) return response;
    const method = (init?.method ?? (input instanceof Request ? input.method : 'GET')).toUpperCase();
    const mediaType = response.headers.get('content-type')?.split(';', 1)[0] ?? '';
    const tag = `${url.pathname} ${response.headers.get('etag')}`;
    if (mediaType !== 'application/json' || method === 'HEAD' || knownTags.has(tag)) return response;
    const text = await response.clone().text();
    checkAnswer({ method, path: url.pathname, status: response.status, text });
    if (response.headers.has('etag')) knownTags.add(tag);
    return response;
  };
}
