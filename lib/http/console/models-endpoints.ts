import { presentCatalogEntry } from '../../catalog/present-entry';
import { GatewayError } from '../../domain/errors';
import type { CatalogEntryListJson } from '../../contract/models';
import { jsonResponse, type ActorContext } from '../handler';
import type { GatewayResponse } from '../request-context';

/** Which providers this installation offers, and what is missing for the others. Rejects with `role_required`. */
export function listConsoleProviders({ gateway, actor }: ActorContext): GatewayResponse {
  if (actor.role !== 'owner' && actor.role !== 'admin')
    throw new GatewayError('role_required', 'Only owners and admins see which providers are set up here.');
  return jsonResponse(200, gateway.operator.providers.list());
}

/** All models of the catalog, including retired ones, as the organisation sees them in live mode. */
export async function listConsoleModels({ gateway, actor }: ActorContext): Promise<GatewayResponse> {
  const catalog = await gateway.catalogOf({ orgId: actor.orgId, mode: 'live' });
  return jsonResponse(200, {
    object: 'list',
    data: catalog.list({ includeDeactivated: true }).map((model) => presentCatalogEntry(catalog, model)),
  } satisfies CatalogEntryListJson);
}
