import type { Model } from '../../domain/model';
import { wholeSeconds } from '../../domain/video-tiers';
import { firstEdition, secondEdition, videoModel } from '../model-entry';
import type { VideoModelEntry } from '../model-entry';
import { assumed, perInputAndOutputSecond, perSecond, unverified, withAssumedPrice } from '../price-table';
import { RUNWAY_TARIFF } from './runway';

const TARIFF =
  'UNVERIFIED: computed from the list price in CNY (0.9, 1.2 and 1.6 a second), compared with a reseller, 2026-10.';
const price = unverified(perSecond(TARIFF, { '720p': '0.14', '1080p': '0.18' }));
const olderRows = { '720p': '0.14', '1080p': '0.24' };
const olderPrice = unverified(perSecond(TARIFF, olderRows));
const ratios = ['16:9', '9:16', '1:1', '4:3', '3:4'];

const shared = {
  family: 'happyhorse',
  created: firstEdition,
  seconds: wholeSeconds(3, 15),
  resolutions: ['720p', '1080p'],
  defaultResolution: '720p',
  fps: { default: 24 },
  audio: 'always',
  parameters: ['seed', 'watermark', 'remove_watermark'],
  // The vendor cuts a longer prompt; Chinese characters count twice.
  promptCharacters: 5_000,
  // DashScope's limit for every model.
  maxSeed: 2_147_483_647,
  price,
} satisfies Partial<VideoModelEntry>;

// Runway serves the 1.0 weights, and takes neither seed nor watermark for them.
const runway = {
  providerId: 'runway',
  modelName: 'happyhorse_1_0',
  stability: 'beta',
  parameters: [],
  promptCharacters: 2_500,
  price: unverified(perSecond(RUNWAY_TARIFF, { '720p': '0.15', '1080p': '0.3' })),
} as const;

const falRows = { '720p': '0.14', '1080p': '0.28' };
const onFal = (endpoint: string) => ({
  providerId: 'fal',
  modelName: `alibaba/happy-horse/${endpoint}`,
  parameters: ['seed'],
  promptCharacters: 2_500,
  price: perSecond(`fal.ai/models/alibaba/happy-horse/${endpoint}, a copy read 2026-11-27.`, falRows),
});

const newerOnFal = (endpoint: string) => ({
  ...onFal(`v1.1/${endpoint}`),
  price: perSecond(`fal.ai/models/alibaba/happy-horse/v1.1/${endpoint}, a copy read 2026-11-28.`, {
    '720p': '0.14',
    '1080p': '0.18',
  }),
});
const newerReferencesOnFal = withAssumedPrice(
  newerOnFal('reference-to-video'),
  'this endpoint of fal',
  'its text to video',
);

/** Resellers whose prices were not found. */
const onWavespeed = (endpoint: string, ofFal: VideoModelEntry['price']) => ({
  providerId: 'wavespeed',
  modelName: `alibaba/happyhorse-${endpoint}`,
  parameters: ['seed'],
  promptCharacters: 2_500,
  price: assumed('WaveSpeed', 'fal', ofFal),
});
const onReplicate = (version: string, ofFal: VideoModelEntry['price']) => ({
  providerId: 'replicate',
  modelName: `alibaba/happyhorse-${version}`,
  parameters: ['seed'],
  promptCharacters: 2_500,
  price: assumed('Replicate', 'fal', ofFal),
});
const newerPrice = newerOnFal('text-to-video').price;
const olderPriceOnFal = perSecond('', falRows);

