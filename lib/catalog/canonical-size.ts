import { ratioOf, tierSides } from '../domain/video-tiers';

// The pixels of a resolution tier at an aspect ratio. In a file of its own, so that a page that only shows sizes does
// not load the parser of sizes.

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
