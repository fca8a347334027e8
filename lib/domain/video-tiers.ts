// Tiers (720p) and aspect ratios (16:9), the terms in which providers sell sizes. Also runs in the browser.

/** Width and height of each tier at 16:9. */
export const tierSides: Readonly<Record<string, readonly [number, number]>> = {
  '360p': [640, 360],
  '480p': [854, 480],
  '512p': [912, 512],
  '540p': [960, 540],
  '720p': [1280, 720],
  '768p': [1366, 768],
  '1080p': [1920, 1080],
  '2k': [2560, 1440],
  '4k': [3840, 2160],
};

/** Wide enough for 1024x1024 and for 1584x672, which providers produce as 720p. */
const AREA_TOLERANCE = 0.16;
const RATIO_TOLERANCE = 0.03;

/** Whether this is a tier with known pixel sizes. */
export function isTier(resolution: string): boolean {
  return tierSides[resolution] !== undefined;
}

/** Whether this is a numeric ratio such as `16:9`, and not a word such as `adaptive`. */
export function isRatio(text: string): boolean {
  return /^[1-9]\d?:[1-9]\d?$/.test(text);
}

/** Returns the tier with the nearest area, in pixels; undefined if it differs by more than 16 %. */
export function nearestTier(tiers: readonly string[], area: number): string | undefined {
  const deviation = (tier: string) => area / areaOf(tier) - 1;
  const nearest = nearestBy(tiers, (tier) => Math.abs(Math.log(1 + deviation(tier))));
  return nearest !== undefined && Math.abs(deviation(nearest)) <= AREA_TOLERANCE ? nearest : undefined;
}

function areaOf(tier: string): number {
  const [width, height] = tierSides[tier] ?? [Infinity, Infinity];
  return width * height;
}

/** Returns the ratio nearest to a shape, which is width divided by height; undefined if it differs by more than 3 %. */
export function matchingRatio(ratios: readonly string[], shape: number): string | undefined {
  const nearest = nearestBy(ratios, (ratio) => Math.abs(Math.log(shape / ratioOf(ratio))));
  return nearest !== undefined && Math.abs(shape / ratioOf(nearest) - 1) <= RATIO_TOLERANCE ? nearest : undefined;
}

/** Returns the word with the smallest distance; undefined if there are no words. */
export function nearestBy(words: readonly string[], distance: (word: string) => number): string | undefined {
  let best: { word: string; distance: number } | undefined;
  for (const word of words) {
    const here = distance(word);
    if (!best || here < best.distance) best = { word, distance: here };
  }
  return best?.word;
}

/** Returns width divided by height. */
export function ratioOf(ratio: string): number {
  const [wide = '', high = ''] = ratio.split(':');
  return Number(wide) / Number(high);
}
