import type { KeyPolicy } from '../domain/caller';
import type { Binding, Model } from '../domain/model';
import { decide } from '../domain/policy';

/** The bindings that a caller may use; a model without any is not listed. */
export type MayUse = (model: Model, binding: Binding) => boolean;

/** Returns what the policy allows; undefined if it restricts neither models nor providers nor their regions. */
export function mayUseOf({ levels = [] }: KeyPolicy): MayUse | undefined {
  if (levels.every(({ rules }) => !rules.allowedModels && !rules.allowedProviders && !rules.allowedRegions))
    return undefined;
  return (model, binding) => !decide(levels, { model: model.id, provider: binding.providerId, region: binding.region });
}
