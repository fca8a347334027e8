import type { Model } from '../../domain/model';
import { firstEdition, fourthEdition, secondEdition, videoModel, wholeSeconds } from '../model-entry';
import type { VideoModelEntry } from '../model-entry';
import { assumed, perClip, perSecond, unverified } from '../price-table';

const family = {
  family: 'pixverse',
  defaultSeconds: 5,
  resolutions: ['360p', '540p', '720p', '1080p'],
  defaultResolution: '720p',
  // Not documented by the provider; the real rate of a finished video is read from its file.
  fps: { default: 24 },
} satisfies Partial<VideoModelEntry>;

const fiveRatios = ['16:9', '9:16', '1:1', '4:3', '3:4'];
const eightRatios = [...fiveRatios, '21:9', '2:3', '3:2'];
const firstFrame = { images: { min: 1, max: 1 } };
const bothFrames = { images: { min: 2, max: 2 } };

const shared = {
  ...family,
  created: firstEdition,
  seconds: wholeSeconds(1, 15),
  audio: 'toggle',
  parameters: ['generate_audio_switch', 'generate_multi_clip_switch', 'thinking_type', 'seed'],
  price: perSecond(
    "fal's tariff of pixverse/v6, 2026; its page of v6/extend, a copy read 2026-11-25, has the same numbers.",
    {
      '360p': { silent: '0.025', audio: '0.035' },
      '540p': { silent: '0.035', audio: '0.045' },
      '720p': { silent: '0.045', audio: '0.06' },
      '1080p': { silent: '0.09', audio: '0.115' },
    },
  ),
} satisfies Partial<VideoModelEntry>;

const onFal = (endpoint: string) => ({
  providerId: 'fal',
  modelName: `fal-ai/pixverse/v6/${endpoint}`,
  parameters: [...shared.parameters, 'negative_prompt'],
});

const atPixverse = { providerId: 'pixverse', promptCharacters: 5_000, maxSeed: 2_147_483_647 } as const;

const direct = {
  ...atPixverse,
  modelName: 'v6',
  price: unverified(
    perSecond(
      'UNVERIFIED: PixVerse publishes 60 credits ($0.60) for 5 seconds at 720p with audio. The other prices are assumed to be twice those of fal too.',
      {
        '360p': { silent: '0.05', audio: '0.07' },
        '540p': { silent: '0.07', audio: '0.09' },
        '720p': { silent: '0.09', audio: '0.12' },
        '1080p': { silent: '0.18', audio: '0.23' },
      },
    ),
  ),
} as const;

/** C1 and the versions before V6, which PixVerse serves itself. */
const others: Readonly<Record<string, OtherVersion>> = {
  c1: {
    name: 'C1',
    text: '1 to 15 seconds from 360p to 1080p',
    references: { max: 7, withSound: true },
    ratios: eightRatios,
    facts: {
      seconds: wholeSeconds(1, 15),
      audio: 'toggle',
      parameters: ['generate_audio_switch', 'seed'],
      price: unverified(
        perSecond(
          "UNVERIFIED: others quote PixVerse's 10 and 19 credits for a silent second at 720p and 1080p, twice what fal asks for C1 (a copy of its page read 2026-11-28); the other prices are assumed to be twice those of fal too.",
          {
            '360p': { silent: '0.06', audio: '0.08' },
            '540p': { silent: '0.08', audio: '0.1' },
            '720p': { silent: '0.1', audio: '0.13' },
            '1080p': { silent: '0.19', audio: '0.24' },
          },
        ),
      ),
    },
  },
  'v5.6': {
    name: 'V5.6',
    references: { max: 7, withSound: true },
    ...shortClipsOf(
      "UNVERIFIED: fal's prices of V5.6 (a copy of its page read 2026-11-28); others quote PixVerse's credits for silent videos, which cost the same.",
      {
        '360p': { silent: ['0.35', '0.7', '0.77'], audio: ['0.8', '1.6', '1.76'] },
        '540p': { silent: ['0.35', '0.7', '0.77'], audio: ['0.8', '1.6', '1.76'] },
        '720p': { silent: ['0.45', '0.9', '0.99'], audio: ['0.9', '1.8', '1.98'] },
        '1080p': { silent: ['0.75', '1.5'], audio: ['1.5', '3'] },
      },
    ),
  },
  // Several clips of V5.5 cost more, and their price was not found.
  'v5.5': {
    name: 'V5.5',
    references: { max: 7 },
    ...shortClipsOf(
      "UNVERIFIED: others quote PixVerse's credits for silent videos of 5 seconds, the same as for V5; longer ones are assumed to cost 2 and 2.2 times as much, and those with sound twice as much.",
      {
        '360p': { silent: ['0.45', '0.9', '0.99'], audio: ['0.9', '1.8', '1.98'] },
        '540p': { silent: ['0.45', '0.9', '0.99'], audio: ['0.9', '1.8', '1.98'] },
        '720p': { silent: ['0.6', '1.2', '1.32'], audio: ['1.2', '2.4', '2.64'] },
        '1080p': { silent: ['1.2', '2.4'], audio: ['2.4', '4.8'] },
      },
    ),
  },
  v5: {
    name: 'V5',
    text: '5 or 8 seconds from 360p to 1080p',
    references: { max: 3 },
    ratios: fiveRatios,
    facts: {
      seconds: [5, 8],
      audio: 'none',
      parameters: ['seed'],
      price: perClip(
        'docs.platform.pixverse.ai/model-pricing-796039m0, a copy read 2026-11-28: its credits, of which 100 cost $1.',
        {
          '360p': { 5: '0.45', 8: '0.9' },
          '540p': { 5: '0.45', 8: '0.9' },
          '720p': { 5: '0.6', 8: '1.2' },
          '1080p': { 5: '1.2', 8: '2.4' },
        },
      ),
    },
  },
};

