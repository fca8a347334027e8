import type { Model } from '../../domain/model';
import { firstEdition, videoModel, wholeSeconds } from '../model-entry';
import { perSecond } from '../price-table';

export const grokModels: readonly Model[] = [
  videoModel({
    id: 'grok-imagine-i2v',
    name: 'Grok Imagine image to video',
    description:
      'Makes a video with sound that begins with the given picture: 1 to 15 seconds at 480p or 720p, in seven shapes.',
    family: 'grok',
    created: firstEdition,
    kind: 'i2v',
    seconds: wholeSeconds(1, 15),
    defaultSeconds: 8,
    resolutions: ['480p', '720p'],
    defaultResolution: '720p',
    aspectRatios: ['16:9', '9:16', '1:1', '4:3', '3:4', '3:2', '2:3'],
    // Not documented by the provider; the real rate of a finished video is read from its file.
    fps: { default: 24 },
    audio: 'always',
    media: { images: { min: 1, max: 1 } },
    parameters: [],
    price: perSecond('docs.x.ai, 2026-11-06.', { '480p': '0.05', '720p': '0.07' }),
    bindings: [
      { providerId: 'xai', modelName: 'grok-imagine-video' },
      // The 1.5 weights; only they can leave the sound out.
      {
        providerId: 'runway',
        modelName: 'grok_imagine_1_5',
        stability: 'beta',
        parameters: ['generate_audio'],
        audio: 'toggle',
      },
    ],
  }),
];
