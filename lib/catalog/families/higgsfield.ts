import type { Model } from '../../domain/model';
import { firstEdition, videoModel } from '../model-entry';
import { perOption, unverified } from '../price-table';

export const higgsfieldModels: readonly Model[] = [
  videoModel({
    id: 'higgsfield-dop-i2v',
    name: 'Higgsfield DoP image to video',
    description:
      'Makes a silent clip of five seconds at 720p that begins with the given image. The option dop-lite, dop-turbo or dop-preview sets quality and price.',
    family: 'higgsfield',
    created: firstEdition,
    kind: 'i2v',
    seconds: [5],
    defaultSeconds: 5,
    resolutions: ['720p'],
    defaultResolution: '720p',
    // Not documented by the provider; the real rate of a finished video is read from its file.
    fps: { default: 24 },
    audio: 'none',
    media: { images: { min: 1, max: 1 } },
    parameters: ['options', 'seed', 'prompt_extend'],
    maxSeed: 1_000_000,
    price: unverified(
      perOption(
        'UNVERIFIED: no published tariff was found.',
        { 'dop-lite': '0.125', 'dop-turbo': '0.406', 'dop-preview': '0.563' },
        'dop-turbo',
      ),
    ),
    bindings: [{ providerId: 'higgsfield', modelName: 'dop-turbo' }],
  }),
];
