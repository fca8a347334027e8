import { jsonResponse, type ActorContext } from '../handler';
import type { GatewayResponse } from '../request-context';
import { accountOf, readJson } from './request-parts';

/** The price of a request. It changes nothing, so every role may call it. */
export async function createQuote(context: ActorContext): Promise<GatewayResponse> {
  const { gateway, request } = context;
  const by = await gateway.providers.servedBy(accountOf(context));
  return jsonResponse(200, gateway.usage.quote(by, await readJson(request)));
}
