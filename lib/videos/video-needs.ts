import { quoteVideo } from '../billing/quote';
import type { MediaReach, VideoNeeds } from '../catalog/binding-fit';
import type { VideoModel } from '../domain/model';
import { findRate } from '../domain/video-rate';
import type { Mode } from '../domain/video';
import { orderFor, type VideoRequest } from './video-request';

/** The sandbox reads the media, in any form. */
const testMediaReach: MediaReach = { publishes: true, reaches: () => true };

/** Returns what a parsed request needs of a binding. `liveReach` states which media providers can read in live mode. */
export function needsOf(
  { order, choices, audioChoices, hasSize }: Pick<VideoRequest, 'order' | 'choices' | 'audioChoices' | 'hasSize'>,
  model: VideoModel,
  mode: Mode,
  liveReach: MediaReach,
): VideoNeeds {
  return {
    order,
    choices,
    audioChoices,
    hasSize,
    mediaReach: mode === 'test' ? testMediaReach : liveReach,
    awaitsConfirmation: (binding) =>
      mode === 'live' && findRate(orderFor(order, model, binding), binding.price)?.unverified === true,
    costAt: (binding) => quoteVideo(orderFor(order, model, binding), binding.price).total,
  };
}
