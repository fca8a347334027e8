import type { Model } from '../../domain/model';
import { wholeSeconds } from '../../domain/video-tiers';
import { fourthEdition, thirdEdition, videoModel } from '../model-entry';
import type { BindingEntry, VideoModelEntry } from '../model-entry';
import { olderKlingModels } from './kling-older';
import { klingOmniModels } from './kling-omni';
import {
  bothFrames,
  firstFrame,
  onWavespeed,
  pricesOf30AtReplicate,
  ratios,
  shared,
  TARIFF,
  voicedAtKling,
} from './kling-shared';
import {
  assumed,
  perInputAndOutputSecond,
  perSecond,
  unverified,
  unverifiedAt,
  withVideoInput,
  withVoice,
} from '../price-table';

const proRates = { '1080p': { silent: '0.112', audio: '0.168' } };
const proOnFal = perSecond('fal.ai/models/fal-ai/kling-video/v3/pro, a copy read 2026-11-25.', proRates);
const standardOnFal = perSecond('fal.ai/models/fal-ai/kling-video/v3/standard, a copy read 2026-11-25.', {
  '720p': { silent: '0.084', audio: '0.126' },
});
// Copies of these two pages differ by a factor of two. The higher price is asked until the operator confirms it.
const standardFromFrameOnFal = unverified(
  perSecond(
    'UNVERIFIED: one copy of fal.ai/models/fal-ai/kling-video/v3/standard/image-to-video, read 2026-11-29; notes of its readers have half as much.',
    { '720p': { silent: '0.168', audio: '0.252' } },
  ),
);
const proFromFrameOnFal = unverified(
  perSecond(
    'UNVERIFIED: one copy of fal.ai/models/fal-ai/kling-video/v3/pro/image-to-video, read 2026-11-28; other copies have half as much.',
    { '1080p': { silent: '0.224', audio: '0.336' } },
  ),
);

const in4kOnFal = perSecond('fal.ai/models/fal-ai/kling-video/v3/4k/text-to-video, a copy read 2026-11-28.', {
  '4k': '0.42',
});

// fal has an endpoint for each tier: "standard" is 720p and "pro" 1080p. They take neither several clips nor the
// watermark. Only the first two take a voice, and only with images.
const thirdOnFal = { providerId: 'fal', parameters: ['sound', 'negative_prompt'] } as const;
const voicedOnFal = {
  ...thirdOnFal,
  parameters: [...thirdOnFal.parameters, 'reference_voice'],
  voiceNames: true,
} as const;

const fromTextOnFal: readonly BindingEntry[] = [
  {
    ...thirdOnFal,
    modelName: 'fal-ai/kling-video/v3/standard/text-to-video',
    resolutions: ['720p'],
    price: standardOnFal,
  },
  { ...thirdOnFal, modelName: 'fal-ai/kling-video/v3/pro/text-to-video', resolutions: ['1080p'], price: proOnFal },
  { ...thirdOnFal, modelName: 'fal-ai/kling-video/v3/4k/text-to-video', resolutions: ['4k'], price: in4kOnFal },
];
const fromFramesOnFal: readonly BindingEntry[] = [
  {
    ...voicedOnFal,
    modelName: 'fal-ai/kling-video/v3/standard/image-to-video',
    resolutions: ['720p'],
    price: withVoice(standardFromFrameOnFal, { '720p': '0.308' }),
  },
  {
    ...voicedOnFal,
    modelName: 'fal-ai/kling-video/v3/pro/image-to-video',
    resolutions: ['1080p'],
    price: withVoice(proFromFrameOnFal, { '1080p': '0.392' }),
  },
  {
    ...thirdOnFal,
    modelName: 'fal-ai/kling-video/v3/4k/image-to-video',
    resolutions: ['4k'],
    price: assumed('this endpoint of fal', 'its text to video', in4kOnFal),
  },
];

// Replicate limits prompts as Kling's older API does.
const onReplicate = {
  providerId: 'replicate',
  modelName: 'kwaivgi/kling-v3-video',
  parameters: ['sound', 'negative_prompt'],
  promptCharacters: 2_500,
  negativePromptCharacters: 2_500,
  price: unverifiedAt(
    ['4k'],
    'that of fal.',
    perSecond('replicate.com/kwaivgi/kling-v3-video, 2026.', { ...pricesOf30AtReplicate, '4k': '0.42' }),
  ),
} as const satisfies BindingEntry;

const NOTES_OF_WAVESPEED =
  'UNVERIFIED: as notes of the readers of the pages of Kling 3.0 on wavespeed.ai quote it, 2026; with sound, half as much again.';
