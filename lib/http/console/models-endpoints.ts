import { presentCatalogEntry } from '../../catalog/present-entry';
import { checkMay } from '../../domain/check-may';
import type { CatalogEntryListJson } from '../../contract/models';
import { jsonResponse, type ActorContext, type GatewayResponse } from '../handler';

/** Returns the providers that this installation offers, and what is missing for the others. Throws `role_required`. */
export function listConsoleProviders({ gateway, actor }: ActorContext): GatewayResponse {
  checkMay(actor, 'providers');
  return jsonResponse(200, gateway.operator.providers.list());
}

/** Returns all models of the catalog, including retired ones, as the organisation sees them in live mode. */
export async function listConsoleModels({ gateway, actor }: ActorContext): Promise<GatewayResponse> {
  const catalog = await gateway.catalogOf({ orgId: actor.orgId, mode: 'live' });
  return jsonResponse(200, {
    object: 'list',
    data: catalog.list({ includeDeactivated: true }).map((model) => presentCatalogEntry(catalog, model)),
  } satisfies CatalogEntryListJson);
}
