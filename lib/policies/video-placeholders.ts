import type { VideoFacts } from '../domain/video';

const ADDRESS = 'https://example.com/media';

/** The parameters with a placeholder for the prompt and the required media, which do not change the price of a video. */
export function withPlaceholders(
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
