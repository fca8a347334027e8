import { presentCatalogEntry } from '../../catalog/present-entry';
import type { CatalogEntryListJson } from '../../contract/models';
import { jsonResponse, type ActorContext } from '../handler';
import type { GatewayResponse } from '../request-context';

/** All models of the catalog, including retired ones. */
export function listConsoleModels({ gateway }: ActorContext): GatewayResponse {
  const catalog = gateway.catalog();
  return jsonResponse(200, {
    object: 'list',
    data: catalog.list({ includeDeactivated: true }).map((model) => presentCatalogEntry(catalog, model)),
  } satisfies CatalogEntryListJson);
}
