import type { Binding, BindingOf, Capability } from '../domain/model';
import type { ProviderDefinition } from '../domain/provider';

/** Can the adapter of a binding's provider order it? `no_adapter`: there is none for this capability in this version. */
export type CanOrder = (binding: Binding, capability: Capability) => 'yes' | 'no_adapter' | 'unknown_model';

/** Asks these adapters, with or without credentials. */
export function canOrderWith(definitions: readonly ProviderDefinition[]): CanOrder {
  return (binding, capability) => {
    const definition = definitions.find(({ id }) => id === binding.providerId);
    if (!definition?.capabilities.includes(capability)) return 'no_adapter';
    // Safe: the bindings of video models are video bindings.
    const isKnown = capability !== 'video' || (definition.knows?.(binding as BindingOf<'video'>) ?? true);
    return isKnown ? 'yes' : 'unknown_model';
  };
}
