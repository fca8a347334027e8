import { presentCatalogEntry } from '../../catalog/present-entry';
import type { CatalogEntryListJson } from '../../contract/models';
import { jsonResponse } from '../handler';
import type { ConsoleEndpoint } from './console-route';

/** All models of the catalog, including retired ones. */
export const modelsEndpoint: ConsoleEndpoint = {
  GET: {
    who: 'member',
    answer: async ({ gateway }) => {
      const { catalog } = gateway;
      return jsonResponse(200, {
        object: 'list',
        data: catalog.list({ includeDeactivated: true }).map((model) => presentCatalogEntry(catalog, model)),
      } satisfies CatalogEntryListJson);
    },
  },
};
