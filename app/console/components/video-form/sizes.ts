import { isRatio, canonicalSize, ratiosAt } from '../../../../lib/domain/video-tiers';
import type { VideoFacts } from '../../../../lib/domain/video';

// The form has resolution and aspect ratio; the request has one `size` for both, which is omitted for the model's
// defaults.

/** The choice instead of an aspect ratio: that of the image or source. */
export const FOLLOW = 'follow';

/** Returns the aspect ratios of a model at a resolution, the default first. */
export function ratioChoices(facts: VideoFacts, resolution: string): readonly string[] {
  const ratios = ratiosAt(facts, resolution).filter(isRatio);
  if (ratios.length === 0) return [FOLLOW];
  // A size includes an aspect ratio, so it can only be omitted at the default resolution.
  return canFollow(facts) && resolution === facts.defaultResolution ? [FOLLOW, ...ratios] : ratios;
}

/** Returns the `size` to send; undefined if it is the default of the model. */
export function sizeText(facts: VideoFacts, resolution: string, ratio: string): string | undefined {
  const isDefault = resolution === facts.defaultResolution && ratio === ratioChoices(facts, resolution)[0];
  return isDefault ? undefined : pixelsOf(resolution, ratio).join('x');
}

/** Returns width and height for display; 16:9 if the aspect ratio is unknown. */
export function pixelsOf(resolution: string, ratio: string): readonly [number, number] {
  return canonicalSize(resolution, isRatio(ratio) ? ratio : '16:9');
}

function canFollow({ kind, aspectRatios }: VideoFacts): boolean {
  return kind === 'video-edit' || aspectRatios.includes('adaptive');
}