const thirdOnWavespeed = (endpoint: string) =>
  [
    {
      tier: 'std',
      price: unverified(perSecond(NOTES_OF_WAVESPEED, { '720p': { silent: '0.084', audio: '0.126' } })),
    },
    { tier: 'pro', price: unverified(perSecond(NOTES_OF_WAVESPEED, proRates)) },
    { tier: '4k', price: assumed('this model of WaveSpeed', 'fal', in4kOnFal) },
  ].map(({ tier, price }) => ({
    ...onWavespeed(`kling-v3.0-${tier}/${endpoint}`, price),
    parameters: ['sound', 'negative_prompt'],
  }));

// Kling 3.0 Turbo always makes sound, and has no setting for shots.
const turbo = {
  ...shared,
  created: thirdEdition,
  defaultSeconds: 5,
  resolutions: ['720p', '1080p'],
  audio: 'always',
  parameters: ['watermark', 'remove_watermark'],
  price: unverified(perSecond(TARIFF, { '720p': '0.112', '1080p': '0.14' })),
} satisfies Partial<VideoModelEntry>;

const turboOnFal = (tier: 'standard' | 'pro', endpoint: string) => {
  const rows = tier === 'standard' ? { '720p': '0.112' } : { '1080p': '0.14' };
  const modelName = `fal-ai/kling-video/v3/turbo/${tier}/${endpoint}`;
  return {
    providerId: 'fal',
    modelName,
    resolutions: Object.keys(rows),
    parameters: [],
    price: perSecond(`fal.ai/models/${modelName}, a copy read 2026-11-25.`, rows),
  };
};

const standardTurboText = turboOnFal('standard', 'text-to-video');

// Kling 4.0 always makes sound.
const fourthOfAnyKind = {
  ...shared,
  created: fourthEdition,
  seconds: wholeSeconds(3, 30),
  resolutions: ['720p', '1080p'],
  audio: 'always',
  parameters: ['watermark', 'remove_watermark'],
  promptCharacters: 26_000,
  // A video of 30 seconds takes longer than others.
  deadlineSeconds: 1_800,
  price: unverified(
    perSecond("UNVERIFIED: Kling's price of 4.0 as notes of its readers copy it, 2026-11.", {
      '720p': '0.157',
      '1080p': '0.235',
    }),
  ),
} satisfies Partial<VideoModelEntry>;
const fourth = { ...fourthOfAnyKind, defaultSeconds: 5 };

const fourthOnFal = (endpoint: string) => ({
  providerId: 'fal',
  modelName: `kling/v4/${endpoint}`,
  parameters: [],
  price: perSecond('fal.ai/learn/tools/kling-api, a copy read 2026-11-27.', { '720p': '0.157', '1080p': '0.235' }),
});
const fourthAtKling = { providerId: 'kling', modelName: 'kling-4.0' };
const fourthBindings = (endpoint: string): BindingEntry[] => [fourthAtKling, fourthOnFal(endpoint)];

const fourthRowsWithVideo = { '720p': '0.094', '1080p': '0.141' };
/** The seconds of reference videos are billed too: together at most 30, and at least as many as the output has. */
const withFourthVideos = (price: VideoModelEntry['price']) =>
  withVideoInput(price, {
    per: 'input_plus_output_second',
    secondsIfUnstated: 30,
    atLeastOutput: true,
    rows: fourthRowsWithVideo,
  });
const fourthReferencesOnFal = fourthOnFal('reference-to-video');

// Only Kling's older API has this parameter, and voices; a provider with a key of the newer one does not offer them.
const thirdAtKling = {
  providerId: 'kling',
  modelName: 'kling-3.0',
  parameters: [...shared.parameters, 'negative_prompt'],
};

