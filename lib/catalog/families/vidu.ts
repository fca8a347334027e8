import type { Model } from '../../domain/model';
import { firstEdition, videoModel, wholeSeconds } from '../model-entry';
import { perSecond, unverified } from '../price-table';

export const viduModels: readonly Model[] = [
  videoModel({
    id: 'vidu-q2-start-end',
    name: 'Vidu Q2 start-end to video',
    description:
      'Makes a video that leads from the first given picture to the second, with background music if wanted: 2 to 8 seconds up to 1080p.',
    family: 'vidu',
    created: firstEdition,
    kind: 'start-end',
    seconds: wholeSeconds(2, 8),
    defaultSeconds: 5,
    resolutions: ['540p', '720p', '1080p'],
    defaultResolution: '720p',
    // Not documented by the provider; the real rate of a finished video is read from its file.
    fps: { default: 24 },
    audio: 'bgm',
    media: { images: { min: 2, max: 2 } },
    parameters: ['bgm', 'seed', 'watermark', 'remove_watermark'],
    promptCharacters: 2_000,
    price: unverified(
      perSecond('UNVERIFIED: no published price was found.', { '540p': '0.03', '720p': '0.05', '1080p': '0.08' }),
    ),
    bindings: [
      { providerId: 'vidu', modelName: 'viduq2-turbo' },
      {
        providerId: 'fal',
        modelName: 'fal-ai/vidu/q2/image-to-video/turbo',
        resolutions: ['720p', '1080p'],
        parameters: ['bgm', 'seed'],
      },
      // The 2.0 weights.
      {
        providerId: 'wavespeed',
        modelName: 'vidu/start-end-to-video-2.0',
        stability: 'beta',
        seconds: [4, 8],
        parameters: ['bgm', 'seed'],
      },
    ],
  }),
];
