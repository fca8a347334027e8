import type { KeyListJson } from '../../contract/keys';
import type { SignedUpJson } from '../../contract/sign-in';
import {
  jsonResponse,
  pathParam,
  type ActorContext,
  type PersonContext,
  type RequestContext,
  type GatewayResponse,
} from '../handler';
import { wholeNumberParam } from '../query';
import { textParam } from './query-params';
import { accountOf, readJson, readOptionalJson } from './request-parts';

// Handlers of the management API, for the console and for scripts. They contain no rules: each reads the context, calls
// a use case and returns a response. The route table says who may call them.

function list<Item>(data: readonly Item[]) {
  return { object: 'list' as const, data };
}

export async function listKeys({ gateway, actor }: ActorContext): Promise<GatewayResponse> {
  return jsonResponse(200, list(await gateway.accounts.listKeys(actor)) satisfies KeyListJson);
}

export async function createKey({ gateway, actor, request }: ActorContext): Promise<GatewayResponse> {
  return jsonResponse(201, await gateway.accounts.createKey(actor, await readJson(request)));
}

export async function updateKey(context: ActorContext): Promise<GatewayResponse> {
  return jsonResponse(
    200,
    await context.gateway.accounts.updateKey(
      context.actor,
      pathParam(context, 'id'),
      await readJson(context.request),
      context.checkFresh,
    ),
  );
}

export async function listKeyLimits(context: ActorContext): Promise<GatewayResponse> {
  return jsonResponse(200, await context.gateway.keyLimits.list(context.actor, pathParam(context, 'id')));
}

export async function revokeKey(context: ActorContext): Promise<GatewayResponse> {
  return jsonResponse(200, await context.gateway.accounts.revokeKey(context.actor, pathParam(context, 'id')));
}

export async function rotateKey(context: ActorContext): Promise<GatewayResponse> {
  return jsonResponse(
    201,
    await context.gateway.accounts.rotateKey(
      context.actor,
      pathParam(context, 'id'),
      await readOptionalJson(context.request),
    ),
  );
}

export async function readConsoleCredits(context: ActorContext): Promise<GatewayResponse> {
  return jsonResponse(200, await context.gateway.accounts.credits(accountOf(context)));
}

/** `?mode=&limit=1..100&after=<id>`: the operator's grants, adjustments and refunds, newest first. */
export async function listCreditTransfers(context: ActorContext): Promise<GatewayResponse> {
  const { query } = context.request;
  const page = { limit: wholeNumberParam(query, 'limit', 1, 100, 50), after: textParam(query, 'after') };
  return jsonResponse(200, await context.gateway.creditTransfers.list(accountOf(context), page));
}

export async function refillTestCredits({ gateway, actor }: ActorContext): Promise<GatewayResponse> {
  return jsonResponse(200, await gateway.accounts.refillTestCredits(actor));
}

export async function createSocketTicket({ gateway, actor, request }: ActorContext): Promise<GatewayResponse> {
  return jsonResponse(201, await gateway.tickets.create(actor, await readJson(request)));
}

/** Creates the first user of an empty installation; rejects with `role_required` if a user exists. */
export async function signUp({ gateway, request }: RequestContext): Promise<GatewayResponse> {
  const { email, name, memberships } = await gateway.accounts.signUpFirst(await readJson(request));
  return jsonResponse(201, {
    email,
    ...(name === undefined ? {} : { name }),
    organization: memberships[0]?.orgName ?? '',
  } satisfies SignedUpJson);
}

export async function signOutEverywhere({ gateway, person }: PersonContext): Promise<GatewayResponse> {
  await gateway.accounts.signOutEverywhere(person.userId);
  return { status: 204, headers: {} };
}

/** Sets the password of the signed-in user and ends their other sign-ins. */
export async function changePassword({ gateway, person, request }: PersonContext): Promise<GatewayResponse> {
  await gateway.accounts.changePassword(person, await readJson(request));
  return { status: 204, headers: {} };
}
