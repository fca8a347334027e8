import { canonicalSize } from '../../../../lib/catalog/canonical-size';
import { ratiosAt } from '../../../../lib/catalog/tier-ratios';
import { isRatio } from '../../../../lib/domain/video-tiers';
import type { VideoFacts } from '../../../../lib/domain/video';

// The form has resolution and aspect ratio; the request has one `size` for both, which is omitted for the model's
// defaults.

/** Instead of a ratio: the video has the aspect ratio of the image or source. */
export const FOLLOW = 'follow';

/** The aspect ratios of a model at a resolution, the default first. */
export function ratioChoices(facts: VideoFacts, resolution: string): readonly string[] {
  const ratios = ratiosAt(facts, resolution).filter(isRatio);
  if (ratios.length === 0) return [FOLLOW];
  // A size includes an aspect ratio, so it can only be omitted at the default resolution.
  return canFollow(facts) && resolution === facts.defaultResolution ? [FOLLOW, ...ratios] : ratios;
}

/** The `size` to send; undefined if it is the model's default. */
export function sizeText(facts: VideoFacts, resolution: string, ratio: string): string | undefined {
  const isDefault = resolution === facts.defaultResolution && ratio === ratioChoices(facts, resolution)[0];
  return isDefault ? undefined : pixelsOf(resolution, ratio).join('x');
}

/** Width and height for display; 16:9 if the aspect ratio is unknown. */
export function pixelsOf(resolution: string, ratio: string): readonly [number, number] {
  return canonicalSize(resolution, isRatio(ratio) ? ratio : '16:9');
}

function canFollow({ kind, aspectRatios }: VideoFacts): boolean {
  return kind === 'video-edit' || aspectRatios.includes('adaptive');
}
