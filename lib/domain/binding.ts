import type { ProviderId } from './ids';

// The fields that the bindings of every capability share. The others are in the file of each capability.

export type Stability = 'stable' | 'beta' | 'experimental';

/** Names the provider and its model. */
export interface BindingIdentity {
  readonly providerId: ProviderId;
  /** The provider's own name of the model. */
  readonly modelName: string;
  readonly stability: Stability;
}
