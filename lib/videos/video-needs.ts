import { quoteVideo } from '../billing/quote';
import type { VideoNeeds } from '../catalog/binding-fit';
import type { VideoModel } from '../domain/model';
import { orderFor, type VideoRequest } from './video-request';

/**
 * What a parsed request needs of a binding. `isPublic` says whether a provider can read an address itself: on the server
 * it is `isPublicHttps`, which does not run in a browser.
 */
export function needsOf(
  { order, choices, audioChoices, hasSize }: Pick<VideoRequest, 'order' | 'choices' | 'audioChoices' | 'hasSize'>,
  model: VideoModel,
  isPublic: (url: string) => boolean,
): VideoNeeds {
  return {
    order,
    choices,
    audioChoices,
    hasSize,
    isPublic,
    costAt: (binding) => quoteVideo(orderFor(order, model, binding), binding.price).total,
  };
}
