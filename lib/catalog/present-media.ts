import type { MediaRule, VideoFacts } from '../domain/video';

// Media under the names of the request's fields.

interface MediaCount {
  readonly min: number;
  readonly max: number;
}

/** Returns the required fields; alternatives are joined by `|`. */
export function requiredMedia(facts: Pick<VideoFacts, 'kind' | 'media'>): string[] {
  const { media } = facts;
  if (media.sourceVideo) return ['video_url', 'input_seconds'];
  if (media.eitherRequired) return ['image_list|video_list'];
  return [
    ...((media.images?.min ?? 0) > 0 ? [imageField(facts)] : []),
    ...((media.videos?.min ?? 0) > 0 ? ['video_list'] : []),
  ];
}

/** Returns the optional fields. */
export function optionalMedia(facts: Pick<VideoFacts, 'kind' | 'media'>): string[] {
  const { media } = facts;
  if (media.eitherRequired) return [];
  return [...(media.images?.min === 0 ? [imageField(facts)] : []), ...(media.videos?.min === 0 ? ['video_list'] : [])];
}

/** Returns the number of items that each field takes. */
export function mediaCounts(facts: Pick<VideoFacts, 'kind' | 'media'>): Readonly<Record<string, MediaCount>> {
  const { images, videos, sourceVideo }: MediaRule = facts.media;
  return {
    ...(sourceVideo && { video_url: { min: 1, max: 1 } }),
    ...(images && { [imageField(facts)]: { min: images.min, max: images.max } }),
    ...(videos && { video_list: { min: videos.min, max: videos.max } }),
  };
}

/** A single first frame has its own field. */
function imageField(facts: Pick<VideoFacts, 'kind'>): string {
  return facts.kind === 'i2v' ? 'image_url' : 'image_list';
}
