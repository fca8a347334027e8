import type { Config } from '../lib/config/config';
import type { CatalogData } from '../lib/catalog/apply-catalog-file';
import type { CanOrder } from '../lib/catalog/can-order';
import { createCurrentCatalog, type CatalogDeps, type CurrentCatalog } from '../lib/catalog/catalog';
import { createCatalogFile, type CatalogFile } from '../lib/catalog/catalog-file';
import { unknownConfirmations } from '../lib/catalog/confirmed-prices';
import type { Clock } from '../lib/domain/clock';
import type { ProviderId } from '../lib/domain/ids';
import type { Log } from '../lib/domain/log';
import type { Provider, ProviderDefinition } from '../lib/domain/provider';
import { testProviderDefinition } from '../lib/providers/registry';
import { isFirstProcess } from './supervise';

/** Opens CATALOG_FILE, if there is one, and reads the models of the catalog. Throws a CatalogFileError. */
export async function openCatalogFile(
  { catalogFile }: Config,
  deps: Omit<Parameters<typeof createCatalogFile>[0], 'file'>,
): Promise<{ readonly data: CatalogData; readonly file: CatalogFile | undefined }> {
  if (catalogFile === undefined) return { data: { models: deps.base, fromFile: new Set() }, file: undefined };
  const file = createCatalogFile({ ...deps, file: catalogFile });
  return { data: await file.read(), file };
}

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
    readonly log: Log;
  },
): { readonly catalog: CurrentCatalog; readonly stopWatching: (() => void) | undefined } {
  const { definitions, installed, canOrder, data, file, clock, log } = deps;
  if (isFirstProcess())
    for (const unknown of unknownConfirmations(config.confirmedPrices, data.models))
      log.warn('a name in CONFIRMED_PRICES confirms no price', unknown);
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
