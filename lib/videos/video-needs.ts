import { quoteVideo } from '../billing/quote';
import type { MediaReach, VideoNeeds } from '../catalog/binding-fit';
import type { VideoModel } from '../domain/model';
import { orderFor, type VideoRequest } from './video-request';

/** In test mode the sandbox reads the media, in any form. */
export const testMediaReach: MediaReach = { publishes: true, reaches: () => true };

/** What a parsed request needs of a binding. */
export function needsOf(
  { order, choices, audioChoices, hasSize }: Pick<VideoRequest, 'order' | 'choices' | 'audioChoices' | 'hasSize'>,
  model: VideoModel,
  mediaReach: MediaReach,
): VideoNeeds {
  return {
    order,
    choices,
    audioChoices,
    hasSize,
    mediaReach,
    costAt: (binding) => quoteVideo(orderFor(order, model, binding), binding.price).total,
  };
}
