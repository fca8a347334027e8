import type { Model } from '../../domain/model';
import { firstEdition, secondEdition, videoModel, wholeSeconds } from '../model-entry';
import type { VideoModelEntry } from '../model-entry';
import { perSecond, unverified } from '../price-table';

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
  price: perSecond(
    "fal's tariff of pixverse/v6, 2026; its page of v6/extend, a copy read 2026-11-25, has the same numbers.",
    {
      '360p': { silent: '0.025', audio: '0.035' },
      '540p': { silent: '0.035', audio: '0.045' },
      '720p': { silent: '0.045', audio: '0.06' },
      '1080p': { silent: '0.09', audio: '0.115' },
    },
  ),
} satisfies Partial<VideoModelEntry>;

const onFal = (endpoint: string) => ({
  providerId: 'fal',
  modelName: `fal-ai/pixverse/v6/${endpoint}`,
  parameters: [...shared.parameters, 'negative_prompt'],
});

const direct = {
  providerId: 'pixverse',
  modelName: 'v6',
  promptCharacters: 5_000,
  maxSeed: 2_147_483_647,
  price: unverified(
    perSecond(
      'UNVERIFIED: PixVerse publishes 60 credits ($0.60) for 5 seconds at 720p with audio. The other prices are assumed to be twice those of fal too.',
      {
        '360p': { silent: '0.05', audio: '0.07' },
        '540p': { silent: '0.07', audio: '0.09' },
        '720p': { silent: '0.09', audio: '0.12' },
        '1080p': { silent: '0.18', audio: '0.23' },
      },
    ),
  ),
} as const;

export const pixverseModels: readonly Model[] = [
  videoModel({
    ...shared,
    id: 'pixverse-v6-t2v',
    name: 'PixVerse V6 text to video',
    description:
      'Makes a video from a text, silent unless sound is requested: 1 to 15 seconds from 360p to 1080p, in eight shapes.',
    kind: 't2v',
    aspectRatios: ['16:9', '9:16', '1:1', '4:3', '3:4', '21:9', '2:3', '3:2'],
    bindings: [onFal('text-to-video'), direct],
  }),
  videoModel({
    ...shared,
    id: 'pixverse-v6-i2v',
    name: 'PixVerse V6 image to video',
    description:
      'Makes a video that begins with the given picture and keeps its shape, silent unless sound is requested: 1 to 15 seconds up to 1080p.',
    created: secondEdition,
    kind: 'i2v',
    media: { images: { min: 1, max: 1 } },
    bindings: [onFal('image-to-video'), direct],
  }),
  videoModel({
    ...shared,
    id: 'pixverse-v6-transition',
    name: 'PixVerse V6 transition',
    description:
      'Makes a video that leads from the first given picture to the second, silent unless sound is requested: 1 to 15 seconds up to 1080p.',
    kind: 'start-end',
    media: { images: { min: 2, max: 2 } },
    bindings: [
      onFal('transition'),
      // The documentation of the API turns several clips off for transitions.
      { ...direct, parameters: ['generate_audio_switch', 'thinking_type', 'seed'] },
      {
        providerId: 'muapi',
        modelName: 'pixverse-v6-transition',
        parameters: ['generate_audio_switch', 'thinking_type'],
        price: unverified(
          perSecond('UNVERIFIED: a reseller quotes $0.059 a second, and does not say for which resolution.', {
            '360p': '0.059',
            '540p': '0.059',
            '720p': '0.059',
            '1080p': '0.059',
          }),
        ),
      },
    ],
  }),
];
