import { jsonResponse, type ActorContext, type GatewayResponse } from '../handler';
import { retirementHeaders } from '../response-headers';
import { accountOf, readJson } from './request-parts';

/** Returns the price of a request. Changes nothing, so every role may call it. */
export async function createQuote(context: ActorContext): Promise<GatewayResponse> {
  const { gateway, request } = context;
  const by = await gateway.providers.servedBy(accountOf(context));
  const quote = gateway.usage.quote(by, await readJson(request));
  return jsonResponse(200, quote, retirementHeaders(gateway.catalog().find(quote.model)));
}
