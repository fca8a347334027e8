import { jsonResponse, type ActorContext } from '../handler';
import type { GatewayResponse } from '../request-context';
import { accountOf, readJson } from './request-parts';

/** The price of a request. It changes nothing, so every role may call it. */
export async function createQuote(context: ActorContext): Promise<GatewayResponse> {
  return jsonResponse(200, context.gateway.usage.quote(accountOf(context).mode, await readJson(context.request)));
}
