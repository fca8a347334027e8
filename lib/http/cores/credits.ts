import { jsonResponse } from '../core';
import type { KeyExchange } from '../core';
import type { GatewayResponse } from '../exchange';

/** `GET /v1/credits` */
export async function readCredits({ gateway, caller }: KeyExchange): Promise<GatewayResponse> {
  return jsonResponse(200, await gateway.accounts.credits({ orgId: caller.orgId, mode: caller.mode }));
}
