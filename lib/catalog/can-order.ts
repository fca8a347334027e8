import type { Binding, BindingOf, Capability } from '../domain/model';
import type { ProviderDefinition } from '../domain/provider';
import { requestNameOf } from '../domain/video';

/** Whether the adapter of a binding's provider can order it. `no_adapter`: this version has none for the capability. */
export type CanOrder = (binding: Binding, capability: Capability) => 'yes' | 'no_adapter' | 'unknown_model';

/** Returns a check against these adapters, with or without credentials. */
export function canOrderWith(definitions: readonly ProviderDefinition[]): CanOrder {
  return (binding, capability) => {
    const definition = definitions.find(({ id }) => id === binding.providerId);
    if (!definition?.capabilities.includes(capability)) return 'no_adapter';
    // Safe: the bindings of video models are video bindings.
    return capability !== 'video' || knowsRequest(definition, binding as BindingOf<'video'>) ? 'yes' : 'unknown_model';
  };
}

function knowsRequest({ knows }: ProviderDefinition, binding: BindingOf<'video'>): boolean {
  return knows?.({ ...binding, modelName: requestNameOf(binding) }) ?? true;
}