interface OtherVersion {
  readonly name: string;
  /** Lengths and tiers in words. */
  readonly text: string;
  readonly ratios: readonly string[];
  /** The most reference pictures, and whether a video from them can have sound. */
  readonly references: { readonly max: 3 | 7; readonly withSound?: true };
  readonly facts: Pick<VideoModelEntry, 'seconds' | 'audio' | 'parameters' | 'price' | 'rules'>;
}

/** A version that makes clips of 5, 8 and 10 seconds, with the prices of each tier for these, in this order. */
function shortClipsOf(
  source: string,
  prices: Readonly<Record<string, Readonly<Record<'silent' | 'audio', readonly string[]>>>>,
): Pick<OtherVersion, 'text' | 'ratios' | 'facts'> {
  const seconds = [5, 8, 10];
  const rows = Object.entries(prices).map(([tier, { silent, audio }]) => [
    tier,
    Object.fromEntries(silent.map((usd, index) => [seconds[index], { silent: usd, audio: audio[index] ?? '' }])),
  ]);
  return {
    text: '5, 8 or 10 seconds from 360p to 1080p',
    ratios: fiveRatios,
    facts: {
      seconds,
      rules: [{ resolutions: ['1080p'], seconds: [5, 8] }],
      audio: 'toggle',
      parameters: ['generate_audio_switch', 'thinking_type', 'seed'],
      price: unverified(perClip(source, Object.fromEntries(rows))),
    },
  };
}

const countWords = { 3: 'three', 7: 'seven' };

function modelsOf([modelName, { name, text, ratios, references, facts }]: readonly [string, OtherVersion]): Model[] {
  const base = {
    ...family,
    ...facts,
    created: fourthEdition,
    bindings: [{ ...atPixverse, modelName }],
  } satisfies Partial<VideoModelEntry>;
  const sound = facts.audio === 'none' ? 'silent' : 'silent unless sound is requested';
  return [
    videoModel({
      ...base,
      id: `pixverse-${modelName}-t2v`,
      name: `PixVerse ${name} text to video`,
      description: `Makes a video from a text, ${sound}: ${text}, in ${ratios === eightRatios ? 'eight' : 'five'} shapes.`,
      kind: 't2v',
      aspectRatios: ratios,
    }),
    videoModel({
      ...base,
      id: `pixverse-${modelName}-i2v`,
      name: `PixVerse ${name} image to video`,
      description: `Makes a video that begins with the given picture and keeps its shape, ${sound}: ${text}.`,
      kind: 'i2v',
      media: firstFrame,
    }),
    videoModel({
      ...base,
      id: `pixverse-${modelName}-transition`,
      name: `PixVerse ${name} transition`,
      description: `Makes a video that leads from the first given picture to the second, ${sound}: ${text}.`,
      kind: 'start-end',
      media: bothFrames,
    }),
    videoModel({
      ...base,
      id: `pixverse-${modelName}-r2v`,
      name: `PixVerse ${name} fusion`,
      description: `Makes a video from a text and up to ${countWords[references.max]} reference pictures, ${references.withSound ? sound : 'silent'}: ${text}.`,
      kind: 'r2v',
      aspectRatios: ratios,
      media: { images: { min: 1, max: references.max } },
      audio: references.withSound ? facts.audio : 'none',
      parameters: references.withSound ? ['generate_audio_switch', 'seed'] : ['seed'],
      price: assumed(`PixVerse ${name} from references`, `PixVerse ${name} from a text`, facts.price),
    }),
  ];
}

export const pixverseModels: readonly Model[] = [
  videoModel({
    ...shared,
    id: 'pixverse-v6-t2v',
    name: 'PixVerse V6 text to video',
    description:
      'Makes a video from a text, silent unless sound is requested: 1 to 15 seconds from 360p to 1080p, in eight shapes.',
    kind: 't2v',
    aspectRatios: eightRatios,
    bindings: [onFal('text-to-video'), direct],
  }),
  videoModel({
    ...shared,
    id: 'pixverse-v6-i2v',
    name: 'PixVerse V6 image to video',
    description:
      'Makes a video that begins with the given picture and keeps its shape, silent unless sound is requested: 1 to 15 seconds up to 1080p.',
    created: secondEdition,
    kind: 'i2v',
    media: firstFrame,
    bindings: [onFal('image-to-video'), direct],
  }),
  videoModel({
    ...shared,
    id: 'pixverse-v6-transition',
    name: 'PixVerse V6 transition',
    description:
      'Makes a video that leads from the first given picture to the second, silent unless sound is requested: 1 to 15 seconds up to 1080p.',
    kind: 'start-end',
    media: bothFrames,
    bindings: [
      onFal('transition'),
      // The documentation of the API turns several clips off for transitions.
      { ...direct, parameters: ['generate_audio_switch', 'thinking_type', 'seed'] },
    ],
  }),
  ...Object.entries<OtherVersion>(others).flatMap(modelsOf),
];
