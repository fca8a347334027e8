import type { Model } from '../../domain/model';
import { firstEdition, videoModel } from '../model-entry';
import { perClip } from '../price-table';

export const lumaModels: readonly Model[] = [
  videoModel({
    id: 'ray-3.2-t2v',
    name: 'Luma Ray 3.2 text to video',
    description:
      'Makes a silent video from a text: 5 or 10 seconds at 720p, in six shapes. Priced per clip; ten seconds cost three times five.',
    family: 'luma',
    created: firstEdition,
    kind: 't2v',
    seconds: [5, 10],
    defaultSeconds: 5,
    resolutions: ['720p'],
    defaultResolution: '720p',
    aspectRatios: ['16:9', '9:16', '1:1', '4:3', '3:4', '21:9'],
    // Not documented by the provider; the real rate of a finished video is read from its file.
    fps: { default: 24 },
    audio: 'none',
    parameters: [],
    promptCharacters: 6_000,
    price: perClip('docs.agents.lumalabs.ai pricing as an adapter notes it, 2026-09-27.', {
      '720p': { 5: '0.3', 10: '0.9' },
    }),
    bindings: [{ providerId: 'luma', modelName: 'ray-3.2' }],
  }),
];
