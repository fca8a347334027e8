import type { Model } from '../../domain/model';
import { wholeSeconds } from '../../domain/video-tiers';
import { firstEdition, fourthEdition, secondEdition, videoModel } from '../model-entry';
import type { BindingEntry, VideoModelEntry } from '../model-entry';
import { assumed, perInputAndOutputSecond, perSecond, unverified, unverifiedAt, withImages } from '../price-table';
import { RUNWAY_TARIFF } from './runway';

const TARIFF = 'docs.x.ai, 2026-11-06.';
const price = perSecond(TARIFF, { '480p': '0.05', '720p': '0.07' });
const priceWithImages = {
  ...withImages(price, { free: 0, usd: '0.002' }),
  source: `${TARIFF} The charge for an image as a reseller at xAI's own prices found it billed, 2026-11.`,
};
/** The wide shapes are known of xAI alone. */
const ratiosOfResellers = ['16:9', '9:16', '1:1', '4:3', '3:4', '3:2', '2:3'];
const onFal = (endpoint: string, whose = price) => ({
  providerId: 'fal',
  modelName: `xai/grok-imagine-video/${endpoint}`,
  aspectRatios: ratiosOfResellers,
  // fal has no parameter for sound: videos always have it.
  parameters: [],
  audio: 'always' as const,
  price: assumed('fal', 'xAI', whose),
});

/** Videos of Replicate always have sound too. */
const onReplicate = (whose: VideoModelEntry['price']) => ({
  providerId: 'replicate',
  modelName: 'xai/grok-imagine-video',
  aspectRatios: ratiosOfResellers,
  parameters: [],
  audio: 'always' as const,
  price: assumed('Replicate', 'xAI', whose),
});

/** Videos of WaveSpeed always have sound too, as those of all others do, and have two lengths. */
const onWavespeed = (endpoint: string, aspectRatios: readonly string[], whose: VideoModelEntry['price']) => ({
  providerId: 'wavespeed',
  modelName: `x-ai/grok-imagine-video/${endpoint}`,
  seconds: [6, 10],
  aspectRatios,
  parameters: [],
  audio: 'always' as const,
  price: assumed('WaveSpeed', 'xAI', whose),
});

// docs.x.ai/developers/model-capabilities/video/generation, a copy read 2026-11-28.
const ratios = [...ratiosOfResellers, '21:9', '5:2'];
// Without a requested size, a video has the shape of its first frame.
const ratiosOfFrame = [...ratios, 'adaptive'];

const shared = {
  family: 'grok',
  created: secondEdition,
  seconds: wholeSeconds(1, 15),
  resolutions: ['480p', '720p'],
  defaultResolution: '720p',
  aspectRatios: ratios,
  // Not documented by the provider; the real rate of a finished video is read from its file.
  fps: { default: 24 },
  audio: 'toggle',
  parameters: ['generate_audio'],
  // The limit of xAI's API, whose weights all providers serve.
  promptCharacters: 4_096,
  price,
} satisfies Partial<VideoModelEntry>;

const runwayRows = { '480p': '0.1', '720p': '0.16' };
// Runway serves the 1.5 weights.
const onRunway = {
  providerId: 'runway',
  modelName: 'grok_imagine_1_5',
  stability: 'beta',
  aspectRatios: ratiosOfResellers,
  // Runway has no parameter for sound: videos always have it.
  parameters: [],
  audio: 'always',
  price: unverified(withImages(perSecond(RUNWAY_TARIFF, runwayRows), { free: 0, usd: '0.01' })),
} as const satisfies BindingEntry;
const newerRunwayRows = { ...runwayRows, '1080p': '0.29' };

const direct = { providerId: 'xai', modelName: 'grok-imagine-video' } as const;

/** The voice of a reference is one of xAI's voices, by name, or a recording. */
const withVoice = { parameters: [...shared.parameters, 'reference_voice'], voiceNames: true } as const;

const newerRows = { '480p': '0.08', '720p': '0.14', '1080p': '0.25' };
const newerPrice = perSecond(TARIFF, newerRows);
const newer = {
  ...shared,
  defaultSeconds: 8,
  resolutions: ['480p', '720p', '1080p'],
  price: withImages(newerPrice, { free: 0, usd: '0.01' }),
  bindings: [{ providerId: 'xai', modelName: 'grok-imagine-video-1.5' }],
} satisfies Partial<VideoModelEntry>;

