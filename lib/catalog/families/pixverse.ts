import type { Model } from '../../domain/model';
import { wholeSeconds } from '../../domain/video-tiers';
import { fifthEdition, firstEdition, fourthEdition, secondEdition, videoModel } from '../model-entry';
import type { BindingEntry, VideoModelEntry } from '../model-entry';
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

/**
 * Ratios of videos from two frames at fal, the only provider where they can be chosen. Otherwise a video has the shape
 * of the first frame.
 */
const ofFramesAtFal = (ratios: readonly string[]) => ({ aspectRatios: [...ratios, 'adaptive'] });
/** Ratios of videos from two frames at all other providers. */
const ofFramesAlone = { aspectRatios: [] };

const v6OnFal = (endpoint: FalEndpoint) => ({
  providerId: 'fal',
  modelName: `fal-ai/pixverse/v6/${endpoint}`,
  parameters: [...shared.parameters, 'negative_prompt'],
});

const atPixverse = { providerId: 'pixverse', promptCharacters: 5_000, maxSeed: 2_147_483_647 } as const;

/** Parameters that PixVerse itself takes but no reseller does. */
const watermark = ['watermark', 'remove_watermark'];

/** PixVerse takes a negative prompt only for videos from a text or from one image. */
const withNegativePrompt = <B extends BindingEntry>(
  binding: B,
  parameters: NonNullable<BindingEntry['parameters']>,
) => ({
  ...binding,
  parameters: [...parameters, ...watermark, 'negative_prompt'],
  negativePromptCharacters: 2_048,
});

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

const shortClipSeconds = [5, 8, 10];
/** The prices of each tier for clips of these lengths, in the same order. */
type ShortClipPrices = Readonly<Record<string, Readonly<Record<'silent' | 'audio', readonly string[]>>>>;

function shortClipPrice(source: string, prices: ShortClipPrices): VideoModelEntry['price'] {
  const rows = Object.entries(prices).map(([tier, { silent, audio }]) => [
    tier,
    Object.fromEntries(
      silent.map((usd, index) => [shortClipSeconds[index], { silent: usd, audio: audio[index] ?? '' }]),
    ),
  ]);
  return perClip(source, Object.fromEntries(rows));
}

const pricesOf56: ShortClipPrices = {
  '360p': { silent: ['0.35', '0.7', '0.77'], audio: ['0.8', '1.6', '1.76'] },
  '540p': { silent: ['0.35', '0.7', '0.77'], audio: ['0.8', '1.6', '1.76'] },
  '720p': { silent: ['0.45', '0.9', '0.99'], audio: ['0.9', '1.8', '1.98'] },
  '1080p': { silent: ['0.75', '1.5'], audio: ['1.5', '3'] },
};

type FalEndpoint = 'text-to-video' | 'image-to-video' | 'transition' | 'reference-to-video';
type OnFal = (endpoint: FalEndpoint) => BindingEntry;

// The limits of texts are from fal's later pages; the limit of seeds is PixVerse's.
const atFal = {
  providerId: 'fal',
  promptBytes: 2_048,
  // Not above the limit in bytes, because a character has at least one byte.
  promptCharacters: 2_048,
  negativePromptCharacters: 2_048,
  maxSeed: atPixverse.maxSeed,
} as const;

const c1OnFal: OnFal = (endpoint) => {
  const modelName = `fal-ai/pixverse/c1/${endpoint}`;
  return {
    ...atFal,
    // The adapter adds a space after each name of a reference. The 48 bytes left for them are more than a prompt needs.
    ...(endpoint === 'reference-to-video' && { promptBytes: 2_000 }),
    modelName,
    price: perSecond(`fal.ai/models/${modelName}, a copy read 2026-11-28.`, {
      '360p': { silent: '0.03', audio: '0.04' },
      '540p': { silent: '0.04', audio: '0.05' },
      '720p': { silent: '0.05', audio: '0.065' },
      '1080p': { silent: '0.095', audio: '0.12' },
    }),
  };
};

/** The endpoints of a version for which the page of only one endpoint was found. */
const shortClipsOnFal =
  (version: string, known: FalEndpoint, prices: ShortClipPrices): OnFal =>
  (endpoint) => {
    const pathTo = (each: FalEndpoint) => `fal-ai/pixverse/${version}/${each}`;
    const price = shortClipPrice(`fal.ai/models/${pathTo(known)}, a copy read 2026-11-28.`, prices);
    return {
      ...atFal,
      modelName: pathTo(endpoint),
      parameters: ['generate_audio_switch', 'thinking_type', 'seed', 'negative_prompt'],
      price: endpoint === known ? price : assumed('this endpoint of fal', pathTo(known), price),
    };
  };

