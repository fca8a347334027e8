import type { Model } from '../../domain/model';
import { firstEdition, videoModel, wholeSeconds } from '../model-entry';
import { assumed, perClip, perSecond, unverified } from '../price-table';

const h3Price = perSecond('MiniMax pay-as-you-go page as a reseller notes it, 2026-10-24.', {
  '768p': '0.08',
  '2k': '0.13',
});
const onFal = { providerId: 'fal', parameters: ['prompt_extend'] } as const;

export const minimaxModels: readonly Model[] = [
  videoModel({
    id: 'hailuo-2.3-i2v',
    name: 'MiniMax Hailuo 2.3 image to video',
    description:
      'Makes a silent video that begins with the given picture and keeps its shape: 6 or 10 seconds; 1080p only with 6. Priced per clip.',
    family: 'minimax',
    created: firstEdition,
    kind: 'i2v',
    seconds: [6, 10],
    defaultSeconds: 6,
    resolutions: ['768p', '1080p'],
    defaultResolution: '768p',
    // Not documented by the provider; the real rate of a finished video is read from its file.
    fps: { default: 24 },
    audio: 'none',
    media: { images: { min: 1, max: 1 } },
    parameters: ['prompt_extend', 'watermark', 'remove_watermark'],
    promptCharacters: 2_000,
    rules: [{ resolutions: ['1080p'], seconds: [6] }],
    price: unverified(
      perClip('UNVERIFIED: the list price as resellers quote it.', {
        '768p': { 6: '0.28', 10: '0.56' },
        '1080p': { 6: '0.49' },
      }),
    ),
    bindings: [
      { providerId: 'minimax', modelName: 'MiniMax-Hailuo-2.3' },
      // fal has an endpoint for each tier; "pro" takes no duration.
      { ...onFal, modelName: 'fal-ai/minimax/hailuo-2.3/standard/image-to-video', resolutions: ['768p'] },
      { ...onFal, modelName: 'fal-ai/minimax/hailuo-2.3/pro/image-to-video', resolutions: ['1080p'], seconds: [6] },
    ],
  }),
  videoModel({
    id: 'minimax-h3-t2v',
    name: 'MiniMax H3 text to video',
    description: 'Makes a video with sound from a text: 4 to 15 seconds at 768p or 2k, in six shapes.',
    family: 'minimax',
    created: firstEdition,
    kind: 't2v',
    seconds: wholeSeconds(4, 15),
    defaultSeconds: 5,
    resolutions: ['768p', '2k'],
    defaultResolution: '768p',
    aspectRatios: ['16:9', '9:16', '1:1', '4:3', '3:4', '21:9'],
    fps: { default: 24 },
    audio: 'always',
    parameters: ['watermark', 'remove_watermark'],
    promptCharacters: 7_000,
    price: h3Price,
    bindings: [
      { providerId: 'minimax', modelName: 'MiniMax-H3' },
      { providerId: 'runway', modelName: 'hailuo3', parameters: [], price: assumed('Runway', 'MiniMax', h3Price) },
    ],
  }),
];