const newerImageOnFal = {
  ...onFal('v1.5/image-to-video'),
  // The video has the shape of the image.
  aspectRatios: [],
  price: withImages(
    perSecond('fal.ai/models/xai/grok-imagine-video/v1.5/image-to-video, a copy read 2026-11-28.', newerRows),
    { free: 0, usd: '0.01' },
  ),
} satisfies BindingEntry;
/** The other endpoints of fal for 1.5, whose pages were not found. */
const newerOnFal = (endpoint: string) => ({
  ...onFal(`v1.5/${endpoint}`),
  price: assumed('this endpoint of fal', 'its image to video', newerImageOnFal.price),
});

const lite = {
  ...newer,
  created: fourthEdition,
  price: unverified(
    perSecond('UNVERIFIED: as resellers quote it, a quarter of 1.5 below 1080p, 2026-11.', {
      '480p': '0.02',
      '720p': '0.035',
      '1080p': '0.14',
    }),
  ),
  bindings: [{ providerId: 'xai', modelName: 'grok-imagine-video-1.5-lite' }],
} satisfies Partial<VideoModelEntry>;

export const grokModels: readonly Model[] = [
  videoModel({
    ...shared,
    id: 'grok-imagine-t2v',
    name: 'Grok Imagine text to video',
    description: 'Makes a video with sound from a text: 1 to 15 seconds at 480p or 720p, in nine shapes.',
    kind: 't2v',
    defaultSeconds: 8,
    bindings: [
      direct,
      onFal('text-to-video'),
      onReplicate(price),
      onWavespeed('text-to-video', ['16:9', '9:16', '1:1'], price),
    ],
  }),
  videoModel({
    ...shared,
    id: 'grok-imagine-i2v',
    name: 'Grok Imagine image to video',
    description:
      'Makes a video with sound that begins with the given image: 1 to 15 seconds at 480p or 720p, in nine shapes.',
    created: firstEdition,
    kind: 'i2v',
    defaultSeconds: 8,
    aspectRatios: ratiosOfFrame,
    media: { images: { min: 1, max: 1 } },
    price: priceWithImages,
    bindings: [
      direct,
      { ...onFal('image-to-video', priceWithImages), aspectRatios: [...ratiosOfResellers, 'adaptive'] },
      // The 1.5 weights; the video has the shape of the image.
      { ...onRunway, aspectRatios: [] },
      { ...onReplicate(priceWithImages), aspectRatios: [...ratiosOfResellers, 'adaptive'] },
      onWavespeed('image-to-video', [], priceWithImages),
    ],
  }),
  videoModel({
    ...shared,
    id: 'grok-imagine-r2v',
    name: 'Grok Imagine reference to video',
    description:
      'Makes a video with sound from a text and one to seven reference images: 1 to 10 seconds at 480p or 720p.',
    kind: 'r2v',
    defaultSeconds: 8,
    seconds: wholeSeconds(1, 10),
    media: { images: { min: 1, max: 7 } },
    price: priceWithImages,
    bindings: [{ ...direct, ...withVoice }, onFal('reference-to-video', priceWithImages)],
  }),
  videoModel({
    ...shared,
    id: 'grok-imagine-video-edit',
    name: 'Grok Imagine video edit',
    description:
      'Changes a given video of up to 8.7 seconds by a text. The output is as long as the source; both are billed.',
    kind: 'video-edit',
    seconds: wholeSeconds(1, 9),
    resolutions: ['480p', '720p'],
    aspectRatios: [],
    audio: 'source',
    sourceSeconds: { min: 1, max: 8.7 },
    media: { sourceVideo: true },
    parameters: [],
    price: unverified(
      perInputAndOutputSecond(
        "UNVERIFIED: xAI's price of the output, 2026-11-06; the price of the input is not published.",
        { '720p': '0.07' },
      ),
    ),
    bindings: [
      // xAI has no field for the resolution of an edit.
      { ...direct, outputFollowsSource: true, resolutions: ['720p'] },
      {
        providerId: 'fal',
        modelName: 'xai/grok-imagine-video/edit-video',
        outputFollowsSource: true,
        // A longer source is cut.
        sourceSeconds: { min: 1, max: 8 },
        // fal charges 0.07 for a second of the output and 0.01 for one of the input; both have the same length.
        price: unverifiedAt(
          ['480p'],
          'with the price of the output at xAI.',
          perInputAndOutputSecond('fal.ai/models/xai/grok-imagine-video/edit-video, a copy read 2026-11-28.', {
            '480p': '0.03',
            '720p': '0.04',
          }),
        ),
      },
      {
        ...onReplicate(perInputAndOutputSecond('', { '720p': '0.07' })),
        aspectRatios: [],
        audio: 'source',
        // Replicate ignores a resolution beside a source.
        resolutions: ['720p'],
        outputFollowsSource: true,
      },
    ],
  }),
  videoModel({
    ...newer,
    id: 'grok-imagine-1.5-t2v',
    name: 'Grok Imagine 1.5 text to video',
    description: 'Makes a video with sound from a text: 1 to 15 seconds at 480p, 720p or 1080p, in nine shapes.',
    kind: 't2v',
    price: newerPrice,
    bindings: [
      ...newer.bindings,
      newerOnFal('text-to-video'),
      { ...onRunway, price: unverified(perSecond(RUNWAY_TARIFF, newerRunwayRows)) },
    ],
  }),
  videoModel({
    ...newer,
    id: 'grok-imagine-1.5-i2v',
    name: 'Grok Imagine 1.5 image to video',
    description:
      'Makes a video with sound that begins with the given image: 1 to 15 seconds at 480p, 720p or 1080p, in nine shapes.',
    kind: 'i2v',
    aspectRatios: ratiosOfFrame,
    media: { images: { min: 1, max: 1 } },
    bindings: [
      ...newer.bindings,
      newerImageOnFal,
      {
        ...onRunway,
        aspectRatios: [],
        price: unverified(withImages(perSecond(RUNWAY_TARIFF, newerRunwayRows), { free: 0, usd: '0.01' })),
      },
      { ...onReplicate(newer.price), modelName: 'xai/grok-imagine-video-1.5', resolutions: ['480p', '720p'] },
    ],
  }),
  videoModel({
    ...lite,
    id: 'grok-imagine-1.5-lite-t2v',
    name: 'Grok Imagine 1.5 Lite text to video',
    description:
      'Makes a video with sound from a text, for less than 1.5: 1 to 15 seconds at 480p, 720p or 1080p, in nine shapes.',
    kind: 't2v',
  }),
  videoModel({
    ...lite,
    id: 'grok-imagine-1.5-lite-i2v',
    name: 'Grok Imagine 1.5 Lite image to video',
    description:
      'Makes a video with sound that begins with the given image, for less than 1.5: 1 to 15 seconds at 480p, 720p or 1080p, in nine shapes.',
    kind: 'i2v',
    aspectRatios: ratiosOfFrame,
    media: { images: { min: 1, max: 1 } },
    price: withImages(lite.price, { free: 0, usd: '0.01' }),
  }),
  videoModel({
    ...newer,
    id: 'grok-imagine-1.5-r2v',
    name: 'Grok Imagine 1.5 reference to video',
    description:
      'Makes a video with sound from a text and one to seven reference images: 1 to 15 seconds at 480p or 720p, in nine shapes.',
    kind: 'r2v',
    resolutions: ['480p', '720p'],
    media: { images: { min: 1, max: 7 } },
    price: withImages(perSecond(TARIFF, { '480p': '0.08', '720p': '0.14' }), { free: 0, usd: '0.01' }),
    bindings: [
      ...newer.bindings.map((binding) => ({ ...binding, ...withVoice })),
      { ...newerOnFal('reference-to-video'), seconds: wholeSeconds(1, 10) },
      {
        ...onRunway,
        seconds: wholeSeconds(1, 10),
        parameters: ['reference_voice'],
        // A recording costs as much as an image, and there is an image with every recording.
        price: unverified(withImages(perSecond(RUNWAY_TARIFF, runwayRows), { free: 0, usd: '0.02' })),
      },
    ],
  }),
  videoModel({
    ...newer,
    id: 'grok-imagine-1.5-start-end',
    name: 'Grok Imagine 1.5 first and last frame',
    description:
      'Makes a video with sound that leads from the first given image to the second: 1 to 15 seconds at 480p, 720p or 1080p, in nine shapes.',
    kind: 'start-end',
    aspectRatios: ratiosOfFrame,
    media: { images: { min: 2, max: 2 } },
    price: unverified({
      ...newer.price,
      source: 'UNVERIFIED: docs.x.ai, 2026-11-06, does not say whether a last frame is billed as an image.',
    }),
  }),
];
