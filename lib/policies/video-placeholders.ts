import type { VideoFacts } from '../domain/video';

const MEDIA_URL = 'https://example.com/media';

/** The parameters with a placeholder for the prompt and the required media, which do not change the price of a video. */
export function withPlaceholders(
  { kind, media, sourceSeconds }: VideoFacts,
  parameters: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const urls = (count: number) => Array.from({ length: count }, () => MEDIA_URL);
  const images = media.images?.min ?? 0;
  const videos = media.videos?.min ?? 0;
  const needed = {
    t2v: {},
    i2v: { image_url: MEDIA_URL },
    'start-end': { image_list: urls(2) },
    r2v: {
      ...(images > 0 || (videos === 0 && media.images) ? { image_list: urls(Math.max(1, images)) } : {}),
      ...(videos > 0 || !media.images ? { video_list: urls(Math.max(1, videos)) } : {}),
    },
    'video-edit': {
      video_url: MEDIA_URL,
      input_seconds: sourceSeconds?.min ?? 5,
      ...(images > 0 ? { image_list: urls(images) } : {}),
    },
  }[kind];
  const hasMedia = ['image_url', 'input_reference', 'image_list', 'video_list', 'reference_videos', 'video_url'].some(
    (name) => parameters[name] != null,
  );
  const input = kind === 'video-edit' ? { input_seconds: needed['input_seconds' as never] } : {};
  return { prompt: '-', ...(hasMedia ? input : needed), ...parameters };
}
