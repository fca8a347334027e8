import type { Model } from '../../domain/model';
import { firstEdition, secondEdition, videoModel } from '../model-entry';
import type { VideoModelEntry } from '../model-entry';
import { perClip, unverified } from '../price-table';

const ratios = ['16:9', '9:16', '1:1', '4:3', '3:4', '21:9'];

const shared = {
  family: 'luma',
  seconds: [5, 10],
  defaultSeconds: 5,
  resolutions: ['540p', '720p', '1080p'],
  defaultResolution: '720p',
  // The API counts the places of images in frames, 24 a second.
  fps: { default: 24 },
  audio: 'none',
  parameters: [],
  promptCharacters: 6_000,
  // A generation costs the same with and without an image.
  price: unverified(
    perClip('UNVERIFIED: docs.agents.lumalabs.ai/guides/pricing as notes of its readers copy it, 2026-09.', {
      '540p': { 5: '0.15', 10: '0.45' },
      '720p': { 5: '0.3', 10: '0.9' },
      '1080p': { 5: '1.2', 10: '3.6' },
    }),
  ),
  bindings: [{ providerId: 'luma', modelName: 'ray-3.2' }],
} satisfies Partial<VideoModelEntry>;

export const lumaModels: readonly Model[] = [
  videoModel({
    ...shared,
    id: 'ray-3.2-t2v',
    name: 'Luma Ray 3.2 text to video',
    description:
      'Makes a silent video from a text: 5 or 10 seconds at 540p, 720p or 1080p, in six shapes. Priced per clip; ten seconds cost three times five.',
    created: firstEdition,
    kind: 't2v',
    aspectRatios: ratios,
  }),
  videoModel({
    ...shared,
    id: 'ray-3.2-i2v',
    name: 'Luma Ray 3.2 image to video',
    description:
      'Makes a silent video that begins with the given picture: 5 or 10 seconds at 540p, 720p or 1080p, in six shapes. Priced per clip; ten seconds cost three times five.',
    created: secondEdition,
    kind: 'i2v',
    // Without a requested size, a video has the shape of its picture.
    aspectRatios: [...ratios, 'adaptive'],
    media: { images: { min: 1, max: 1 } },
  }),
];
