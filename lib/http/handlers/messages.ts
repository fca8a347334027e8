import type { TokenCountJson } from '../../contract/messages';
import { GatewayError } from '../../domain/errors';
import type { MessagesInput } from '../../messages/messages';
import { JSON_TYPE, jsonResponse, type AuthenticatedContext, type GatewayResponse } from '../handler';
import { parseLongJsonBody, withoutByteOrderMark } from '../request-body';
import { retirementHeaders } from '../response-headers';

// The messages API. Its clients send arbitrary values in `accept`, the query and `anthropic-beta`; only the body
// decides what is requested.

const MAX_BYTES = 32 * 1024 * 1024;
/** A larger body takes long to parse, so other requests are handled first. */
const LARGE_BYTES = 1024 * 1024;
const FIRST_VERSION = '2023-06-01';
const NEWEST_VERSION = '2026-10-21';

/** `POST /v1/messages` */
export async function createMessage(context: AuthenticatedContext): Promise<GatewayResponse> {
  const { gateway, caller } = context;
  const answer = await gateway.messages.answer(caller, await readInput(context));
  const headers = retirementHeaders(gateway.catalog().find(answer.model));
  headers['x-patchbay-provider'] = answer.provider;
  headers['x-patchbay-attempts'] = String(answer.attempts);
  if (answer.ignoredParams.length > 0) headers['x-ignored-params'] = answer.ignoredParams.join(', ');
  if (answer.kind === 'message') {
    headers['content-type'] = JSON_TYPE;
    return { status: 200, headers, body: answer.json };
  }
  headers['content-type'] = 'text/event-stream; charset=utf-8';
  // Proxies must neither cache nor buffer the events.
  headers['cache-control'] = 'no-cache, no-transform';
  headers['x-accel-buffering'] = 'no';
  return { status: 200, headers, body: answer.events };
}

/** `POST /v1/messages/count_tokens` */
export async function countTokens(context: AuthenticatedContext): Promise<GatewayResponse> {
  const { gateway, caller } = context;
  const { model, inputTokens, source } = await gateway.messages.count(caller, await readInput(context));
  return jsonResponse(200, { input_tokens: inputTokens } satisfies TokenCountJson, {
    ...retirementHeaders(gateway.catalog().find(model)),
    'x-token-count-source': source,
  });
}

async function readInput({ request, requestId }: AuthenticatedContext): Promise<MessagesInput> {
  const { headers } = request;
  const mediaType = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
  if (mediaType !== 'application/json') {
    throw new GatewayError('unsupported_media_type', 'The body must be sent with Content-Type: application/json.');
  }
  // Parsers of upstreams refuse a byte order mark, and the bytes are passed on.
  const source = withoutByteOrderMark(await request.readBody(MAX_BYTES));
  const isLarge = source.length > LARGE_BYTES;
  if (isLarge) await turn();
  const values = parseLongJsonBody(source);
  if (isLarge) await turn();
  const scenario = headers['x-test-scenario'];
  return {
    values,
    source,
    version: versionOf(headers['anthropic-version']),
    betas: listOf(headers['anthropic-beta']),
    requestId,
    automaticRetry: Number(headers['x-stainless-retry-count'] ?? 0) >= 1,
    scenario: scenario || undefined,
    signal: request.signal,
    abort: (reason) => request.abort(reason),
  };
}

/** Yields to the event loop. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/**
 * A repeated header is joined by proxies, and the vendor refuses the result. The newest version we know is the default
 * for clients that send neither header.
 */
function versionOf(header: string | undefined): string {
  const [first] = listOf(header);
  if (first === undefined) return FIRST_VERSION;
  return /^\d{4}-\d\d-\d\d$/.test(first) ? first : NEWEST_VERSION;
}

function listOf(header: string | undefined): string[] {
  return (
    header
      ?.split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '') ?? []
  );
}