/** The price of V5 and the versions before it. */
const olderPrice = (source: string): VideoModelEntry['price'] =>
  unverified(
    perClip(`UNVERIFIED: ${source}; 8 seconds cost twice as much.`, {
      '360p': { 5: '0.15', 8: '0.3' },
      '540p': { 5: '0.15', 8: '0.3' },
      '720p': { 5: '0.2', 8: '0.4' },
      '1080p': { 5: '0.4', 8: '0.8' },
    }),
  );
const olderOnFal =
  (version: string, price: VideoModelEntry['price']): OnFal =>
  (endpoint) => ({
    ...atFal,
    modelName: `fal-ai/pixverse/${version}/${endpoint}`,
    parameters: ['seed', 'negative_prompt'],
    // The types of fal's client state this rule for all endpoints except transitions.
    ...(endpoint !== 'transition' && { rules: [{ resolutions: ['1080p'], seconds: [5] }] }),
    price,
  });
const fifthOnFal = olderOnFal(
  'v5',
  olderPrice('fal.ai/models/fal-ai/pixverse/v5/text-to-video as a public note quotes it, 2026'),
);

/** The same videos at Replicate, whose prices were not found. It makes those from a text in three shapes. */
function onReplicate(version: string, endpoint: FalEndpoint, { price, parameters, rules }: BindingEntry): BindingEntry {
  return {
    providerId: 'replicate',
    modelName: `pixverse/pixverse-${version}`,
    ...(endpoint === 'text-to-video' && { aspectRatios: ['16:9', '9:16', '1:1'] }),
    ...(endpoint === 'transition' && ofFramesAlone),
    ...(parameters && { parameters }),
    ...(rules && { rules }),
    promptCharacters: 2_048,
    negativePromptCharacters: 2_048,
    maxSeed: atPixverse.maxSeed,
    ...(price && { price: assumed('Replicate', 'fal', price) }),
  };
}

