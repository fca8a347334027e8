import type { Config } from '../lib/config/config';
import type { CatalogData } from '../lib/catalog/apply-catalog-file';
import type { CanOrder } from '../lib/catalog/can-order';
import { createCurrentCatalog, type CatalogDeps, type CurrentCatalog } from '../lib/catalog/catalog';
import type { CatalogFile } from '../lib/catalog/catalog-file';
import type { Clock } from '../lib/domain/clock';
import type { ProviderId } from '../lib/domain/ids';
import type { Provider, ProviderDefinition } from '../lib/domain/provider';
import { testProviderDefinition } from '../lib/providers/registry';

/**
 * Composes the catalog of the offered providers and the models of CATALOG_FILE, which is read again when the file
 * changes.
 */
export function composeCatalog(
  config: Config,
  deps: {
    readonly definitions: readonly ProviderDefinition[];
    readonly installed: ReadonlyMap<ProviderId, Provider>;
    readonly canOrder: CanOrder;
    readonly data: CatalogData;
    readonly file: CatalogFile | undefined;
    readonly clock: Clock;
  },
): { readonly catalog: CurrentCatalog; readonly stopWatching: (() => void) | undefined } {
  const { definitions, installed, canOrder, data, file, clock } = deps;
  const catalogDeps = {
    offeredProviders: new Set(installed.keys()),
    // A provider may offer video and text while our adapter supports only one of them.
    isCapable: (binding, capability) =>
      installed.get(binding.providerId)?.[capability] !== undefined && canOrder(binding, capability) === 'yes',
    hasAdapter: (binding, capability) => canOrder(binding, capability) === 'yes',
    narrow(binding, kind) {
      const definition = definitions.find(({ id }) => id === binding.providerId && installed.has(id));
      return definition?.narrow?.(binding, kind, config.providerSettings[definition.id] ?? {}) ?? binding;
    },
    confirmedPrices: new Set(config.confirmedPrices),
    regions: { [testProviderDefinition.id]: 'local', ...config.providerRegions },
    extraSpeechProviders: new Set(config.extraSpeechProviders),
    cancellingProviders: new Set(
      [...installed.values()].filter((provider) => provider.video?.cancel).map((provider) => provider.id),
    ),
    clock,
  } satisfies CatalogDeps;
  return createCurrentCatalog(catalogDeps, data, file);
}
