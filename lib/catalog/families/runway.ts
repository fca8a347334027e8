import type { Model } from '../../domain/model';
import { wholeSeconds } from '../../domain/video-tiers';
import { firstEdition, secondEdition, videoModel } from '../model-entry';
import type { BindingEntry, VideoModelEntry } from '../model-entry';
import { assumed, perInputAndOutputSecond, perSecond, unverified } from '../price-table';

/**
 * Prices in credits at $0.01 each, for Runway's own models and those of others. They were not read at Runway itself, so
 * no price is verified.
 */
export const RUNWAY_TARIFF =
  'UNVERIFIED: docs.dev.runwayml.com/guides/pricing as public notes of 2026-08-18 and 2026-10-04 quote it.';
/** Prices in credits at $0.01 each, read at Runway. */
const CREDITS = "Runway's credits tariff, 2026-04.";

const shared = {
  family: 'runway',
  created: firstEdition,
  seconds: wholeSeconds(2, 10),
  defaultSeconds: 5,
  resolutions: ['720p'],
  defaultResolution: '720p',
  // Not documented by the provider; the real rate of a finished video is read from its file.
  fps: { default: 24 },
  audio: 'none',
  parameters: ['seed'],
  promptCharacters: 1_000,
  price: perSecond(CREDITS, { '720p': '0.12' }),
  bindings: [{ providerId: 'runway', modelName: 'gen4.5' }],
} satisfies Partial<VideoModelEntry>;

const sixShapes = ['16:9', '9:16', '4:3', '1:1', '3:4', '21:9'];

/** Replicate makes two lengths of Runway's models; its prices were not found. */
const onReplicate = (modelName: string, price: VideoModelEntry['price']): BindingEntry => ({
  providerId: 'replicate',
  modelName: `runwayml/${modelName}`,
  seconds: [5, 10],
  price: assumed('Replicate', 'Runway', price),
});
const newestOnReplicate = onReplicate('gen-4.5', shared.price);
const turboPrice = perSecond(CREDITS, { '720p': '0.05' });

export const runwayModels: readonly Model[] = [
  videoModel({
    ...shared,
    id: 'gen-4.5-t2v',
    name: 'Runway Gen-4.5 text to video',
    description:
      'Makes a silent video from a text: 2 to 10 seconds at 720p, upright or wide, and with 5 or 10 seconds in four more shapes where Replicate makes them.',
    kind: 't2v',
    aspectRatios: sixShapes,
    bindings: [
      ...shared.bindings.map((binding) => ({ ...binding, aspectRatios: ['16:9', '9:16'] })),
      newestOnReplicate,
    ],
  }),
  videoModel({
    ...shared,
    id: 'gen-4.5-i2v',
    name: 'Runway Gen-4.5 image to video',
    description: 'Makes a silent video that begins with the given image: 2 to 10 seconds at 720p, in six shapes.',
    kind: 'i2v',
    aspectRatios: sixShapes,
    media: { images: { min: 1, max: 1 } },
    bindings: [...shared.bindings, newestOnReplicate],
  }),
  videoModel({
    ...shared,
    id: 'gen-4-turbo-i2v',
    name: 'Runway Gen-4 Turbo image to video',
    description:
      'The faster and cheaper Runway model: a silent video that begins with the given image, 2 to 10 seconds at 720p, in six shapes.',
    created: secondEdition,
    kind: 'i2v',
    aspectRatios: sixShapes,
    media: { images: { min: 1, max: 1 } },
    price: turboPrice,
    bindings: [{ providerId: 'runway', modelName: 'gen4_turbo' }, onReplicate('gen4-turbo', turboPrice)],
  }),
  videoModel({
    id: 'aleph-2-video-edit',
    name: 'Runway Aleph 2 video edit',
    description:
      'Changes a given video of 2 to 30 seconds by a text. The output is as long as the source; both are billed. With a size of another shape, the picture is extended to it.',
    family: 'runway',
    created: secondEdition,
    kind: 'video-edit',
    // Two seconds is the shortest length without a minimum charge in the tariff.
    seconds: wholeSeconds(2, 30),
    sourceSeconds: { min: 2, max: 30 },
    // The provider has no parameter for the resolution, and does not document it.
    resolutions: ['720p'],
    defaultResolution: '720p',
    aspectRatios: ['16:9', '9:16', '1:1', '4:3', '3:4', '3:2', '2:3', '21:9'],
    fps: { default: 24 },
    // Sound is not documented either.
    audio: 'none',
    media: { sourceVideo: true },
    parameters: ['seed'],
    // Runway charges 0.28 for each second of the output, which is as long as the input.
    price: unverified(perInputAndOutputSecond(RUNWAY_TARIFF, { '720p': '0.14' })),
    bindings: [{ providerId: 'runway', modelName: 'aleph2', outputFollowsSource: true }],
  }),
];
