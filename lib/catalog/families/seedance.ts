import type { Model } from '../../domain/model';
import { firstEdition, videoModel, wholeSeconds } from '../model-entry';
import type { VideoModelEntry } from '../model-entry';
import { assumed, perSecond, withVideoInput } from '../price-table';

const TARIFF = "Computed from BytePlus' tariff per token and its formula of pixels to tokens, 2026.";
const price = perSecond(TARIFF, { '480p': '0.0703', '720p': '0.1512', '1080p': '0.3742', '4k': '0.7776' });
const fastPrice = perSecond(TARIFF, { '480p': '0.0562', '720p': '0.121' });
const ratios = ['16:9', '9:16', '1:1', '4:3', '3:4', '21:9'];

const shared = {
  family: 'seedance',
  created: firstEdition,
  seconds: wholeSeconds(4, 15),
  defaultSeconds: 5,
  resolutions: ['480p', '720p', '1080p', '4k'],
  defaultResolution: '720p',
  fps: { default: 24 },
  audio: 'toggle',
  parameters: ['generate_audio', 'seed', 'watermark', 'remove_watermark'],
  maxSeed: 2_147_483_647,
  price,
} satisfies Partial<VideoModelEntry>;

const standard = { providerId: 'bytedance', modelName: 'dreamina-seedance-2-0-260128' } as const;

export const seedanceModels: readonly Model[] = [
  videoModel({
    ...shared,
    id: 'seedance-2.0-t2v',
    name: 'Seedance 2.0 text to video',
    aliases: ['seedance-t2v'],
    description: 'Makes a video from a text, silent or with sound for the same price: 4 to 15 seconds from 480p to 4k.',
    kind: 't2v',
    aspectRatios: ratios,
    bindings: [
      standard,
      {
        providerId: 'runway',
        modelName: 'seedance2',
        parameters: ['generate_audio'],
        promptCharacters: 3_500,
        price: assumed('Runway', 'BytePlus', price),
      },
      {
        providerId: 'fal',
        modelName: 'bytedance/seedance-2.0/text-to-video',
        parameters: ['generate_audio', 'seed'],
        price: assumed('fal', 'BytePlus', price),
      },
    ],
  }),
  videoModel({
    ...shared,
    id: 'seedance-2.0-i2v',
    name: 'Seedance 2.0 image to video',
    description:
      "Makes a video that begins with the given picture, in the picture's shape unless a size is asked for: 4 to 15 seconds from 480p to 4k.",
    kind: 'i2v',
    aspectRatios: [...ratios, 'adaptive'],
    media: { images: { min: 1, max: 1 } },
    bindings: [standard],
  }),
  videoModel({
    ...shared,
    id: 'seedance-2.0-r2v',
    name: 'Seedance 2.0 reference to video',
    description:
      'Makes a video from a text and up to nine reference pictures or three reference videos. With videos, their seconds are billed too, at a lower rate.',
    kind: 'r2v',
    aspectRatios: [...ratios, 'adaptive'],
    media: { images: { min: 0, max: 9 }, videos: { min: 0, max: 3 }, eitherRequired: true },
    // The provider accepts at most 15 seconds of reference videos in total.
    price: withVideoInput(price, {
      per: 'input_plus_output_second',
      secondsIfUnstated: 15,
      rows: { '480p': '0.0432', '720p': '0.0929', '1080p': '0.2284', '4k': '0.4666' },
    }),
    bindings: [standard],
  }),
  videoModel({
    ...shared,
    id: 'seedance-2.0-fast-t2v',
    name: 'Seedance 2.0 Fast text to video',
    description: 'The faster and cheaper Seedance 2.0: a video from a text, 4 to 15 seconds at 480p or 720p.',
    kind: 't2v',
    resolutions: ['480p', '720p'],
    aspectRatios: ratios,
    price: fastPrice,
    bindings: [
      { providerId: 'bytedance', modelName: 'dreamina-seedance-2-0-fast-260128' },
      {
        providerId: 'runway',
        modelName: 'seedance2_fast',
        parameters: ['generate_audio'],
        promptCharacters: 3_500,
        price: assumed('Runway', 'BytePlus', fastPrice),
      },
    ],
  }),
];
