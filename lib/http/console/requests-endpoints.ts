import { REQUEST_KINDS, REQUEST_STATUSES } from '../../contract/requests';
import { GatewayError } from '../../domain/errors';
import type { RequestSearch } from '../../requests/requests';
import { jsonResponse, pathParam, type ActorContext, type GatewayResponse } from '../handler';
import { wholeNumberParam } from '../query';
import { keyParam, textParam, timeRangeOf } from './query-params';
import { accountOfNamed } from './request-parts';

// The log of an organisation's requests. A list has one mode; an id, also as `search`, implies its mode.

export async function listRequests(context: ActorContext): Promise<GatewayResponse> {
  const { gateway, request } = context;
  const { limit, after, ...filter } = parseRequestSearch(request.query, gateway.clock.now());
  const account = await accountOfNamed(context, ['search'], (either) =>
    gateway.requests.list(either, { ...filter, limit: 1 }),
  );
  return jsonResponse(200, await gateway.requests.list(account, { ...filter, limit, ...(after && { after }) }));
}

export async function readMessageDetails(context: ActorContext): Promise<GatewayResponse> {
  const { gateway, actor } = context;
  return jsonResponse(200, await gateway.requests.message(actor.orgId, pathParam(context, 'id')));
}

export async function readMessageContent(context: ActorContext): Promise<GatewayResponse> {
  const { gateway, actor } = context;
  return jsonResponse(200, await gateway.messages.content(actor.orgId, pathParam(context, 'id')));
}

export async function readSessionDetails(context: ActorContext): Promise<GatewayResponse> {
  const { gateway, actor } = context;
  return jsonResponse(200, await gateway.requests.session(actor.orgId, pathParam(context, 'id')));
}

export async function readSessionContent(context: ActorContext): Promise<GatewayResponse> {
  const { gateway, actor } = context;
  return jsonResponse(200, await gateway.requests.sessionContent(actor.orgId, pathParam(context, 'id')));
}

/**
 * Reads `kind`, `status`, `model`, `provider`, `key`, `code`, the time range (see `timeRangeOf`), `search`, `limit` and
 * `after`.
 */
export function parseRequestSearch(query: URLSearchParams, now: Date): RequestSearch {
  const kind = oneOf(query, 'kind', REQUEST_KINDS);
  const status = oneOf(query, 'status', REQUEST_STATUSES);
  const keyId = keyParam(query);
  const texts = ['model', 'provider', 'code', 'search', 'after'] as const;
  const given = Object.fromEntries(
    texts.flatMap((name) => {
      const text = textParam(query, name);
      return text === undefined ? [] : [[name, text]];
    }),
  );
  return {
    limit: wholeNumberParam(query, 'limit', 1, 100, 20),
    ...(kind && { kind }),
    ...(status && { status }),
    ...(keyId && { keyId }),
    ...timeRangeOf(query, now),
    ...given,
  };
}

function oneOf<Word extends string>(query: URLSearchParams, param: string, words: readonly Word[]): Word | undefined {
  const text = textParam(query, param);
  if (text === undefined) return undefined;
  const word = words.find((each) => each === text);
  if (word !== undefined) return word;
  throw new GatewayError('unsupported_value', `${param} must be one of ${words.join(', ')}.`, {
    param,
    details: { allowed: words },
  });
}
