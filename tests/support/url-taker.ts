import type { VideoModel } from '../../lib/domain/model';
import type { ProviderDefinition } from '../../lib/domain/provider';
import { withMedia } from '../../lib/providers/kit/video/order-media';
import { createChaos, type Chaos } from './chaos-provider';

// A scripted provider that takes media only as https URLs, as several vendors do.

export interface UrlTaker {
  readonly chaos: Chaos;
  readonly definition: ProviderDefinition;
  /** The URLs that it has got, in the order of their request. */
  readonly taken: string[];
}

export function createUrlTaker(id: string): UrlTaker {
  const chaos = createChaos(id);
  const taken: string[] = [];
  return {
    chaos,
    taken,
    definition: {
      ...chaos.definition,
      create(deps) {
        const made = chaos.definition.create(deps);
        if (!made.video) throw new Error('The scripted provider makes videos.');
        const { video } = made;
        return {
          ...made,
          video: {
            ...video,
            start: (start, call) =>
              withMedia(
                start,
                { image: [{ form: 'https' }], video: [{ form: 'https' }] },
                deps.media,
                call,
                async (media) => {
                  const roles = new Set(start.order.media.map(({ role }) => role));
                  const urls = [...roles].flatMap((role) => media[role].map(({ url }) => url));
                  taken.push(...urls);
                  return video.start(
                    { ...start, submitting: () => start.submitting({ prompt: start.order.prompt, urls }) },
                    call,
                  );
                },
              ),
          },
        };
      },
    },
  };
}

/** The model with the fact that its providers take media only as https URLs. */
export function takingUrls(model: VideoModel): VideoModel {
  return {
    ...model,
    bindings: model.bindings.map((binding) => ({
      ...binding,
      mediaForms: { images: ['https'], videos: ['https'] },
    })),
  };
}
