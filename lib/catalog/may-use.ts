import type { KeyPolicy } from '../domain/caller';
import type { Binding, Model } from '../domain/model';

/** The bindings that a key may use; a model without any is not listed. */
export type MayUse = (model: Model, binding: Binding) => boolean;

/** Undefined if the policy has no restriction. */
export function mayUseOf({ allowedModels, allowedProviders }: KeyPolicy): MayUse | undefined {
  if (!allowedModels && !allowedProviders) return undefined;
  return (model, binding) =>
    (allowedModels?.includes(model.id) ?? true) && (allowedProviders?.includes(binding.providerId) ?? true);
}
