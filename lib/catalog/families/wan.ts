import type { Model } from '../../domain/model';
import { wholeSeconds } from '../../domain/video-tiers';
import { fourthEdition, secondEdition, thirdEdition, videoModel } from '../model-entry';
import type { VideoModelEntry } from '../model-entry';
import { assumed, perClip, perInputAndOutputSecond, perSecond, unverified, withVideoInput } from '../price-table';
import { price, ratios, rows, shared, TARIFF } from './wan-shared';
import { thirdWanModels } from './wan-3';

const replicatePrice = perSecond('replicate.com/wan-video/wan-2.7-i2v, 2026.', rows);
/** Also bills the seconds of reference videos, each of which has at most 30. */
const withVideos = (ofOutput: VideoModelEntry['price'], withVideo: Readonly<Record<string, string>>) =>
  withVideoInput(ofOutput, { per: 'input_plus_output_second', secondsOfEachIfUnstated: 30, rows: withVideo });
const referencePrice = withVideos(
  unverified(perSecond(`${TARIFF} The seconds of reference videos are billed as fal says that it bills them.`, rows)),
  rows,
);
const falPrice = perSecond('fal.ai/models/fal-ai/wan/v2.7/image-to-video, read 2026-11-28.', rows);
const falReferenceRows = { '720p': '0.1', '1080p': '0.1' };
// The page has one price for both tiers, and the larger tier is the default.
const falReferencePrice = withVideos(
  perSecond('fal.ai/models/fal-ai/wan/v2.7/reference-to-video, read 2026-11-28.', falReferenceRows),
  falReferenceRows,
);
// The limit that fal's documentation states.
const onFal = { providerId: 'fal', promptCharacters: 5_000 } as const;
// Resellers offer no watermark parameter for these models.
const resold = ['seed', 'prompt_extend', 'negative_prompt'];

/** WaveSpeed, which says neither how long a prompt may be nor what most of its videos cost. */
const onWavespeed = (endpoint: string, ofEndpoint: VideoModelEntry['price'], whose = 'fal') => ({
  providerId: 'wavespeed',
  modelName: `alibaba/${endpoint}`,
  audio: 'always' as const,
  parameters: resold,
  price: assumed('WaveSpeed', whose, ofEndpoint),
});

const shared26 = {
  ...shared,
  created: secondEdition,
  audio: 'toggle',
  parameters: [...shared.parameters, 'audio', 'multi_clip'],
  promptCharacters: 1_500,
} satisfies Partial<VideoModelEntry>;

/** Alibaba bills at most five seconds for all reference videos of Wan 2.6 together. */
const withVideosOf26 = (price: VideoModelEntry['price'], withVideo: Parameters<typeof perSecond>[1]) =>
  withVideoInput(
    { ...price, source: `${price.source} The seconds of reference videos are billed as another reseller says.` },
    { per: 'input_plus_output_second', secondsAtMost: 5, rows: withVideo },
  );

const flashRows = {
  '720p': { silent: '0.025', audio: '0.05' },
  '1080p': { silent: '0.0375', audio: '0.075' },
};
const flash26 = {
  ...shared26,
  created: thirdEdition,
  defaultSeconds: 5,
  price: unverified(perSecond('UNVERIFIED: the list price as a reseller quotes it, 2026-11.', flashRows)),
} satisfies Partial<VideoModelEntry>;

// It always makes sound.
const on26 = (endpoint: string, ofEndpoint = assumed('this endpoint of fal', 'Alibaba', price)) => ({
  providerId: 'fal',
  modelName: `wan/v2.6/${endpoint}`,
  seconds: [5, 10, 15],
  audio: 'always' as const,
  parameters: [...resold, 'multi_clip'],
  // As the types of its client say of all but references to Flash.
  promptCharacters: 800,
  price: ofEndpoint,
});

/** Replicate, whose prices of this version were not found. From a text it makes two shapes too. */
const on26AtReplicate = (kind: 't2v' | 'i2v') => ({
  providerId: 'replicate',
  modelName: `wan-video/wan-2.6-${kind}`,
  seconds: [5, 10, 15],
  ...(kind === 't2v' && { aspectRatios: ['16:9', '9:16'] }),
  audio: 'always' as const,
  parameters: [...resold, 'multi_clip'],
  price: assumed('Replicate', 'Alibaba', price),
});

