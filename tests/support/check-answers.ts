import { Ajv2020 } from 'ajv/dist/2020';
import { z } from 'zod';
import { errorSchema } from '../../lib/contract/errors';
import { operations } from '../../lib/contract/operations';
import type { Operation } from '../../lib/contract/operations/operation';
import { sockets } from '../../lib/contract/sockets';
import { createOpenApi } from '../../lib/http/documents/openapi';
import { findResponse, openApiPath, type OpenApiResponse } from '../../lib/http/documents/openapi-document';
import { routeTable } from '../../lib/http/routes';

// Checks every response that a test receives with `fetch` from a server of ours against the contract and against
// /openapi.json, and every message that it receives from a socket. The test that received it fails for a status, a media
// type, a header of ours, a field or an error code that is not documented.

export interface ReceivedAnswer {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly query?: URLSearchParams;
  readonly status: number;
  /** Not checked if absent. */
  readonly headers?: Headers;
  /** Of JSON. */
  readonly text?: string | undefined;
}

/** Headers of HTTP itself, of every response; all others are ours and must be documented. */
const HTTP_HEADERS =
  /^(?:date|connection|keep-alive|transfer-encoding|content-type|content-length|cache-control|vary|allow|x-content-type-options|strict-transport-security|cross-origin-resource-policy|access-control-[a-z-]+)$/;

const byRoute = new Map(operations.map((each) => [`${each.method} ${each.pattern}`, each]));

function findOperation(method: string, path: string): Operation | undefined {
  const destination = routeTable.find(path);
  if (destination.kind !== 'route') return undefined;
  return byRoute.get(`${method === 'HEAD' ? 'GET' : method} ${destination.endpoint.pattern}`);
}

/** The document, and what checks a value against one of its parts; made at the first answer. */
function createCheck() {
  const document = createOpenApi(routeTable.endpoints, { baseUrl: 'http://127.0.0.1:3000', version: '0.1.0' });
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema(document, 'openapi');
  return {
    find: ({ method, pattern }: Operation, status: number) =>
      findResponse(document, { path: openApiPath(pattern), method: method.toLowerCase(), status }),
    /** What of the body is not as in this response of the document; undefined if nothing. */
    mistakeIn(at: readonly string[], body: unknown): string | undefined {
      const pointer = [...at, 'content', 'application/json', 'schema']
        .map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')))
        .join('/');
      const validate = ajv.getSchema(`openapi#/${pointer}`);
      if (!validate) throw new Error(`/openapi.json has no schema at ${pointer}.`);
      return validate(body) === true ? undefined : ajv.errorsText(validate.errors);
    },
    requiredHeaders: Object.entries(document.components.headers).flatMap(([name, header]) =>
      header['required'] === true ? [name] : [],
    ),
  };
}
let check: ReturnType<typeof createCheck> | undefined;

/** Throws if the contract has no such answer. */
export function checkAnswer({ method, path, query, status, headers, text }: ReceivedAnswer): void {
  const operation = findOperation(method, path);
  const where = `${method} ${path} answered ${status}`;
  const body = text === undefined ? undefined : (JSON.parse(text) as unknown);
  if (!operation) {
    if (status < 400) throw new Error(`${where}, but lib/contract/operations has no such operation.`);
    if (body !== undefined) parseStrictly(where, errorSchema, body);
    return;
  }
  check ??= createCheck();
  const found = check.find(operation, status);
  if (!found) throw new Error(`${where}, a status that /openapi.json does not have. ${text?.slice(0, 300) ?? ''}`);
  if (headers) checkHeaders(where, found.response, headers, check.requiredHeaders);
  const unknown = status < 400 ? [...(query?.keys() ?? [])].filter((name) => !(name in operation.query)) : [];
  if (unknown.length > 0)
    throw new Error(`${where}, but its query parameters ${unknown.join(', ')} are not documented.`);
  if (body === undefined) return;
  const answer = operation.answers[status]?.json;
  const isError = status >= 400 && !(answer?.safeParse(body).success ?? false);
  parseStrictly(where, isError ? operation.error : (answer ?? operation.error), body);
  const mistake = check.mistakeIn(found.at, body);
  if (mistake !== undefined)
    throw new Error(
      `${where} with a body that /openapi.json does not describe: ${mistake}\n${text?.slice(0, 500) ?? ''}`,
    );
}

/** Schemas of answers are strict, so that no field is left out of the contract. */
function parseStrictly(where: string, schema: z.ZodType, body: unknown): void {
  const parsed = schema.safeParse(body);
  if (parsed.success) return;
  throw new Error(
    `${where} with a body that its schema in lib/contract does not describe:\n${z.prettifyError(parsed.error)}\n${JSON.stringify(body).slice(0, 500)}`,
  );
}

function checkHeaders(
  where: string,
  { headers: documented, content = {} }: OpenApiResponse,
  headers: Headers,
  required: readonly string[],
): void {
  const unknown = [...headers.keys()].filter((name) => !HTTP_HEADERS.test(name) && !(name in documented));
  if (unknown.length > 0) throw new Error(`${where} with headers that are not documented: ${unknown.join(', ')}.`);
  const missing = required.filter((name) => name in documented && !headers.has(name));
  if (missing.length > 0) throw new Error(`${where} without the headers ${missing.join(', ')}.`);
  const type = mediaTypeOf(headers);
  const isKnown = Object.keys(content).some((each) => each === type || each === `${type.split('/')[0]}/*`);
  if (type !== '' && !isKnown) throw new Error(`${where} with the media type ${type}, which is not documented.`);
}

const mediaTypeOf = (headers: Headers) => headers.get('content-type')?.split(';', 1)[0] ?? '';

/** Why the contract has no such message of a socket; undefined if it has, or if the path is not one of ours. */
export function mistakeInMessage(path: string, message: unknown): string | undefined {
  const parsed = sockets.find((socket) => socket.path === path)?.output.schema.safeParse(message);
  if (!parsed || parsed.success) return undefined;
  return `${path} sent a message that its schema in lib/contract/audio.ts does not describe:\n${z.prettifyError(parsed.error)}\n${JSON.stringify(message).slice(0, 500)}`;
}

const origins = new Set<string>();
let isInstalled = false;
/** Checked before: the catalog is large, and its responses rarely differ. */
const knownTags = new Set<string>();

/** Checks the answers of the server at this URL from now on; returns the end of it. */
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
    if (!origins.has(url.origin) || response.redirected || url.pathname.startsWith('/api/auth/')) return response;
    const { status, headers } = response;
    const method = (init?.method ?? (input instanceof Request ? input.method : 'GET')).toUpperCase();
    const isJson = mediaTypeOf(headers) === 'application/json';
    const tag = `${url.pathname} ${status} ${headers.get('etag')}`;
    if (method === 'OPTIONS' || knownTags.has(tag) || (!isJson && !findOperation(method, url.pathname)))
      return response;
    const text = isJson && method !== 'HEAD' ? await response.clone().text() : undefined;
    checkAnswer({ method, path: url.pathname, query: url.searchParams, status, headers, text });
    if (headers.has('etag') && text !== undefined) knownTags.add(tag);
    return response;
  };
}
