import type { ProviderId } from '../../../lib/domain/ids';
import type { SttModel, TtsModel } from '../../../lib/domain/model';

/** A speech model with what this organisation can use of it. */
export interface ShownModel<Model extends SttModel | TtsModel> {
  readonly model: Model;
  /** The providers that serve it in live mode here. */
  readonly offered: readonly ProviderId[];
  /** This version has an adapter for at least one of its providers. */
  readonly implemented: boolean;
}

/** Returns the name of a model for a request, with the pinned provider if that one serves the model. */
export function requestedModel({ id, bindings }: SttModel | TtsModel, provider: ProviderId | undefined): string {
  return bindings.some(({ providerId }) => providerId === provider) ? `${provider}/${id}` : id;
}
