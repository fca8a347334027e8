import type { Model } from '../../domain/model';
import { wholeSeconds } from '../../domain/video-tiers';
import { firstEdition, fourthEdition, secondEdition, videoModel } from '../model-entry';
import type { BindingEntry, VideoModelEntry } from '../model-entry';
import { assumed, perClip, perInputAndOutputSecond, unverified } from '../price-table';

const ratios = ['16:9', '9:16', '1:1', '4:3', '3:4', '21:9'];

const shared = {
  family: 'luma',
  seconds: [5, 10],
  resolutions: ['360p', '540p', '720p', '1080p'],
  defaultResolution: '720p',
  // The API counts the places of images in frames, 24 a second.
  fps: { default: 24 },
  audio: 'none',
  parameters: [],
  promptCharacters: 6_000,
  // A generation costs the same with and without an image.
  price: unverified(
    perClip('UNVERIFIED: docs.agents.lumalabs.ai/guides/pricing as notes of its readers copy it, 2026-09.', {
      '360p': { 5: '0.06', 10: '0.18' },
      '540p': { 5: '0.15', 10: '0.45' },
      '720p': { 5: '0.3', 10: '0.9' },
      '1080p': { 5: '1.2', 10: '3.6' },
    }),
  ),
  bindings: [{ providerId: 'luma', modelName: 'ray-3.2' }],
} satisfies Partial<VideoModelEntry>;

// ComfyUI takes sources of at most 18 seconds (docs.comfy.org, a copy read 2026-11-28); other readers say 30.
const MAX_EDIT_SECONDS = 18;
const edits = unverified(
  perInputAndOutputSecond(
    'UNVERIFIED: docs.agents.lumalabs.ai/guides/pricing as notes of its readers copy it, 2026-11-28: $0.72, $1.08 and $2.16 for an edit of 5 seconds, twice as much for 10. Luma may bill each five seconds that begin, so that an edit of fewer costs it more.',
    { '540p': '0.072', '720p': '0.108', '1080p': '0.216' },
  ),
);

const fromTextOnFal = {
  providerId: 'fal',
  modelName: 'luma/agent/ray/v3.2/text-to-video',
  resolutions: ['540p', '720p', '1080p'],
  price: perClip('fal.ai/models/luma/agent/ray/v3.2/text-to-video, a copy read 2026-11-28.', {
    '540p': { 5: '0.5', 10: '1' },
    '720p': { 5: '1', 10: '2' },
    '1080p': { 5: '2', 10: '4' },
  }),
} as const satisfies BindingEntry;
const fromFrameOnFal = {
  providerId: 'fal',
  modelName: 'luma/agent/ray/v3.2/image-to-video',
  seconds: [5],
  resolutions: ['540p', '720p', '1080p'],
  // This endpoint does not follow the shape of the image.
  aspectRatios: ratios,
  price: perClip('fal.ai/models/luma/agent/ray/v3.2/image-to-video, a copy read 2026-11-28.', {
    '540p': { 5: '0.15' },
    '720p': { 5: '0.3' },
    '1080p': { 5: '1.2' },
  }),
} satisfies BindingEntry;

/** Replicate, whose prices were not found. */
const onReplicate = {
  providerId: 'replicate',
  modelName: 'luma/ray-3.2',
  resolutions: fromTextOnFal.resolutions,
  price: assumed('Replicate', 'fal', fromTextOnFal.price),
} as const satisfies BindingEntry;

/**
 * WaveSpeed, whose page states $0.50 a run and no more (wavespeed.ai/models/luma/ray-3.2/text-to-video, a copy read
 * 2026-11-30): the price of fal's smallest clip. It has no 21:9, and whether it follows the shape of an image is not known.
 */
const onWavespeed = (endpoint: 'text' | 'image') =>
  ({
    providerId: 'wavespeed',
    modelName: `luma/ray-3.2/${endpoint}-to-video`,
    // A client offers five seconds alone with images, the one length that Replicate's schema allows there; the page has ten
    // too.
    ...(endpoint === 'image' && { seconds: [5] }),
    resolutions: fromTextOnFal.resolutions,
    aspectRatios: ratios.filter((ratio) => ratio !== '21:9'),
    price: assumed('WaveSpeed', 'fal', fromTextOnFal.price),
  }) satisfies BindingEntry;

const ray2Ratios = [...ratios, '9:21'];

