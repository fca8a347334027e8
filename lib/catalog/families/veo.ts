import type { Model } from '../../domain/model';
import { firstEdition, videoModel } from '../model-entry';
import type { VideoModelEntry } from '../model-entry';
import { perSecond } from '../price-table';

const TARIFF = 'ai.google.dev pricing, read 2026-08-13.';
const VERTEX_TARIFF = 'Vertex AI tariff as resellers quote it, 2026.';
const RUNWAY_TARIFF = 'Runway credits tariff, 2026-04.';

const shared = {
  family: 'veo',
  created: firstEdition,
  seconds: [4, 6, 8],
  defaultSeconds: 8,
  resolutions: ['720p', '1080p', '4k'],
  defaultResolution: '720p',
  aspectRatios: ['16:9', '9:16'],
  fps: { default: 24 },
  audio: 'always',
  parameters: ['negative_prompt'],
  rules: [{ resolutions: ['1080p', '4k'], seconds: [8] }],
  price: perSecond(TARIFF, { '720p': '0.4', '1080p': '0.4', '4k': '0.6' }),
} satisfies Partial<VideoModelEntry>;

// Only Vertex can leave the sound out (at a lower price) and supports a seed.
const onVertex = {
  providerId: 'google-vertex',
  modelName: 'veo-3.1-generate-001',
  audio: 'toggle',
  parameters: ['negative_prompt', 'generate_audio', 'seed'],
  price: perSecond(VERTEX_TARIFF, {
    '720p': { silent: '0.2', audio: '0.4' },
    '1080p': { silent: '0.2', audio: '0.4' },
    '4k': { silent: '0.4', audio: '0.6' },
  }),
} as const;

// Resellers offer no 4k.
const resold = { resolutions: ['720p', '1080p'] } as const;

export const veoModels: readonly Model[] = [
  videoModel({
    ...shared,
    id: 'veo-3.1-t2v',
    name: 'Veo 3.1 text to video',
    aliases: ['veo-3.1'],
    description: 'Makes a video with sound from a text: 4, 6 or 8 seconds; 1080p and 4k only with 8.',
    kind: 't2v',
    bindings: [
      { providerId: 'google-ai-studio', modelName: 'veo-3.1-generate-preview' },
      onVertex,
      { providerId: 'runway', modelName: 'veo3.1', ...resold },
      { providerId: 'fal', modelName: 'fal-ai/veo3.1', ...resold },
    ],
  }),
  videoModel({
    ...shared,
    id: 'veo-3.1-i2v',
    name: 'Veo 3.1 image to video',
    description:
      'Makes a video with sound that begins with the given picture: 4, 6 or 8 seconds; 1080p and 4k only with 8.',
    kind: 'i2v',
    media: { images: { min: 1, max: 1 } },
    bindings: [
      { providerId: 'google-ai-studio', modelName: 'veo-3.1-generate-preview' },
      onVertex,
      { providerId: 'runway', modelName: 'veo3.1', ...resold },
      { providerId: 'fal', modelName: 'fal-ai/veo3.1/image-to-video', ...resold },
    ],
  }),
  videoModel({
    ...shared,
    id: 'veo-3.1-fast-t2v',
    name: 'Veo 3.1 Fast text to video',
    description:
      'The faster and cheaper Veo 3.1: a video with sound from a text, 4, 6 or 8 seconds; 1080p and 4k only with 8.',
    kind: 't2v',
    price: perSecond(TARIFF, { '720p': '0.1', '1080p': '0.12', '4k': '0.3' }),
    bindings: [
      { providerId: 'google-ai-studio', modelName: 'veo-3.1-fast-generate-preview' },
      {
        ...onVertex,
        modelName: 'veo-3.1-fast-generate-001',
        price: perSecond(VERTEX_TARIFF, {
          '720p': { silent: '0.1', audio: '0.15' },
          '1080p': { silent: '0.1', audio: '0.15' },
          '4k': { silent: '0.3', audio: '0.35' },
        }),
      },
      {
        providerId: 'runway',
        modelName: 'veo3.1_fast',
        ...resold,
        price: perSecond(RUNWAY_TARIFF, { '720p': '0.15', '1080p': '0.15' }),
      },
    ],
  }),
];