/** C1 and the versions before V6. */
const others: Readonly<Record<string, OtherVersion>> = {
  c1: {
    name: 'C1',
    text: '1 to 15 seconds from 360p to 1080p',
    references: { max: 7, withSound: true, onFal: true },
    ratios: eightRatios,
    onWavespeed: true,
    onFal: c1OnFal,
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
    onReplicate: true,
    onFal: shortClipsOnFal('v5.6', 'transition', pricesOf56),
    ...shortClipsOf(
      "UNVERIFIED: fal's prices of V5.6 (a copy of its page read 2026-11-28); others quote PixVerse's credits for silent videos, which cost the same.",
      pricesOf56,
    ),
  },
  // V5.5 can also make several clips, which cost $0.10 to $0.15 more at fal. PixVerse's price of them was not found.
  'v5.5': {
    name: 'V5.5',
    references: { max: 7 },
    onFal: shortClipsOnFal('v5.5', 'text-to-video', {
      '360p': { silent: ['0.15', '0.3', '0.33'], audio: ['0.2', '0.4', '0.44'] },
      '540p': { silent: ['0.15', '0.3', '0.33'], audio: ['0.2', '0.4', '0.44'] },
      '720p': { silent: ['0.2', '0.4', '0.44'], audio: ['0.25', '0.5', '0.55'] },
      '1080p': { silent: ['0.4', '0.8'], audio: ['0.45', '0.9'] },
    }),
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
    onReplicate: true,
    onFal: fifthOnFal,
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
  /** The durations and resolutions, in words for the description. */
  readonly text: string;
  readonly ratios: readonly string[];
  /** The maximum number of reference images; whether a video from them can have sound, and whether fal makes it. */
  readonly references: { readonly max: 3 | 7; readonly withSound?: true; readonly onFal?: true };
  readonly onFal: OnFal;
  /** Whether Replicate makes its videos, except those from references. */
  readonly onReplicate?: true;
  /** Whether WaveSpeed makes its videos. */
  readonly onWavespeed?: true;
  readonly facts: Pick<VideoModelEntry, 'seconds' | 'audio' | 'parameters' | 'price' | 'rules'>;
}

/** A version that makes clips of 5, 8 and 10 seconds. */
function shortClipsOf(source: string, prices: ShortClipPrices): Pick<OtherVersion, 'text' | 'ratios' | 'facts'> {
  return {
    text: '5, 8 or 10 seconds from 360p to 1080p',
    ratios: fiveRatios,
    facts: {
      seconds: shortClipSeconds,
      rules: [{ resolutions: ['1080p'], seconds: [5, 8] }],
      audio: 'toggle',
      parameters: ['generate_audio_switch', 'thinking_type', 'seed'],
      price: unverified(shortClipPrice(source, prices)),
    },
  };
}

const countWords = { 3: 'three', 7: 'seven' };

function modelsOf([modelName, version]: readonly [string, OtherVersion]): Model[] {
  const { name, text, ratios, references, onFal, facts } = version;
  const resold = (endpoint: FalEndpoint): BindingEntry[] => {
    const atFal = onFal(endpoint);
    // At fal, V5 makes 1080p in 5 seconds only.
    const { rules: _rules, ...atReplicate } = atFal;
    return [
      atFal,
      ...(version.onReplicate ? [onReplicate(modelName, endpoint, atReplicate)] : []),
      ...(version.onWavespeed && atFal.price ? [onWavespeed('c1', endpoint, [], atFal.price)] : []),
    ];
  };
  const base = {
    ...family,
    ...facts,
    created: fourthEdition,
  } satisfies Partial<VideoModelEntry>;
  const direct = { ...atPixverse, modelName, parameters: [...facts.parameters, ...watermark] };
  const referenceParameters = references.withSound ? ['generate_audio_switch', 'seed'] : ['seed'];
  const sound = facts.audio === 'none' ? 'silent' : 'silent unless sound is requested';
  return [
    videoModel({
      ...base,
      id: `pixverse-${modelName}-t2v`,
      name: `PixVerse ${name} text to video`,
      description: `Makes a video from a text, ${sound}: ${text}, in ${ratios === eightRatios ? 'eight' : 'five'} shapes.`,
      kind: 't2v',
      aspectRatios: ratios,
      bindings: [withNegativePrompt(direct, facts.parameters), ...resold('text-to-video')],
    }),
    videoModel({
      ...base,
      id: `pixverse-${modelName}-i2v`,
      name: `PixVerse ${name} image to video`,
      description: `Makes a video that begins with the given image and keeps its shape, ${sound}: ${text}.`,
      kind: 'i2v',
      media: firstFrame,
      bindings: [withNegativePrompt(direct, facts.parameters), ...resold('image-to-video')],
    }),
    videoModel({
      ...base,
      id: `pixverse-${modelName}-transition`,
      name: `PixVerse ${name} transition`,
      description: `Makes a video that leads from the first given image to the second, ${sound}: ${text}.`,
      kind: 'start-end',
      ...ofFramesAtFal(ratios),
      media: bothFrames,
      bindings: [{ ...direct, ...ofFramesAlone }, ...resold('transition')],
    }),
    videoModel({
      ...base,
      id: `pixverse-${modelName}-r2v`,
      name: `PixVerse ${name} fusion`,
      description: `Makes a video from a text and up to ${countWords[references.max]} reference images, ${references.withSound ? sound : 'silent'}: ${text}.`,
      kind: 'r2v',
      aspectRatios: ratios,
      media: { images: { min: 1, max: references.max } },
      audio: references.withSound ? facts.audio : 'none',
      parameters: referenceParameters,
      price: assumed(`PixVerse ${name} from references`, `PixVerse ${name} from a text`, facts.price),
      bindings: [
        { ...direct, parameters: [...referenceParameters, ...watermark] },
        ...(references.onFal ? [onFal('reference-to-video')] : []),
      ],
    }),
  ];
}

/** The versions before V5. Videos from references are made of V4.5 at PixVerse alone, as are transitions of V4 and V3.5. */
function olderModels(name: 'V4.5' | 'V4' | 'V3.5'): Model[] {
  const version = name.toLowerCase();
  const price = olderPrice(
    'half of fal.ai/models/fal-ai/pixverse/v4.5/image-to-video/fast, a copy read 2026-11-28, since fast videos cost twice as much',
  );
  const onFal = olderOnFal(version, price);
  const rules = [{ resolutions: ['1080p'], seconds: [5] }];
  const direct: BindingEntry = {
    ...atPixverse,
    modelName: version,
    parameters: ['seed', ...watermark],
    rules,
    price: assumed('this version at PixVerse', 'V5 there', others.v5!.facts.price),
  };
  const base = {
    ...family,
    created: fourthEdition,
    seconds: [5, 8],
    audio: 'none',
    parameters: ['seed', 'negative_prompt'],
    price,
  } satisfies Partial<VideoModelEntry>;
  const length = '5 or 8 seconds from 360p to 1080p';
  const resold = (endpoint: FalEndpoint): BindingEntry[] => [
    onFal(endpoint),
    ...(name === 'V3.5' ? [] : [onReplicate(version, endpoint, { ...onFal(endpoint), rules })]),
  ];
  const transitions = name === 'V4.5' ? resold('transition') : [];
  return [
    videoModel({
      ...base,
      bindings: [...resold('text-to-video'), withNegativePrompt(direct, ['seed'])],
      id: `pixverse-${version}-t2v`,
      name: `PixVerse ${name} text to video`,
      description: `An older PixVerse: a silent video from a text, ${length}, in five shapes.`,
      kind: 't2v',
      aspectRatios: fiveRatios,
    }),
    videoModel({
      ...base,
      bindings: [...resold('image-to-video'), withNegativePrompt(direct, ['seed'])],
      id: `pixverse-${version}-i2v`,
      name: `PixVerse ${name} image to video`,
      description: `An older PixVerse: a silent video that begins with the given image and keeps its shape, ${length}.`,
      kind: 'i2v',
      media: firstFrame,
    }),
    videoModel({
      ...base,
      ...(transitions.length === 0 && { created: fifthEdition }),
      bindings: [...transitions, { ...direct, ...ofFramesAlone }],
      id: `pixverse-${version}-transition`,
      name: `PixVerse ${name} transition`,
      description: `An older PixVerse: a silent video that leads from the first given image to the second, ${length}.`,
      kind: 'start-end',
      ...ofFramesAtFal(fiveRatios),
      media: bothFrames,
    }),
    ...(name === 'V4.5'
      ? [
          videoModel({
            ...base,
            created: fifthEdition,
            bindings: [direct],
            id: `pixverse-${version}-r2v`,
            name: `PixVerse ${name} fusion`,
            description: `An older PixVerse: a silent video from a text and up to three reference images, ${length}.`,
            kind: 'r2v',
            aspectRatios: fiveRatios,
            media: { images: { min: 1, max: 3 } },
          }),
        ]
      : []),
  ];
}

/** V6 and C1 at WaveSpeed, whose prices were not found, and V6 at Replicate, which makes four lengths. */
const onWavespeed = (
  version: 'v6' | 'c1',
  endpoint: FalEndpoint,
  parameters: NonNullable<BindingEntry['parameters']>,
  price: VideoModelEntry['price'],
): BindingEntry => ({
  providerId: 'wavespeed',
  modelName: `pixverse/pixverse-${version}/${endpoint}`,
  parameters: ['generate_audio_switch', ...parameters],
  promptCharacters: 2_048,
  negativePromptCharacters: 2_048,
  maxSeed: atPixverse.maxSeed,
  price: assumed('WaveSpeed', 'fal', price),
});
const sixthOnReplicate: BindingEntry = {
  providerId: 'replicate',
  modelName: 'pixverse/pixverse-v6',
  seconds: [5, 8, 10, 15],
  parameters: ['generate_audio_switch', 'generate_multi_clip_switch', 'seed', 'negative_prompt'],
  promptCharacters: 2_048,
  negativePromptCharacters: 2_048,
  maxSeed: atPixverse.maxSeed,
  price: assumed('Replicate', 'fal', shared.price),
};

export const pixverseModels: readonly Model[] = [
  videoModel({
    ...shared,
    id: 'pixverse-v6-t2v',
    name: 'PixVerse V6 text to video',
    description:
      'Makes a video from a text, silent unless sound is requested: 1 to 15 seconds from 360p to 1080p, in eight shapes.',
    kind: 't2v',
    aspectRatios: eightRatios,
    bindings: [
      v6OnFal('text-to-video'),
      withNegativePrompt(direct, shared.parameters),
      { ...sixthOnReplicate, aspectRatios: ['16:9', '9:16', '1:1'] },
      onWavespeed('v6', 'text-to-video', ['thinking_type'], shared.price),
    ],
  }),
  videoModel({
    ...shared,
    id: 'pixverse-v6-i2v',
    name: 'PixVerse V6 image to video',
    description:
      'Makes a video that begins with the given image and keeps its shape, silent unless sound is requested: 1 to 15 seconds up to 1080p.',
    created: secondEdition,
    kind: 'i2v',
    media: firstFrame,
    bindings: [
      v6OnFal('image-to-video'),
      withNegativePrompt(direct, shared.parameters),
      sixthOnReplicate,
      onWavespeed('v6', 'image-to-video', ['thinking_type'], shared.price),
    ],
  }),
  videoModel({
    ...shared,
    id: 'pixverse-v6-transition',
    name: 'PixVerse V6 transition',
    description:
      'Makes a video that leads from the first given image to the second, silent unless sound is requested: 1 to 15 seconds up to 1080p.',
    kind: 'start-end',
    ...ofFramesAtFal(eightRatios),
    media: bothFrames,
    bindings: [
      v6OnFal('transition'),
      // The documentation of the API turns several clips off for transitions.
      { ...direct, ...ofFramesAlone, parameters: ['generate_audio_switch', 'thinking_type', 'seed', ...watermark] },
      { ...sixthOnReplicate, ...ofFramesAlone },
      onWavespeed('v6', 'transition', ['seed', 'negative_prompt'], shared.price),
    ],
  }),
  ...Object.entries<OtherVersion>(others).flatMap(modelsOf),
  ...(['V4.5', 'V4', 'V3.5'] as const).flatMap(olderModels),
];