const FLASH_PAGE = 'fal.ai/models/fal-ai/luma-dream-machine/ray-2-flash, a copy read 2026-11-27';
/** The page for image to video states the same prices, except for 9 seconds. */
const flashOnFal = perClip(
  `${FLASH_PAGE}: $0.20 for 5 seconds at 540p; twice and four times as much at 720p and 1080p.`,
  {
    '540p': { 5: '0.2', 9: '0.4' },
    '720p': { 5: '0.4', 9: '0.8' },
    '1080p': { 5: '0.8', 9: '1.6' },
  },
);
const ray2OnFal = perClip(
  'fal.ai/models/fal-ai/luma-dream-machine/ray-2, a copy read 2026-11-28: $0.50 for 5 seconds at 540p; twice as much for 9; twice and four times as much at 720p and 1080p.',
  {
    '540p': { 5: '0.5', 9: '1' },
    '720p': { 5: '1', 9: '2' },
    '1080p': { 5: '2', 9: '4' },
  },
);

const ray2Price = unverified(
  perClip('UNVERIFIED: the prices of October 2025 at ComfyUI, which sells at those of Luma.', {
    '540p': { 5: '0.4', 9: '0.72' },
    '720p': { 5: '0.71', 9: '1.27' },
    '1080p': { 5: '1.59', 9: '2.87' },
    '4k': { 5: '6.37', 9: '11.47' },
  }),
);
const flashPrice = unverified(
  perClip('UNVERIFIED: the price of 4k of October 2025 at ComfyUI, and by it those of fewer pixels.', {
    '540p': { 5: '0.14', 9: '0.25' },
    '720p': { 5: '0.24', 9: '0.44' },
    '1080p': { 5: '0.55', 9: '0.99' },
    '4k': { 5: '2.19', 9: '3.94' },
  }),
);

// Luma charges $0.01582 for a million pixels of the output: $0.35 a second at 1280x720. The source is as long.
const ray2Edits = unverified(
  perInputAndOutputSecond(
    'UNVERIFIED: docs.lumalabs.ai/docs/modify-video, a copy read 2026-11-27, for 720p; whether a larger source costs more is not known.',
    { '720p': '0.175' },
  ),
);
const flashEdits = assumed('edits by Ray 2 Flash', 'Ray 2', ray2Edits);

interface Ray2 {
  /** The part of our model ids, which is also the part of the path of fal's endpoint below `luma-dream-machine`. */
  readonly id: string;
  readonly name: string;
  /** The name of the model in the Dream Machine API. */
  readonly modelName: string;
  readonly price: VideoModelEntry['price'];
  readonly falPrices: Readonly<Record<'text' | 'image', VideoModelEntry['price']>>;
  readonly editPrice: VideoModelEntry['price'];
  /** The bindings for edits, in addition to that of Dream Machine. */
  readonly edits?: readonly BindingEntry[];
  /** Words to add to the description. */
  readonly note?: string;
}

function ray2Models({ id, name, modelName, price, falPrices, editPrice, edits = [], note = '' }: Ray2): Model[] {
  const replicateNames = [`${modelName}-540p`, `${modelName}-720p`];
  const facts = `${note}: 5 or 9 seconds from 540p to 4k, in seven shapes, 16:9 unless a size is requested. Priced per clip.`;
  const shared = {
    family: 'luma',
    created: fourthEdition,
    defaultResolution: '720p',
    fps: { default: 24 },
    audio: 'none',
    parameters: [],
  } satisfies Partial<VideoModelEntry>;
  /** fal makes no square videos, and none in 4k. */
  const entry = (endpoint: string, falPrice: VideoModelEntry['price']) => ({
    ...shared,
    seconds: [5, 9],
    defaultSeconds: 5,
    resolutions: ['540p', '720p', '1080p', '4k'],
    price,
    aspectRatios: ray2Ratios,
    bindings: [
      { providerId: 'luma-dream-machine', modelName },
      {
        providerId: 'fal',
        modelName: `fal-ai/luma-dream-machine/${endpoint}`,
        resolutions: ['540p', '720p', '1080p'],
        aspectRatios: ray2Ratios.filter((ratio) => ratio !== '1:1'),
        price: falPrice,
      },
      // Replicate has a model for each tier, and no 1080p.
      ...replicateNames.map((name): BindingEntry => ({
        providerId: 'replicate',
        modelName: `luma/${name}`,
        resolutions: [name.endsWith('540p') ? '540p' : '720p'],
        price: assumed('Replicate', 'fal', falPrices.text),
      })),
    ],
  });
  const fromText = entry(id, falPrices.text);
  const fromImages = entry(`${id}/image-to-video`, falPrices.image);
  return [
    videoModel({
      ...fromText,
      id: `${id}-t2v`,
      name: `${name} text to video`,
      description: `Makes a silent video from a text${facts}`,
      kind: 't2v',
    }),
    videoModel({
      ...fromImages,
      id: `${id}-i2v`,
      name: `${name} image to video`,
      description: `Makes a silent video that begins with the given image${facts}`,
      kind: 'i2v',
      media: { images: { min: 1, max: 1 } },
    }),
    videoModel({
      ...fromImages,
      id: `${id}-start-end`,
      name: `${name} first and last frame`,
      description: `Makes a silent video that leads from the first given image to the second${facts}`,
      kind: 'start-end',
      media: { images: { min: 2, max: 2 } },
    }),
    videoModel({
      ...shared,
      id: `${id}-video-edit`,
      name: `${name} video edit`,
      description: `Changes a given video of up to 10 seconds by a text${note}. The output is silent and as long as the source; both are billed.`,
      kind: 'video-edit',
      seconds: wholeSeconds(1, 10),
      resolutions: ['720p'],
      sourceSeconds: { min: 1, max: 10 },
      media: { sourceVideo: true },
      price: editPrice,
      bindings: [{ providerId: 'luma-dream-machine', modelName, outputFollowsSource: true }, ...edits],
    }),
  ];
}

