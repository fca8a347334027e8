import { jsonResponse, type PersonContext } from '../handler';
import type { GatewayResponse } from '../request-context';
import { readJson } from './request-parts';

// The organisations of a signed-in person.

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
