import { jsonResponse } from '../core';
import type { KeyExchange } from '../core';
import type { GatewayResponse } from '../exchange';

/** `GET /v1/credits` */
export async function readCredits({ gateway, caller }: KeyExchange): Promise<GatewayResponse> {
  const account = { orgId: caller.orgId, mode: caller.mode };
  // Messages are charged shortly after their answers. Whoever has just read an answer expects its cost here; it is counted, not
  // written first, so that reading a balance never waits for a charge.
  return jsonResponse(200, await gateway.accounts.credits(account, gateway.messages.unwritten(account)));
}
