import type { VideoOrder } from '../../../domain/video';

/** The sides of Wan's tiers, for resellers whose models take a size instead of a tier and a ratio. */
const sides: Readonly<Record<string, readonly [long: number, short: number]>> = {
  '480p': [832, 480],
  '720p': [1280, 720],
  '1080p': [1920, 1080],
};

/** Returns a size such as `720*1280` for 720p in 9:16; undefined for a tier that Wan does not have. */
export function wanSize({
  resolution,
  aspectRatio,
}: Pick<VideoOrder, 'resolution' | 'aspectRatio'>): string | undefined {
  const pair = sides[resolution];
  if (!pair) return undefined;
  const [long, short] = pair;
  return aspectRatio === '9:16' ? `${short}*${long}` : `${long}*${short}`;
}
