import type { VideoFacts } from '../domain/video';

/** Stands for a medium that is still missing, in the form that every provider takes. */
export const PLACEHOLDER_URL = 'https://example.com/media';

/**
 * The fields of a request for a video, with placeholders for the prompt and the media that its kind needs and that are
 * missing. They do not change the price. An edit's `input_seconds` does, so it stays as it is.
 */
export function withPlaceholders(
  { kind, media }: VideoFacts,
  fields: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const has = (...names: readonly string[]) => names.some((name) => fields[name] != null);
  const list = (name: string, min: number) => {
    const given: unknown = fields[name] ?? [];
    if (!Array.isArray(given) || given.length >= min) return {};
    return { [name]: [...(given as unknown[]), ...Array<string>(min - given.length).fill(PLACEHOLDER_URL)] };
  };
  const minImages = media.images?.min ?? 0;
  const minVideos = media.videos?.min ?? 0;
  const hasVideos = has('video_list', 'reference_videos');
  const missing = () => {
    switch (kind) {
      case 't2v':
        return {};
      case 'i2v':
        return has('image_url', 'input_reference', 'image_list') ? {} : { image_url: PLACEHOLDER_URL };
      case 'start-end':
        return list('image_list', 2);
      case 'r2v':
        return {
          ...list('image_list', media.images && !hasVideos && minVideos === 0 ? Math.max(1, minImages) : minImages),
          ...(!has('reference_videos') && list('video_list', media.images ? minVideos : Math.max(1, minVideos))),
        };
      case 'video-edit':
        return { ...(!has('video_url') && { video_url: PLACEHOLDER_URL }), ...list('image_list', minImages) };
    }
  };
  return { prompt: '-', ...fields, ...missing() };
}
