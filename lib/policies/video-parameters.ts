import type { VideoFacts } from '../domain/video';

const ADDRESS = 'https://example.com/media';

/**
 * Stands for the prompt and the media that a video needs where the parameters leave them out: they do not change its
 * price, and whoever asks about a policy has none at hand.
 */
export function withStandIns(
  { kind, media, sourceSeconds }: VideoFacts,
  parameters: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const addresses = (count: number) => Array.from({ length: count }, () => ADDRESS);
  const images = media.images?.min ?? 0;
  const videos = media.videos?.min ?? 0;
  const needed = {
    t2v: {},
    i2v: { image_url: ADDRESS },
    'start-end': { image_list: addresses(2) },
    r2v: {
      ...(images > 0 || (videos === 0 && media.images) ? { image_list: addresses(Math.max(1, images)) } : {}),
      ...(videos > 0 || !media.images ? { video_list: addresses(Math.max(1, videos)) } : {}),
    },
    'video-edit': {
      video_url: ADDRESS,
      input_seconds: sourceSeconds?.min ?? 5,
      ...(images > 0 ? { image_list: addresses(images) } : {}),
    },
  }[kind];
  const hasMedia = ['image_url', 'input_reference', 'image_list', 'video_list', 'reference_videos', 'video_url'].some(
    (name) => parameters[name] != null,
  );
  const input = kind === 'video-edit' ? { input_seconds: needed['input_seconds' as never] } : {};
  return { prompt: '-', ...(hasMedia ? input : needed), ...parameters };
}