/** From a text it makes two shapes. */
const on26AtWavespeed = (endpoint: 'text-to-video' | 'image-to-video') => ({
  ...onWavespeed(`wan-2.6/${endpoint}`, price, 'Alibaba'),
  seconds: [5, 10, 15],
  ...(endpoint === 'text-to-video' && { aspectRatios: ['16:9', '9:16'] }),
  parameters: [...resold, 'multi_clip'],
});

const rowsOf25 = { '480p': '0.05', ...rows };
/** It always makes sound. */
const on25 = (endpoint: string, resolutions: readonly (keyof typeof rowsOf25)[]) => {
  const modelName = `fal-ai/wan-25-preview/${endpoint}`;
  return {
    providerId: 'fal',
    modelName,
    audio: 'always' as const,
    parameters: resold,
    price: perSecond(
      `fal.ai/models/${modelName}, a copy read 2026-11-28.`,
      Object.fromEntries(resolutions.map((tier) => [tier, rowsOf25[tier]])),
    ),
  };
};
const on25AtReplicate = (kind: 't2v' | 'i2v') => ({
  providerId: 'replicate',
  modelName: `wan-video/wan-2.5-${kind}`,
  audio: 'always' as const,
  parameters: resold,
  price: assumed('Replicate', 'fal', perSecond('', rowsOf25)),
});
const fromFrameOn25 = on25('image-to-video', ['480p', '720p', '1080p']);

const fastPrice = unverified(
  perClip("The provider's model page, 2026, for 720p; 480p is UNVERIFIED.", { '480p': '0.05', '720p': '0.11' }),
);
const sharedFast = {
  ...shared,
  seconds: [5],
  defaultSeconds: 5,
  resolutions: ['480p', '720p'],
  // The provider accepts 81 to 121 frames, so five seconds leave 16 to 24 frames per second.
  fps: { default: 16, min: 16, max: 24 },
  audio: 'none',
  parameters: ['go_fast', 'seed', 'fps'],
  price: fastPrice,
} satisfies Partial<VideoModelEntry>;

/** Alibaba's limit on images and videos together. */
const fiveTogether = { together: 5 };

