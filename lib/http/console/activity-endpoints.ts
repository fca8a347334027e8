import { jsonResponse, type ActorContext, type GatewayResponse } from '../handler';
import { accountOf } from './request-parts';

/** Returns the recent activity and spending of the account in `?mode=`. */
export async function readActivity(context: ActorContext): Promise<GatewayResponse> {
  return jsonResponse(200, await context.gateway.activity.read(accountOf(context)));
}
