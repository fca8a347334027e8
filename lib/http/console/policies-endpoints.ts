import { jsonResponse, type ActorContext, type GatewayResponse } from '../handler';
import { readJson } from './request-parts';

// The policy of the organisation, and the simulator. Who may change it is a rule of lib/policies.

export async function readPolicy({ gateway, actor }: ActorContext): Promise<GatewayResponse> {
  return jsonResponse(200, await gateway.policies.find(actor));
}

export async function updatePolicy({ gateway, actor, request }: ActorContext): Promise<GatewayResponse> {
  return jsonResponse(200, await gateway.policies.update(actor, await readJson(request)));
}

export async function simulatePolicy({ gateway, actor, request }: ActorContext): Promise<GatewayResponse> {
  return jsonResponse(200, await gateway.policies.simulate(actor, await readJson(request)));
}
