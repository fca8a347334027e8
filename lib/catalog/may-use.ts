import type { KeyPolicy } from '../domain/caller';
import type { Binding, Model } from '../domain/model';

/** Which bindings a key may use; a model of which it may use none is not shown. */
export type MayUse = (model: Model, binding: Binding) => boolean;

/** Undefined where the policy narrows nothing. */
export function mayUseOf({ allowedModels, allowedProviders }: KeyPolicy): MayUse | undefined {
  if (!allowedModels && !allowedProviders) return undefined;
  return (model, binding) =>
    (allowedModels?.includes(model.id) ?? true) && (allowedProviders?.includes(binding.providerId) ?? true);
}
