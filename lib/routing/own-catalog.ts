import type { Catalog } from '../catalog/catalog';
import type { Binding, Model } from '../domain/model';
import type { ServedBy } from './provider-directory';

/**
 * Returns the catalog as an organisation sees it, in which models that only its own accounts can serve are available
 * too. The same catalog if it has no account of its own, and in test mode.
 */
export function ownCatalog(catalog: Catalog, { mode, own }: ServedBy): Catalog {
  if (mode === 'test' || own.size === 0) return catalog;
  const isOwn = (model: Model, binding: Binding) =>
    own.get(binding.providerId)?.provider[model.capability] !== undefined && catalog.isOrderable(model, binding);
  const serves = (model: Model, binding: Binding) => catalog.available(model, binding) || isOwn(model, binding);
  return {
    ...catalog,
    isOwn,
    available: (model, binding) =>
      binding ? serves(model, binding) : model.bindings.some((each) => serves(model, each)),
  };
}
