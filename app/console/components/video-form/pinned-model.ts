import { withBindings } from '../../../../lib/catalog/binding-facts';
import type { ProviderId } from '../../../../lib/domain/ids';
import type { VideoModel } from '../../../../lib/domain/model';

/**
 * Returns the model as the pinned provider serves it. Returns the model itself without a pin, or if that provider does
 * not serve it.
 */
export function pinnedModel(model: VideoModel, provider: ProviderId | undefined): VideoModel {
  const pinned = model.bindings.filter(({ providerId }) => providerId === provider);
  return pinned.length > 0 ? withBindings(model, pinned) : model;
}
