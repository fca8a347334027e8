import type { VideoFacts, VideoOrder, VideoPrice, VideoRate } from './video';

// Tiers (720p) and aspect ratios (16:9), the terms in which providers sell sizes: their pixels, and the ratios,
// durations and rates of a model at a tier. Also runs in the browser, without the validation of requests.

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

/**
 * The sizes that providers produce for a tier and a ratio when they report none; all others are computed. Those of 4k
 * have the long side of 4k (Seedance on Runway).
 */
const usualSizes: Readonly<Record<string, Readonly<Record<string, readonly [number, number]>>>> = {
  '480p': { '16:9': [854, 480], '9:16': [480, 854], '1:1': [624, 624], '4:3': [736, 544], '3:4': [544, 736] },
  '720p': {
    '16:9': [1280, 720],
    '9:16': [720, 1280],
    '1:1': [960, 960],
    '4:3': [1104, 832],
    '3:4': [832, 1104],
    '21:9': [1470, 630],
  },
  '1080p': {
    '16:9': [1920, 1080],
    '9:16': [1080, 1920],
    '1:1': [1440, 1440],
    '4:3': [1648, 1248],
    '3:4': [1248, 1648],
    '21:9': [2206, 946],
  },
  '4k': {
    '16:9': [3840, 2160],
    '9:16': [2160, 3840],
    '1:1': [3840, 3840],
    '4:3': [3840, 2880],
    '3:4': [2880, 3840],
    '21:9': [3840, 1646],
  },
};

/**
 * Returns an even width and height for a tier at a ratio: the usual size, or the one with the closest area and shape.
 * If its short side is that of another tier, as 720x720 would be for 540p, the short side of the requested tier is
 * used.
 */
export function canonicalSize(tier: string, ratio: string): readonly [number, number] {
  const usual = usualSizes[tier]?.[ratio];
  if (usual) return usual;
  const sides = tierSides[tier];
  if (!sides) throw new RangeError(`"${tier}" is not a resolution tier.`);
  const shape = ratioOf(ratio);
  const area = sides[0] * sides[1];
  const byArea = [nearestEven(Math.sqrt(area * shape)), nearestEven(Math.sqrt(area / shape))] as const;
  const isOfAnother = Object.entries(tierSides).some(
    ([other, [, short]]) => other !== tier && short === Math.min(...byArea),
  );
  if (!isOfAnother) return byArea;
  const [, short] = sides;
  return shape < 1 ? [short, nearestEven(short / shape)] : [nearestEven(short * shape), short];
}

/** Whether providers produce these pixels for the tier, at any ratio. */
export function isUsualSize(tier: string, width: number, height: number): boolean {
  return Object.values(usualSizes[tier] ?? {}).some(([wide, high]) => wide === width && high === height);
}

function nearestEven(pixels: number): number {
  return 2 * Math.round(pixels / 2);
}

/** The aspect ratios of a model at a resolution; none if the media decide the ratio there. */
export function ratiosAt(
  { aspectRatios, ratiosOfTiers }: Pick<VideoFacts, 'aspectRatios' | 'ratiosOfTiers'>,
  resolution: string,
): readonly string[] {
  return ratiosOfTiers?.[resolution] ?? aspectRatios;
}

/** Returns the durations that a model allows at a tier, ascending. */
export function allowedSeconds(facts: Pick<VideoFacts, 'seconds' | 'rules'>, resolution: string): readonly number[] {
  const rules = facts.rules.filter((rule) => rule.resolutions.includes(resolution));
  return facts.seconds.filter((seconds) => rules.every((rule) => rule.seconds.includes(seconds)));
}

/** Returns every integer from `first` to `last`, inclusive; an empty list if `first` is greater. */
export function wholeSeconds(first: number, last: number): number[] {
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
}

/** The fields of an order that decide its rate. */
export type RatedOrder = Pick<VideoOrder, 'seconds' | 'resolution' | 'aspectRatio' | 'audio' | 'parameters'> & {
  readonly media: readonly Pick<VideoOrder['media'][number], 'role'>[];
};

/** Returns the rate of an order: the first one whose conditions all match. */
export function findRate(order: RatedOrder, price: VideoPrice): VideoRate | undefined {
  const withVideoInput = order.media.some((media) => media.role === 'reference_video');
  return price.rates.find(
    (rate) =>
      (rate.resolution === undefined || rate.resolution === order.resolution) &&
      (rate.audio === undefined || rate.audio === order.audio) &&
      (rate.seconds === undefined || rate.seconds === order.seconds) &&
      (rate.option === undefined || rate.option === order.parameters.options) &&
      (rate.aspectRatios === undefined || rate.aspectRatios.includes(order.aspectRatio ?? '')) &&
      (rate.withVideoInput === undefined || rate.withVideoInput === withVideoInput) &&
      (rate.withVoice === undefined || order.parameters.reference_voice !== undefined),
  );
}