export const lumaModels: readonly Model[] = [
  videoModel({
    ...shared,
    id: 'ray-3.2-t2v',
    name: 'Luma Ray 3.2 text to video',
    description:
      'Makes a silent video from a text: 5 or 10 seconds from 360p to 1080p, in six shapes. Priced per clip; ten seconds cost three times five.',
    created: firstEdition,
    kind: 't2v',
    defaultSeconds: 5,
    aspectRatios: ratios,
    bindings: [...shared.bindings, fromTextOnFal, onReplicate, onWavespeed('text')],
  }),
  videoModel({
    ...shared,
    id: 'ray-3.2-i2v',
    name: 'Luma Ray 3.2 image to video',
    description:
      'Makes a silent video that begins with the given image: 5 or 10 seconds from 360p to 1080p, in six shapes. Priced per clip; ten seconds cost three times five.',
    created: secondEdition,
    kind: 'i2v',
    defaultSeconds: 5,
    // Without a requested size, a video has the shape of its image.
    aspectRatios: [...ratios, 'adaptive'],
    media: { images: { min: 1, max: 1 } },
    bindings: [...shared.bindings, fromFrameOnFal, onReplicate, onWavespeed('image')],
  }),
  videoModel({
    ...shared,
    id: 'ray-3.2-start-end',
    name: 'Luma Ray 3.2 first and last frame',
    description:
      'Makes a silent video that leads from the first given image to the second: 5 or 10 seconds from 360p to 1080p, in six shapes. Priced per clip; ten seconds cost three times five.',
    created: fourthEdition,
    kind: 'start-end',
    defaultSeconds: 5,
    aspectRatios: [...ratios, 'adaptive'],
    media: { images: { min: 2, max: 2 } },
    bindings: [...shared.bindings, onReplicate, onWavespeed('image')],
  }),
  videoModel({
    ...shared,
    id: 'ray-3.2-video-edit',
    name: 'Luma Ray 3.2 video edit',
    description:
      'Changes a given video of up to 18 seconds by a text, at 540p, 720p or 1080p. The output is silent and as long as the source; both are billed.',
    created: fourthEdition,
    kind: 'video-edit',
    seconds: wholeSeconds(1, MAX_EDIT_SECONDS),
    // The price of an edit at 360p was not found.
    resolutions: ['540p', '720p', '1080p'],
    sourceSeconds: { min: 1, max: MAX_EDIT_SECONDS },
    media: { sourceVideo: true },
    price: edits,
    bindings: shared.bindings.map((binding) => ({ ...binding, outputFollowsSource: true })),
  }),
  ...ray2Models({
    id: 'ray-2',
    name: 'Luma Ray 2',
    modelName: 'ray-2',
    price: ray2Price,
    falPrices: {
      text: ray2OnFal,
      image: assumed('this endpoint of fal', 'fal-ai/luma-dream-machine/ray-2', ray2OnFal),
    },
    editPrice: ray2Edits,
  }),
  ...ray2Models({
    id: 'ray-2-flash',
    name: 'Luma Ray 2 Flash',
    modelName: 'ray-flash-2',
    price: flashPrice,
    falPrices: {
      text: flashOnFal,
      image: assumed('9 seconds from an image', 'fal-ai/luma-dream-machine/ray-2-flash, from a text', flashOnFal),
    },
    editPrice: flashEdits,
    edits: [
      {
        providerId: 'fal',
        modelName: 'fal-ai/luma-dream-machine/ray-2-flash/modify',
        outputFollowsSource: true,
        // fal charges 0.12 for each second of the output, which is as long as the input.
        price: perInputAndOutputSecond(
          'fal.ai/models/fal-ai/luma-dream-machine/ray-2-flash/modify, a copy read 2026-11-28.',
          { '720p': '0.06' },
        ),
      },
    ],
    note: ', faster and cheaper than Ray 2',
  }),
];
