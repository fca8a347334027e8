import type { ProviderId } from './ids';

// The fields that the bindings of every capability share. The others are in the file of each capability.

export type Stability = 'stable' | 'beta' | 'experimental';

/** Names the provider and its model. */
export interface BindingIdentity {
  readonly providerId: ProviderId;
  /** The provider's own name of the model. */
  readonly modelName: string;
  readonly stability: Stability;
  /** Where the provider processes data; absent if the operator has not stated it (PROVIDER_REGIONS). */
  readonly region?: string;
}

/**
 * Returns a key that identifies a binding among those of its model. A provider may serve a model with several of its
 * own models.
 */
export const bindingKey = ({ providerId, modelName }: Pick<BindingIdentity, 'providerId' | 'modelName'>) =>
  `${providerId} ${modelName}`;

/** Returns the providers of these bindings in their order, each once. */
export function providersOf(bindings: readonly Pick<BindingIdentity, 'providerId'>[]): ProviderId[] {
  return [...new Set(bindings.map(({ providerId }) => providerId))];
}
