import type { Model } from '../../domain/model';
import { firstEdition, videoModel, wholeSeconds } from '../model-entry';
import type { VideoModelEntry } from '../model-entry';
import { perSecond } from '../price-table';

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
  price: perSecond('Runway credits tariff, 2026-04.', { '720p': '0.12' }),
  bindings: [{ providerId: 'runway', modelName: 'gen4.5' }],
} satisfies Partial<VideoModelEntry>;

export const runwayModels: readonly Model[] = [
  videoModel({
    ...shared,
    id: 'gen-4.5-t2v',
    name: 'Runway Gen-4.5 text to video',
    description: 'Makes a silent video from a text: 2 to 10 seconds at 720p, upright or wide.',
    kind: 't2v',
    aspectRatios: ['16:9', '9:16'],
  }),
  videoModel({
    ...shared,
    id: 'gen-4.5-i2v',
    name: 'Runway Gen-4.5 image to video',
    description: 'Makes a silent video that begins with the given picture: 2 to 10 seconds at 720p, in six shapes.',
    kind: 'i2v',
    aspectRatios: ['16:9', '9:16', '4:3', '1:1', '3:4', '21:9'],
    media: { images: { min: 1, max: 1 } },
  }),
];
