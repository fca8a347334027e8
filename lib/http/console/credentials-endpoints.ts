import { jsonResponse, pathParam, type ActorContext, type GatewayResponse } from '../handler';
import { readJson } from './request-parts';

// The credentials of an organisation for its own accounts at providers.

export async function listProviderCredentials({ gateway, actor }: ActorContext): Promise<GatewayResponse> {
  return jsonResponse(200, await gateway.credentials.list(actor));
}

export async function storeProviderCredential({ gateway, actor, request }: ActorContext): Promise<GatewayResponse> {
  return jsonResponse(201, await gateway.credentials.store(actor, await readJson(request)));
}

export async function verifyProviderCredential(context: ActorContext): Promise<GatewayResponse> {
  return jsonResponse(200, await context.gateway.credentials.verify(context.actor, pathParam(context, 'id')));
}

export async function removeProviderCredential(context: ActorContext): Promise<GatewayResponse> {
  await context.gateway.credentials.remove(context.actor, pathParam(context, 'id'));
  return { status: 204, headers: {} };
}