const voicedThirdAtKling = voicedAtKling(thirdAtKling, shared.price, { '720p': '0.154', '1080p': '0.196' });
export const klingModels: readonly Model[] = [
  videoModel({
    ...fourth,
    id: 'kling-4.0-t2v',
    name: 'Kling 4.0 text to video',
    description: 'Makes a video with sound from a text: 3 to 30 seconds at 720p or 1080p.',
    kind: 't2v',
    aspectRatios: [...ratios, '21:9'],
    bindings: fourthBindings('text-to-video'),
  }),
  videoModel({
    ...fourth,
    id: 'kling-4.0-i2v',
    name: 'Kling 4.0 image to video',
    description:
      'Makes a video with sound that begins with the given image and keeps its shape: 3 to 30 seconds at 720p or 1080p.',
    kind: 'i2v',
    media: firstFrame,
    bindings: fourthBindings('image-to-video'),
  }),
  videoModel({
    ...fourth,
    id: 'kling-4.0-start-end',
    name: 'Kling 4.0 first and last frame',
    description:
      'Makes a video with sound that leads from the first given image to the second: 3 to 30 seconds at 720p or 1080p.',
    kind: 'start-end',
    media: bothFrames,
    bindings: fourthBindings('image-to-video'),
  }),
  videoModel({
    ...fourth,
    id: 'kling-4.0-r2v',
    name: 'Kling 4.0 reference to video',
    description:
      'Makes a video with sound from a text and up to ten reference images and five reference videos, whose seconds are billed too: 3 to 30 seconds.',
    kind: 'r2v',
    aspectRatios: [...ratios, '21:9'],
    media: { images: { min: 0, max: 10 }, videos: { min: 0, max: 5 }, eitherRequired: true },
    price: withFourthVideos(fourth.price),
    bindings: [fourthAtKling, { ...fourthReferencesOnFal, price: withFourthVideos(fourthReferencesOnFal.price) }],
  }),
  videoModel({
    ...fourthOfAnyKind,
    id: 'kling-4.0-video-edit',
    name: 'Kling 4.0 video edit',
    description:
      'Changes a given video of 3 to 30 seconds by a text and up to ten reference images, with new sound. The output is as long as the source; both are billed.',
    kind: 'video-edit',
    sourceSeconds: { min: 3, max: 30 },
    media: { sourceVideo: true, images: { min: 0, max: 10 } },
    price: unverified(
      perInputAndOutputSecond(
        "UNVERIFIED: Kling's price of 4.0 with a video as notes of its readers copy it, 2026-11.",
        fourthRowsWithVideo,
      ),
    ),
    bindings: [
      { ...fourthAtKling, outputFollowsSource: true },
      {
        ...fourthOnFal('video-to-video/edit'),
        outputFollowsSource: true,
        price: perInputAndOutputSecond(
          'fal.ai/models/kling/v4/video-to-video/edit, a copy read 2026-11-27.',
          fourthRowsWithVideo,
        ),
      },
    ],
  }),
  videoModel({
    ...shared,
    id: 'kling-3.0-t2v',
    name: 'Kling 3.0 text to video',
    aliases: ['kling-t2v'],
    description: 'Makes a video from a text, silent or with sound: 3 to 15 seconds at 720p, 1080p or 4k.',
    kind: 't2v',
    defaultSeconds: 5,
    aspectRatios: ratios,
    bindings: [thirdAtKling, ...fromTextOnFal, onReplicate, ...thirdOnWavespeed('text-to-video')],
  }),
  videoModel({
    ...shared,
    id: 'kling-3.0-i2v',
    name: 'Kling 3.0 image to video',
    description:
      'Makes a video that begins with the given image and keeps its shape, silent or with sound: 3 to 15 seconds up to 4k.',
    kind: 'i2v',
    defaultSeconds: 5,
    media: firstFrame,
    bindings: [voicedThirdAtKling, ...fromFramesOnFal, onReplicate, ...thirdOnWavespeed('image-to-video')],
  }),
  videoModel({
    ...shared,
    id: 'kling-3.0-start-end',
    name: 'Kling 3.0 first and last frame',
    description:
      'Makes a video that leads from the first given image to the second, silent or with sound: 3 to 15 seconds up to 4k.',
    kind: 'start-end',
    defaultSeconds: 5,
    media: bothFrames,
    bindings: [voicedThirdAtKling, ...fromFramesOnFal, onReplicate, ...thirdOnWavespeed('image-to-video')],
  }),
  ...klingOmniModels,
  videoModel({
    ...turbo,
    id: 'kling-3.0-turbo-t2v',
    name: 'Kling 3.0 Turbo text to video',
    description: 'Makes a video with sound from a text, sooner than Kling 3.0: 3 to 15 seconds at 720p or 1080p.',
    kind: 't2v',
    aspectRatios: ratios,
    bindings: [
      { providerId: 'kling', modelName: 'kling-3.0-turbo' },
      {
        ...standardTurboText,
        price: assumed('this endpoint of fal', 'its image to video', standardTurboText.price),
      },
      turboOnFal('pro', 'text-to-video'),
    ],
  }),
  videoModel({
    ...turbo,
    id: 'kling-3.0-turbo-i2v',
    name: 'Kling 3.0 Turbo image to video',
    description:
      'Makes a video with sound that begins with the given image and keeps its shape, sooner than Kling 3.0: 3 to 15 seconds at 720p or 1080p.',
    kind: 'i2v',
    promptCharacters: 2_500,
    media: firstFrame,
    bindings: [
      { providerId: 'kling', modelName: 'kling-3.0-turbo' },
      turboOnFal('standard', 'image-to-video'),
      turboOnFal('pro', 'image-to-video'),
    ],
  }),
  ...olderKlingModels,
];
