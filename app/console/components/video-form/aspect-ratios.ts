import { isRatio } from '../../../../lib/domain/video-tiers';
import type { VideoFacts } from '../../../../lib/domain/video';

/** The aspect ratios to choose from, the default first; empty if the media determine it. */
export function aspectRatiosOf(facts: VideoFacts): readonly string[] {
  return facts.aspectRatios.filter(isRatio);
}
