import type { FoundListJson } from '../../contract/activity';
import { jsonResponse, type ActorContext } from '../handler';
import type { GatewayResponse } from '../request-context';

/** `?q=`: models by name or id, keys by name, jobs by the beginning of their id. */
export async function search({ gateway, actor, request }: ActorContext): Promise<GatewayResponse> {
  return jsonResponse(200, {
    object: 'list',
    data: await gateway.search.find(actor.orgId, request.query.get('q') ?? ''),
  } satisfies FoundListJson);
}