export const happyhorseModels: readonly Model[] = [
  videoModel({
    ...shared,
    id: 'happyhorse-1.1-t2v',
    name: 'HappyHorse 1.1 text to video',
    aliases: ['happyhorse-t2v'],
    description: 'Makes a video with sound from a text: 3 to 15 seconds at 720p or 1080p.',
    kind: 't2v',
    defaultSeconds: 5,
    aspectRatios: ratios,
    bindings: [
      { providerId: 'alibaba', modelName: 'happyhorse-1.1-t2v' },
      newerOnFal('text-to-video'),
      runway,
      onReplicate('1.1', newerPrice),
      onWavespeed('1.1/text-to-video', newerPrice),
    ],
  }),
  videoModel({
    ...shared,
    id: 'happyhorse-1.1-i2v',
    name: 'HappyHorse 1.1 image to video',
    description:
      'Makes a video with sound that begins with the given image and keeps its shape: 3 to 15 seconds at 720p or 1080p.',
    kind: 'i2v',
    defaultSeconds: 5,
    media: { images: { min: 1, max: 1 } },
    bindings: [
      { providerId: 'alibaba', modelName: 'happyhorse-1.1-i2v' },
      newerOnFal('image-to-video'),
      runway,
      // A single image is the first frame. Whether several have the requested ratio is not known, so Replicate makes no
      // videos from references.
      onReplicate('1.1', newerPrice),
      onWavespeed('1.1/image-to-video', newerPrice),
    ],
  }),
  videoModel({
    ...shared,
    id: 'happyhorse-1.1-r2v',
    name: 'HappyHorse 1.1 reference to video',
    description:
      'Makes a video with sound from a text and one to nine reference images, which the prompt cites in their order.',
    kind: 'r2v',
    defaultSeconds: 5,
    aspectRatios: ratios,
    media: { images: { min: 1, max: 9 } },
    bindings: [
      { providerId: 'alibaba', modelName: 'happyhorse-1.1-r2v' },
      newerReferencesOnFal,
      onWavespeed('1.1/reference-to-video', newerPrice),
    ],
  }),
  videoModel({
    ...shared,
    id: 'happyhorse-1.0-t2v',
    name: 'HappyHorse 1.0 text to video',
    description: 'The predecessor of 1.1: a video with sound from a text, 3 to 15 seconds at 720p or 1080p.',
    created: secondEdition,
    kind: 't2v',
    defaultSeconds: 5,
    aspectRatios: ratios,
    price: olderPrice,
    bindings: [
      { providerId: 'alibaba', modelName: 'happyhorse-1.0-t2v' },
      onFal('text-to-video'),
      runway,
      onReplicate('1.0', olderPriceOnFal),
      onWavespeed('1.0/text-to-video', olderPriceOnFal),
    ],
  }),
  videoModel({
    ...shared,
    id: 'happyhorse-1.0-i2v',
    name: 'HappyHorse 1.0 image to video',
    description:
      'The predecessor of 1.1: a video with sound that begins with the given image and keeps its shape, 3 to 15 seconds at 720p or 1080p.',
    created: secondEdition,
    kind: 'i2v',
    defaultSeconds: 5,
    media: { images: { min: 1, max: 1 } },
    price: olderPrice,
    bindings: [
      { providerId: 'alibaba', modelName: 'happyhorse-1.0-i2v' },
      onFal('image-to-video'),
      runway,
      onReplicate('1.0', olderPriceOnFal),
      onWavespeed('1.0/image-to-video', olderPriceOnFal),
    ],
  }),
  videoModel({
    ...shared,
    id: 'happyhorse-1.0-r2v',
    name: 'HappyHorse 1.0 reference to video',
    description:
      'The predecessor of 1.1: a video with sound from a text and one to nine reference images, which the prompt cites in their order.',
    created: secondEdition,
    kind: 'r2v',
    defaultSeconds: 5,
    aspectRatios: ratios,
    media: { images: { min: 1, max: 9 } },
    price: olderPrice,
    bindings: [
      { providerId: 'alibaba', modelName: 'happyhorse-1.0-r2v' },
      onFal('reference-to-video'),
      onWavespeed('1.0/reference-to-video', olderPriceOnFal),
    ],
  }),
  videoModel({
    ...shared,
    id: 'happyhorse-1.0-video-edit',
    name: 'HappyHorse 1.0 video edit',
    description:
      'Changes a given video by a text and up to five reference images. The output is as long as the source, at most 15 seconds; both are billed.',
    kind: 'video-edit',
    audio: 'source',
    sourceSeconds: { min: 3, max: 60 },
    media: { sourceVideo: true, images: { min: 0, max: 5 } },
    parameters: ['keep_original_sound', 'seed', 'watermark', 'remove_watermark'],
    price: unverified(perInputAndOutputSecond(TARIFF, olderRows)),
    // The request has no duration.
    bindings: [
      { providerId: 'alibaba', modelName: 'happyhorse-1.0-video-edit', outputFollowsSource: true },
      {
        ...onFal('video-edit'),
        outputFollowsSource: true,
        parameters: ['keep_original_sound', 'seed'],
        price: perInputAndOutputSecond(
          'fal.ai/models/alibaba/happy-horse/video-edit, a copy read 2026-11-27.',
          falRows,
        ),
      },
      {
        ...onWavespeed('1.0/video-edit', perInputAndOutputSecond('', falRows)),
        outputFollowsSource: true,
      },
    ],
  }),
];
