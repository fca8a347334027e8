import { jsonResponse } from '../core';
import type { KeyExchange } from '../core';
import type { GatewayResponse } from '../exchange';

/** `GET /v1/credits` */
export async function readCredits({ gateway, caller }: KeyExchange): Promise<GatewayResponse> {
  // Messages are charged behind their answers; who has read one and asks now expects to see it.
  await gateway.messages.settled();
  return jsonResponse(200, await gateway.accounts.credits({ orgId: caller.orgId, mode: caller.mode }));
}
