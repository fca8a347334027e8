import type { Fields } from '../../domain/json';
import { isHttpUrl } from '../../domain/url';
import { requestNameOf } from '../../domain/video';
import type { VideoBinding, VideoKind, VideoOrder } from '../../domain/video';
import { chosenRatio } from '../kit/video/chosen-ratio';
import type { MediaByRole } from '../kit/video/order-media';

// The request for a video. xAI makes 480p unless the request says otherwise, so every field is set explicitly.

const kindsByModel: Readonly<Record<string, readonly VideoKind[]>> = {
  'grok-imagine-video': ['t2v', 'i2v', 'r2v', 'video-edit'],
  // Only this model takes a last frame.
  'grok-imagine-video-1.5': ['t2v', 'i2v', 'r2v', 'start-end'],
  'grok-imagine-video-1.5-lite': ['t2v', 'i2v'],
};

export function isModel(modelName: string): boolean {
  return Object.hasOwn(kindsByModel, modelName);
}

/** Returns the request; undefined if the model does not make this kind of video. */
export function requestFor(
  binding: VideoBinding,
  order: VideoOrder,
  media: MediaByRole<'https' | 'data'>,
): { readonly path: string; readonly body: Fields } | undefined {
  const name = requestNameOf(binding);
  if (!isModel(name) || !kindsByModel[name]?.includes(order.kind)) return undefined;
  const shared = { model: binding.modelName, prompt: order.prompt };
  const [first] = media.first_frame.map(byUrl);
  const [last] = media.last_frame.map(byUrl);
  const [source] = media.source_video.map(byUrl);
  const references = media.reference_image.map(byUrl);
  const voice = order.parameters.reference_voice;
  // An edit has the length, the shape and the sound of its source, at most at 720p.
  if (order.kind === 'video-edit') return { path: '/videos/edits', body: { ...shared, video: source } };
  return {
    path: '/videos/generations',
    body: {
      ...shared,
      duration: order.seconds,
      resolution: order.resolution,
      // Without a ratio, a video has that of its first frame.
      aspect_ratio: chosenRatio(order),
      generate_audio: order.audio,
      ...(first && { image: first }),
      ...(last && { last_frame: last }),
      ...(references.length > 0 && { reference_images: references }),
      ...(typeof voice === 'string' && {
        reference_audios: [isHttpUrl(voice) ? { url: voice } : { voice_id: voice }],
      }),
    },
  };
}

const byUrl = ({ url }: { readonly url: string }) => ({ url });
