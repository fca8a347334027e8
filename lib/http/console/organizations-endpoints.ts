import { jsonResponse, type ActorContext, type PersonContext, type GatewayResponse } from '../handler';
import { readJson } from './request-parts';

// The organisations of a signed-in person, and the settings of one.

export function listOwnOrganizations({ gateway, person }: PersonContext): GatewayResponse {
  return jsonResponse(200, gateway.organizations.list(person));
}

export async function createOrganization({
  gateway,
  person,
  request,
  recordIn,
}: PersonContext): Promise<GatewayResponse> {
  const made = await gateway.organizations.create(person, await readJson(request));
  recordIn(made.id);
  return jsonResponse(201, made);
}

export async function readOrganization({ gateway, actor }: ActorContext): Promise<GatewayResponse> {
  return jsonResponse(200, await gateway.organizationSettings.read(actor));
}

export async function updateOrganization({
  gateway,
  actor,
  request,
  describe,
}: ActorContext): Promise<GatewayResponse> {
  const { settings, changes } = await gateway.organizationSettings.update(actor, await readJson(request));
  if (changes.length > 0) describe(changes.join(', '));
  return jsonResponse(200, settings);
}

export async function deleteOrganization({ gateway, actor, request }: ActorContext): Promise<GatewayResponse> {
  return jsonResponse(200, await gateway.organizationSettings.requestDeletion(actor, await readJson(request)));
}

export async function restoreOrganization({ gateway, actor }: ActorContext): Promise<GatewayResponse> {
  return jsonResponse(200, await gateway.organizationSettings.restore(actor));
}
