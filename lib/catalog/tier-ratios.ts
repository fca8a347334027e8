import type { VideoFacts } from '../domain/video';

/** The aspect ratios of a model at a resolution; none if the media decide the ratio there. */
export function ratiosAt(
  { aspectRatios, ratiosOfTiers }: Pick<VideoFacts, 'aspectRatios' | 'ratiosOfTiers'>,
  resolution: string,
): readonly string[] {
  return ratiosOfTiers?.[resolution] ?? aspectRatios;
}
