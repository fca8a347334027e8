import { jsonResponse, type AuthenticatedContext, type GatewayResponse } from '../handler';

/** `GET /v1/credits` */
export async function readCredits({ gateway, caller }: AuthenticatedContext): Promise<GatewayResponse> {
  const account = { orgId: caller.orgId, mode: caller.mode };
  // Messages are charged shortly after their responses. A caller who has just received a response expects its cost in
  // the balance, so pending charges are added here in memory. They are not flushed first, so that reading a balance
  // never waits for a charge.
  return jsonResponse(200, await gateway.accounts.credits(account, gateway.messages.unwritten(account)));
}
