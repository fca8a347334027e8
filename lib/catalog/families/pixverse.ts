import type { Model } from '../../domain/model';
import { firstEdition, videoModel, wholeSeconds } from '../model-entry';
import type { VideoModelEntry } from '../model-entry';
import { perSecond } from '../price-table';

const shared = {
  family: 'pixverse',
  created: firstEdition,
  seconds: wholeSeconds(1, 15),
  defaultSeconds: 5,
  resolutions: ['360p', '540p', '720p', '1080p'],
  defaultResolution: '720p',
  // Not documented by the provider; the real rate of a finished video is read from its file.
  fps: { default: 24 },
  audio: 'toggle',
  parameters: ['generate_audio_switch', 'generate_multi_clip_switch', 'thinking_type', 'seed'],
  price: perSecond("fal pixverse/v6 tariff, 2026. PixVerse's own credits cost about twice as much.", {
    '360p': { silent: '0.025', audio: '0.035' },
    '540p': { silent: '0.035', audio: '0.045' },
    '720p': { silent: '0.045', audio: '0.06' },
    '1080p': { silent: '0.09', audio: '0.115' },
  }),
} satisfies Partial<VideoModelEntry>;

export const pixverseModels: readonly Model[] = [
  videoModel({
    ...shared,
    id: 'pixverse-v6-t2v',
    name: 'PixVerse V6 text to video',
    description:
      'Makes a video from a text, silent unless sound is asked for: 1 to 15 seconds from 360p to 1080p, in eight shapes.',
    kind: 't2v',
    aspectRatios: ['16:9', '9:16', '1:1', '4:3', '3:4', '21:9', '2:3', '3:2'],
    bindings: [
      { providerId: 'pixverse', modelName: 'v6' },
      { providerId: 'fal', modelName: 'fal-ai/pixverse/v6/text-to-video' },
    ],
  }),
  videoModel({
    ...shared,
    id: 'pixverse-v6-transition',
    name: 'PixVerse V6 transition',
    description:
      'Makes a video that leads from the first given picture to the second, silent unless sound is asked for: 1 to 15 seconds up to 1080p.',
    kind: 'start-end',
    media: { images: { min: 2, max: 2 } },
    bindings: [
      { providerId: 'pixverse', modelName: 'v6' },
      { providerId: 'fal', modelName: 'fal-ai/pixverse/v6/transition' },
      {
        providerId: 'muapi',
        modelName: 'pixverse-v6-transition',
        parameters: ['generate_audio_switch', 'thinking_type'],
      },
    ],
  }),
];