export const wanModels: readonly Model[] = [
  ...thirdWanModels,
  videoModel({
    ...shared,
    id: 'wan-2.7-t2v',
    name: 'Wan 2.7 text to video',
    aliases: ['wan-t2v'],
    description:
      'Makes a video with sound from a text: 2 to 15 seconds at 720p or 1080p. The prompt can be extended by the provider.',
    kind: 't2v',
    defaultSeconds: 5,
    aspectRatios: ratios,
    bindings: [
      { providerId: 'alibaba', modelName: 'wan2.7-t2v' },
      {
        ...onFal,
        modelName: 'fal-ai/wan/v2.7/text-to-video',
        price: assumed('this endpoint of fal', 'its image to video', falPrice),
        parameters: resold,
      },
      {
        providerId: 'replicate',
        modelName: 'wan-video/wan-2.7-t2v',
        price: assumed('this model of Replicate', 'its image to video', replicatePrice),
        parameters: resold,
      },
      onWavespeed('wan-2.7/text-to-video', falPrice),
    ],
  }),
  videoModel({
    ...shared,
    id: 'wan-2.7-i2v',
    name: 'Wan 2.7 image to video',
    description:
      'Makes a video with sound that begins with the given image and keeps its shape: 2 to 15 seconds at 720p or 1080p.',
    kind: 'i2v',
    defaultSeconds: 5,
    media: { images: { min: 1, max: 1 } },
    bindings: [
      { providerId: 'alibaba', modelName: 'wan2.7-i2v' },
      { providerId: 'replicate', modelName: 'wan-video/wan-2.7-i2v', price: replicatePrice, parameters: resold },
      { ...onFal, modelName: 'fal-ai/wan/v2.7/image-to-video', price: falPrice, parameters: resold },
      onWavespeed('wan-2.7/image-to-video', falPrice),
    ],
  }),
  videoModel({
    ...shared,
    id: 'wan-2.7-r2v',
    name: 'Wan 2.7 reference to video',
    description:
      'Makes a video with sound from a text and reference images or videos, whose seconds are billed too: 2 to 10 seconds. A reference voice can be given.',
    kind: 'r2v',
    seconds: wholeSeconds(2, 10),
    defaultSeconds: 5,
    aspectRatios: ratios,
    media: { images: { min: 0, max: 5 }, videos: { min: 0, max: 3 }, eitherRequired: true },
    parameters: [...shared.parameters, 'reference_voice'],
    price: referencePrice,
    bindings: [
      { providerId: 'alibaba', modelName: 'wan2.7-r2v', references: fiveTogether },
      {
        ...onFal,
        modelName: 'fal-ai/wan/v2.7/reference-to-video',
        parameters: ['seed', 'negative_prompt', 'multi_clip'],
        price: falReferencePrice,
      },
      {
        providerId: 'replicate',
        modelName: 'wan-video/wan-2.7-r2v',
        references: fiveTogether,
        parameters: ['seed', 'negative_prompt', 'multi_clip'],
        price: withVideos(assumed('this model of Replicate', 'its image to video', replicatePrice), rows),
      },
    ],
  }),
  videoModel({
    ...shared,
    id: 'wan-2.7-video-edit',
    name: 'Wan 2.7 video edit',
    description:
      'Changes a given video of 2 to 10 seconds by a text and up to four reference images. Input and output seconds are billed.',
    kind: 'video-edit',
    seconds: wholeSeconds(2, 10),
    aspectRatios: ratios,
    audio: 'source',
    sourceSeconds: { min: 2, max: 10 },
    media: { sourceVideo: true, images: { min: 0, max: 4 } },
    parameters: ['keep_original_sound', ...shared.parameters],
    price: unverified(perInputAndOutputSecond(TARIFF, rows)),
    bindings: [
      { providerId: 'alibaba', modelName: 'wan2.7-videoedit', cutsSource: true },
      {
        ...onFal,
        modelName: 'fal-ai/wan/v2.7/edit-video',
        cutsSource: true,
        media: { images: { min: 0, max: 1 } },
        parameters: ['keep_original_sound', 'seed'],
        price: assumed('fal', 'Alibaba', perInputAndOutputSecond(TARIFF, rows)),
      },
      {
        providerId: 'replicate',
        modelName: 'wan-video/wan-2.7-videoedit',
        cutsSource: true,
        media: { images: { min: 0, max: 1 } },
        parameters: ['keep_original_sound', 'seed'],
        price: assumed('Replicate', 'Alibaba', perInputAndOutputSecond(TARIFF, rows)),
      },
      {
        ...onWavespeed('wan-2.7/video-edit', price),
        aspectRatios: [],
        audio: 'source',
        cutsSource: true,
        media: { images: { min: 0, max: 3 } },
        parameters: ['keep_original_sound', ...resold],
        price: unverified(
          perInputAndOutputSecond(
            'UNVERIFIED: wavespeed.ai/models/alibaba/wan-2.7/video-edit as a note of 2026-09 quotes it, which says that input and output are billed.',
            rows,
          ),
        ),
      },
    ],
  }),
  videoModel({
    ...shared,
    id: 'wan-2.7-start-end',
    name: 'Wan 2.7 first and last frame',
    description:
      'Makes a video with sound that leads from the first given image to the second: 2 to 15 seconds at 720p or 1080p.',
    kind: 'start-end',
    defaultSeconds: 5,
    media: { images: { min: 2, max: 2 } },
    bindings: [
      { ...onFal, modelName: 'fal-ai/wan/v2.7/image-to-video', price: falPrice, parameters: resold },
      { providerId: 'replicate', modelName: 'wan-video/wan-2.7-i2v', price: replicatePrice, parameters: resold },
      // Without a last frame: the documentation has one, but a client of the API says that the model refuses it.
      { providerId: 'alibaba', modelName: 'wan2.7-i2v', stability: 'beta' },
      onWavespeed('wan-2.7/image-to-video', falPrice),
    ],
  }),
  videoModel({
    ...shared26,
    id: 'wan-2.6-t2v',
    name: 'Wan 2.6 text to video',
    description:
      'The predecessor of 2.7: a video from a text, in one shot or several, 2 to 15 seconds at 720p or 1080p.',
    kind: 't2v',
    defaultSeconds: 5,
    aspectRatios: ratios,
    bindings: [
      { providerId: 'alibaba', modelName: 'wan2.6-t2v' },
      on26('text-to-video'),
      on26AtReplicate('t2v'),
      on26AtWavespeed('text-to-video'),
    ],
  }),
  videoModel({
    ...shared26,
    id: 'wan-2.6-i2v',
    name: 'Wan 2.6 image to video',
    description:
      'The predecessor of 2.7: a video that begins with the given image and keeps its shape, in one shot or several, 2 to 15 seconds at 720p or 1080p.',
    kind: 'i2v',
    defaultSeconds: 5,
    media: { images: { min: 1, max: 1 } },
    bindings: [
      { providerId: 'alibaba', modelName: 'wan2.6-i2v' },
      on26('image-to-video'),
      on26AtReplicate('i2v'),
      on26AtWavespeed('image-to-video'),
    ],
  }),
  videoModel({
    ...shared26,
    id: 'wan-2.6-r2v',
    name: 'Wan 2.6 reference to video',
    description:
      'The predecessor of 2.7: a video from a text and up to five reference images and videos, in one shot or several, 2 to 10 seconds.',
    kind: 'r2v',
    seconds: wholeSeconds(2, 10),
    defaultSeconds: 5,
    aspectRatios: ratios,
    media: { images: { min: 0, max: 5 }, videos: { min: 0, max: 3 }, eitherRequired: true },
    price: withVideosOf26(price, rows),
    bindings: [
      // It reads references only by URL.
      {
        providerId: 'alibaba',
        modelName: 'wan2.6-r2v',
        mediaForms: { images: ['https'], videos: ['https'] },
        references: fiveTogether,
      },
      {
        ...on26('reference-to-video', perSecond('fal.ai/models/wan/v2.6/reference-to-video, read 2026-11-28.', rows)),
        seconds: [5, 10],
        media: { videos: { min: 1, max: 3 } },
      },
    ],
  }),
  videoModel({
    ...flash26,
    id: 'wan-2.6-flash-i2v',
    name: 'Wan 2.6 Flash image to video',
    description:
      'The faster Wan 2.6: a video that begins with the given image and keeps its shape, in one shot or several, 2 to 15 seconds at 720p or 1080p.',
    kind: 'i2v',
    media: { images: { min: 1, max: 1 } },
    bindings: [
      { providerId: 'alibaba', modelName: 'wan2.6-i2v-flash' },
      on26('image-to-video/flash', assumed('this endpoint of fal', 'Alibaba', flash26.price)),
    ],
  }),
  videoModel({
    ...flash26,
    id: 'wan-2.6-flash-r2v',
    name: 'Wan 2.6 Flash reference to video',
    description:
      'The faster Wan 2.6: a video from a text and up to five reference images and videos, in one shot or several, 2 to 10 seconds.',
    kind: 'r2v',
    seconds: wholeSeconds(2, 10),
    aspectRatios: ratios,
    media: { images: { min: 0, max: 5 }, videos: { min: 0, max: 3 }, eitherRequired: true },
    price: withVideosOf26(flash26.price, flashRows),
    bindings: [
      // It reads references only by URL.
      {
        providerId: 'alibaba',
        modelName: 'wan2.6-r2v-flash',
        mediaForms: { images: ['https'], videos: ['https'] },
        references: fiveTogether,
      },
      {
        ...on26(
          'reference-to-video/flash',
          perSecond(
            'Computed from fal.ai/models/wan/v2.6/reference-to-video/flash, which has a half and a quarter of the price without "flash", read 2026-11-28.',
            flashRows,
          ),
        ),
        seconds: [5, 10],
        promptCharacters: shared26.promptCharacters,
        references: fiveTogether,
        audio: 'toggle',
        parameters: [...resold, 'audio', 'multi_clip'],
      },
    ],
  }),
  videoModel({
    ...shared26,
    id: 'wan-2.5-t2v',
    name: 'Wan 2.5 text to video',
    description:
      'The predecessor of 2.6, a preview of its vendor: a video from a text, silent or with sound, 5 or 10 seconds at 720p or 1080p, and at 480p in three shapes.',
    created: thirdEdition,
    kind: 't2v',
    seconds: [5, 10],
    defaultSeconds: 5,
    resolutions: ['480p', '720p', '1080p'],
    aspectRatios: ratios,
    parameters: [...shared.parameters, 'audio'],
    price: assumed('Wan 2.5', 'Wan 2.6', price),
    bindings: [
      { providerId: 'alibaba', modelName: 'wan2.5-t2v-preview', resolutions: ['720p', '1080p'] },
      // As fal's page states; the types of fal's client are those of Wan 2.7.
      {
        ...on25('text-to-video', ['480p', '720p', '1080p']),
        aspectRatios: ['16:9', '9:16', '1:1'],
        promptCharacters: 1_500,
      },
      { ...on25AtReplicate('t2v'), aspectRatios: ['16:9', '9:16'] },
      { ...onWavespeed('wan-2.5/text-to-video', fromFrameOn25.price), aspectRatios: ['16:9', '9:16'] },
    ],
  }),
  videoModel({
    ...shared26,
    id: 'wan-2.5-i2v',
    name: 'Wan 2.5 image to video',
    description:
      'The predecessor of 2.6, a preview of its vendor: a video that begins with the given image and keeps its shape, silent or with sound, 5 or 10 seconds at 480p, 720p or 1080p.',
    created: fourthEdition,
    kind: 'i2v',
    seconds: [5, 10],
    defaultSeconds: 5,
    media: { images: { min: 1, max: 1 } },
    parameters: [...shared.parameters, 'audio'],
    resolutions: ['480p', '720p', '1080p'],
    price: assumed('Wan 2.5 at Alibaba', 'fal', fromFrameOn25.price),
    bindings: [
      { providerId: 'alibaba', modelName: 'wan2.5-i2v-preview' },
      { ...fromFrameOn25, promptCharacters: 800 },
      on25AtReplicate('i2v'),
      onWavespeed('wan-2.5/image-to-video', fromFrameOn25.price),
    ],
  }),
  videoModel({
    ...shared,
    id: 'wan-2.2-flash-start-end',
    name: 'Wan 2.2 Flash first and last frame',
    description:
      'Makes a silent video of five seconds that leads from the first given image to the second: 480p, 720p or 1080p.',
    created: fourthEdition,
    kind: 'start-end',
    seconds: [5],
    defaultSeconds: 5,
    resolutions: ['480p', '720p', '1080p'],
    audio: 'none',
    media: { images: { min: 2, max: 2 } },
    promptCharacters: 800,
    price: unverified(
      perSecond(
        'UNVERIFIED: a reseller quotes CNY 0.10, 0.20 and 0.48 for Beijing (docs.crazyrouter.com, a copy read 2026-11-28); these are dollars with a quarter added, because Singapore asks for more.',
        { '480p': '0.018', '720p': '0.036', '1080p': '0.087' },
      ),
    ),
    bindings: [{ providerId: 'alibaba', modelName: 'wan2.2-kf2v-flash' }],
  }),
  videoModel({
    ...sharedFast,
    id: 'wan-2.2-fast-t2v',
    name: 'Wan 2.2 Fast text to video',
    description: 'Makes a silent clip of about five seconds from a text, quickly and for a price per clip.',
    created: secondEdition,
    kind: 't2v',
    aspectRatios: ['16:9', '9:16'],
    parameters: [...sharedFast.parameters, 'prompt_extend', 'negative_prompt'],
    price: assumed('Replicate', 'its image to video', fastPrice),
    bindings: [{ providerId: 'replicate', modelName: 'wan-video/wan-2.2-t2v-fast' }],
  }),
  videoModel({
    ...sharedFast,
    id: 'wan-2.2-fast-i2v',
    name: 'Wan 2.2 Fast image to video',
    description:
      'Makes a silent clip of about five seconds that begins with the given image, quickly and for a price per clip.',
    kind: 'i2v',
    media: { images: { min: 1, max: 1 } },
    bindings: [{ providerId: 'replicate', modelName: 'wan-video/wan-2.2-i2v-fast' }],
  }),
  videoModel({
    ...sharedFast,
    id: 'wan-2.2-fast-start-end',
    name: 'Wan 2.2 Fast first and last frame',
    description:
      'Makes a silent clip of about five seconds that leads from the first given image to the second, quickly and for a price per clip.',
    created: fourthEdition,
    kind: 'start-end',
    media: { images: { min: 2, max: 2 } },
    bindings: [{ providerId: 'replicate', modelName: 'wan-video/wan-2.2-i2v-fast' }],
  }),
];
