import { deliveryStates } from '../../contract/webhooks';
import { GatewayError, isGatewayError } from '../../domain/errors';
import { isId } from '../../domain/ids';
import type { DeliveryPage } from '../../webhooks/webhooks';
import { jsonResponse, pathParam, type ActorContext, type GatewayResponse } from '../handler';
import { wholeNumberParam } from '../query';
import { textParam, timeRangeOf } from './query-params';
import { accountOf, accountOfNamed, readJson, readOptionalJson } from './request-parts';

// Webhooks of an organisation: the secret for URLs in requests, endpoints, deliveries and receivers.

export async function readWebhookSecret({ gateway, actor }: ActorContext): Promise<GatewayResponse> {
  return jsonResponse(200, await gateway.webhooks.secret(actor.orgId));
}

export async function rotateWebhookSecret({ gateway, actor }: ActorContext): Promise<GatewayResponse> {
  return jsonResponse(201, await gateway.webhooks.rotateSecret(actor.orgId));
}

export async function listWebhookDeliveries(context: ActorContext): Promise<GatewayResponse> {
  const { gateway, request } = context;
  const { limit, after, ...filter } = parseDeliveryPage(request.query, gateway.clock.now());
  const account = await accountOfNamed(context, ['id', 'video_id', 'endpoint_id', 'search'], (either) =>
    gateway.webhooks.search(either, { ...filter, limit: 1 }),
  );
  return jsonResponse(200, await gateway.webhooks.search(account, { ...filter, limit, ...(after && { after }) }));
}

/** Resends a delivery of either mode: its id does not contain the mode, and a member may use both modes. */
export async function resendWebhook(context: ActorContext): Promise<GatewayResponse> {
  const { gateway, actor } = context;
  const id = pathParam(context, 'id');
  try {
    return jsonResponse(202, await gateway.webhooks.resend({ orgId: actor.orgId, mode: 'live' }, id));
  } catch (error) {
    if (!isGatewayError(error) || error.code !== 'delivery_not_found') throw error;
    return jsonResponse(202, await gateway.webhooks.resend({ orgId: actor.orgId, mode: 'test' }, id));
  }
}

export async function resendWebhooks(context: ActorContext): Promise<GatewayResponse> {
  const body = (await readOptionalJson(context.request)) ?? {};
  return jsonResponse(202, await context.gateway.webhooks.resendAll(accountOf(context), body));
}

export async function listWebhookReceivers(context: ActorContext): Promise<GatewayResponse> {
  return jsonResponse(200, await context.gateway.webhooks.receivers(accountOf(context)));
}

export async function listWebhookEndpoints(context: ActorContext): Promise<GatewayResponse> {
  return jsonResponse(200, await context.gateway.webhooks.endpoints(accountOf(context)));
}

export async function createWebhookEndpoint(context: ActorContext): Promise<GatewayResponse> {
  const { gateway, actor, request } = context;
  const { mode } = accountOf(context);
  return jsonResponse(201, await gateway.webhooks.createEndpoint(actor, mode, await readJson(request)));
}

export async function updateWebhookEndpoint(context: ActorContext): Promise<GatewayResponse> {
  const { gateway, actor, request } = context;
  const id = pathParam(context, 'id');
  return jsonResponse(200, await gateway.webhooks.updateEndpoint(actor, id, await readJson(request)));
}

export async function removeWebhookEndpoint(context: ActorContext): Promise<GatewayResponse> {
  await context.gateway.webhooks.removeEndpoint(context.actor, pathParam(context, 'id'));
  return { status: 204, headers: {} };
}

export async function readEndpointSecret(context: ActorContext): Promise<GatewayResponse> {
  const { gateway, actor } = context;
  return jsonResponse(200, await gateway.webhooks.endpointSecret(actor.orgId, pathParam(context, 'id')));
}

export async function rotateEndpointSecret(context: ActorContext): Promise<GatewayResponse> {
  const { gateway, actor } = context;
  return jsonResponse(201, await gateway.webhooks.rotateEndpointSecret(actor.orgId, pathParam(context, 'id')));
}

export async function testWebhookEndpoint(context: ActorContext): Promise<GatewayResponse> {
  const { gateway, actor } = context;
  return jsonResponse(200, await gateway.webhooks.testEndpoint(actor.orgId, pathParam(context, 'id')));
}

/** Reads `id`, `video_id`, `search`, `endpoint_id`, `state`, the time range, `limit` and `after`. */
export function parseDeliveryPage(query: URLSearchParams, now: Date): DeliveryPage {
  const state = stateOf(textParam(query, 'state'));
  const after = textParam(query, 'after');
  const id = idParam(query, 'id', 'delivery');
  const videoId = idParam(query, 'video_id', 'video');
  const search = textParam(query, 'search');
  const endpointId = idParam(query, 'endpoint_id', 'endpoint');
  return {
    limit: wholeNumberParam(query, 'limit', 1, 100, 50),
    ...(id && { id }),
    ...(videoId && { videoId }),
    ...(search !== undefined && { search }),
    ...(endpointId && { endpointId }),
    ...(state && { states: [state] }),
    ...timeRangeOf(query, now),
    ...(after === undefined ? {} : { after }),
  };
}

function idParam<Kind extends 'delivery' | 'video' | 'endpoint'>(query: URLSearchParams, name: string, kind: Kind) {
  const text = textParam(query, name);
  if (text === undefined) return undefined;
  if (isId(kind, text)) return text;
  throw new GatewayError('unsupported_value', `${name} must be the id of a ${kind}.`, { param: name });
}

function stateOf(text: string | undefined) {
  if (text === undefined) return undefined;
  const state = deliveryStates.find((each) => each === text);
  if (!state)
    throw new GatewayError('unsupported_value', `state must be one of ${deliveryStates.join(', ')}.`, {
      param: 'state',
      details: { allowed: deliveryStates },
    });
  return state;
}
