import { canonicalSize, isRatio, parseVideoSize } from '../../../lib/catalog/video-size';
import type { VideoFacts } from '../../../lib/domain/video';

// The form offers a tier and a shape; the request has one field for both. Where nothing needs to be asked for, nothing is.

/** In the place of a ratio: the video gets the shape of the picture or of the source. */
export const FOLLOW = 'follow';

/** The shapes that a model offers at a tier, the default first. */
export function ratioChoices(facts: VideoFacts, resolution: string): readonly string[] {
  const ratios = facts.aspectRatios.filter(isRatio);
  if (ratios.length === 0) return [FOLLOW];
  // Naming a size names a shape: only with the default tier can the shape stay open.
  return canFollow(facts) && resolution === facts.defaultResolution ? [FOLLOW, ...ratios] : ratios;
}

/** The `size` to send; undefined where the model does the same unasked. */
export function sizeText(facts: VideoFacts, resolution: string, ratio: string): string | undefined {
  const isDefault = resolution === facts.defaultResolution && ratio === ratioChoices(facts, resolution)[0];
  return isDefault ? undefined : pixelsOf(resolution, ratio).join('x');
}

/** Width and height to be shown; at 16:9 where the shape is not known before. */
export function pixelsOf(resolution: string, ratio: string): readonly [number, number] {
  return canonicalSize(resolution, isRatio(ratio) ? ratio : '16:9');
}

/** A request's size as the form's choices; `exactSize` where it is not one of them. Throws as `parseVideoSize` does. */
export function choicesOf(
  facts: VideoFacts,
  fields: { size?: unknown; width?: unknown; height?: unknown },
  modelId: string,
): { resolution: string; ratio: string; exactSize?: string } {
  const size = parseVideoSize(facts, fields, modelId);
  const ratio = size.aspectRatio !== undefined && isRatio(size.aspectRatio) ? size.aspectRatio : FOLLOW;
  const exact = `${size.width}x${size.height}`;
  const usual =
    pixelsOf(size.resolution, ratio).join('x') === exact && ratioChoices(facts, size.resolution).includes(ratio);
  return { resolution: size.resolution, ratio, ...(usual ? {} : { exactSize: exact }) };
}

function canFollow({ kind, aspectRatios }: VideoFacts): boolean {
  return kind === 'video-edit' || aspectRatios.includes('adaptive');
}
