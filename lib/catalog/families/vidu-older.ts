import type { Model } from '../../domain/model';
import { wholeSeconds } from '../../domain/video-tiers';
import { fifthEdition, firstEdition, fourthEdition, thirdEdition, videoModel } from '../model-entry';
import type { BindingEntry, VideoModelEntry } from '../model-entry';
import { assumed, perClip, perSecond, unverified, unverifiedAt, withVideoInput } from '../price-table';
import { bothFrames, firstFrame, ratios, references, shared } from './vidu-shared';

// Vidu Q2, Q1 and 2.0.

const q2Price = unverified(
  perSecond('UNVERIFIED: no published price was found.', { '540p': '0.03', '720p': '0.05', '1080p': '0.08' }),
);
const q2 = {
  ...shared,
  seconds: wholeSeconds(2, 8),
  audio: 'bgm',
  parameters: ['bgm', 'seed', 'watermark', 'remove_watermark'],
  price: q2Price,
} satisfies Partial<VideoModelEntry>;

/**
 * Videos of Q2 from a text and from one image: the lengths that resellers and ComfyUI make (docs.comfy.org, a copy read
 * 2026-11-28).
 */
const q2Lengths = wholeSeconds(1, 10);

// The price has a fixed part for each clip and a part for each second.
const q2ProPriceOnFal = perClip('fal.ai/models/fal-ai/vidu/q2/image-to-video/pro, a copy read 2026-11-28.', {
  '720p': { 2: '0.2', 3: '0.25', 4: '0.3', 5: '0.35', 6: '0.4', 7: '0.45', 8: '0.5' },
  '1080p': { 2: '0.5', 3: '0.6', 4: '0.7', 5: '0.8', 6: '0.9', 7: '1', 8: '1.1' },
});
const q2RowsOnFal = {
  '720p': '0.3',
  '1080p': { 1: '0.3', 2: '0.4', 3: '0.5', 4: '0.6', 5: '0.7', 6: '0.8', 7: '0.9', 8: '1', 9: '1.1', 10: '1.2' },
};
const q2OnFal = {
  providerId: 'fal',
  promptCharacters: 2_000,
  modelName: 'fal-ai/vidu/q2/text-to-video',
  seconds: wholeSeconds(2, 8),
  resolutions: ['720p', '1080p'],
  parameters: ['bgm', 'seed'],
  price: perClip('fal.ai/models/fal-ai/vidu/q2/text-to-video, a copy read 2026-11-28.', q2RowsOnFal),
} as const satisfies BindingEntry;
// fal's 520p is our 540p.
const q2TextTiers = ['360p', ...shared.resolutions];
const q2TextOnFal = {
  ...q2OnFal,
  resolutions: q2TextTiers,
  price: unverifiedAt(
    ['360p', '540p'],
    "that of fal's extension of such videos, a copy read 2026-11-28.",
    perClip(q2OnFal.price.source, { '360p': '0.15', '540p': '0.22', ...q2RowsOnFal }),
  ),
} as const satisfies BindingEntry;
const q2TurboOnFal = {
  ...q2OnFal,
  modelName: 'fal-ai/vidu/q2/image-to-video/turbo',
  price: assumed('this endpoint of fal', "fal's Q2 Pro", q2ProPriceOnFal),
} as const;

const q2Pro = {
  ...q2,
  created: thirdEdition,
  bindings: [
    { providerId: 'vidu', modelName: 'viduq2-pro' },
    { ...q2OnFal, modelName: 'fal-ai/vidu/q2/image-to-video/pro', price: q2ProPriceOnFal },
  ],
} satisfies Partial<VideoModelEntry>;

/** Cents of a clip of 1 or 2 seconds, and of each further second, as dollars for each length of Q2. */
const rowOfQ2 = (cents: number, each: number) =>
  Object.fromEntries(q2Lengths.map((length) => [length, ((cents + each * Math.max(0, length - 2)) / 100).toFixed(2)]));
const q2OnWavespeed = {
  providerId: 'wavespeed',
  promptCharacters: 2_000,
  modelName: 'vidu/image-to-video-q2-turbo',
  parameters: ['bgm', 'seed'],
  maxSeed: 2_147_483_647,
  price: unverified(
    perClip(
      'UNVERIFIED: wavespeed.ai/docs/docs-api/vidu/vidu-image-to-video-q2-turbo, its price from one image for 2 to 8 seconds, a copy read 2026-11-28; 1 second is assumed to cost as much as 2, the ninth and tenth as much as those before, and 1080p twice as much as 720p.',
      { '540p': rowOfQ2(4, 1), '720p': rowOfQ2(5, 5), '1080p': rowOfQ2(10, 10) },
    ),
  ),
} as const satisfies BindingEntry;

const q2ProReferenceRows = { '540p': '0.1', '720p': '0.1', '1080p': '0.2' };
// Of two reference videos each may have five seconds; a single one may have eight.
const q2ProReferencePrice = withVideoInput(
  unverified(
    perSecond(
      'UNVERIFIED: a reseller quotes it for Q2 Pro with two frames (doc-en.302.ai, a copy read 2026-11-28), at 540p that of 720p; the seconds of reference videos are billed too, which is not known.',
      q2ProReferenceRows,
    ),
  ),
  { per: 'input_plus_output_second', secondsIfUnstated: 10, rows: q2ProReferenceRows },
);

// Vidu added the other ratios with Q2.
const threeRatios = ['16:9', '9:16', '1:1'];
const RESOLD_CREDITS = "UNVERIFIED: Vidu's credits as a reseller quotes them (302.ai, a copy read 2026-11-28).";
const q1 = {
  ...q2,
  created: fourthEdition,
  seconds: [5],
  resolutions: ['1080p'],
  defaultResolution: '1080p',
  price: unverified(perClip(RESOLD_CREDITS, { '1080p': '0.4' })),
  bindings: [{ providerId: 'vidu', modelName: 'viduq1' }],
} satisfies Partial<VideoModelEntry>;
const vidu2 = {
  ...q2,
  created: fourthEdition,
  seconds: [4, 8],
  defaultSeconds: 4,
  resolutions: ['360p', '720p', '1080p'],
  rules: [{ resolutions: ['360p', '1080p'], seconds: [4] }],
  price: unverified(perClip(RESOLD_CREDITS, { '360p': '0.1', '720p': { 4: '0.2', 8: '0.5' }, '1080p': '0.5' })),
  bindings: [{ providerId: 'vidu', modelName: 'vidu2.0' }],
} satisfies Partial<VideoModelEntry>;

// Q2 Pro Fast makes neither 540p nor, with two frames, more than eight seconds. Q1 Classic makes what Q1 makes of frames.
const q2ProFast = {
  ...q2,
  created: fifthEdition,
  resolutions: ['720p', '1080p'],
  price: assumed('Vidu Q2 Pro Fast', 'Vidu Q2', perSecond('', { '720p': '0.05', '1080p': '0.08' })),
  bindings: [{ providerId: 'vidu', modelName: 'viduq2-pro-fast' }],
} satisfies Partial<VideoModelEntry>;
const q1Classic = {
  ...q1,
  created: fifthEdition,
  price: assumed('Vidu Q1 Classic', 'Vidu Q1', q1.price),
  bindings: [{ providerId: 'vidu', modelName: 'viduq1-classic' }],
} satisfies Partial<VideoModelEntry>;

export const olderViduModels: readonly Model[] = [
  videoModel({
    ...q2,
    id: 'vidu-q2-t2v',
    name: 'Vidu Q2 text to video',
    description: 'Makes a video from a text, with background music if wanted: 1 to 10 seconds up to 1080p.',
    kind: 't2v',
    seconds: q2Lengths,
    resolutions: q2TextTiers,
    rules: [{ resolutions: ['360p'], seconds: q2OnFal.seconds }],
    aspectRatios: ratios,
    bindings: [
      { providerId: 'vidu', modelName: 'viduq2', resolutions: shared.resolutions },
      { ...q2TextOnFal, aspectRatios: ['16:9', '9:16', '1:1'] },
    ],
  }),
  videoModel({
    ...q2,
    id: 'vidu-q2-i2v',
    name: 'Vidu Q2 image to video',
    description:
      'Makes a video that begins with the given image, with background music if wanted: 1 to 10 seconds up to 1080p.',
    kind: 'i2v',
    seconds: q2Lengths,
    media: firstFrame,
    bindings: [{ providerId: 'vidu', modelName: 'viduq2-turbo' }, q2TurboOnFal, q2OnWavespeed],
  }),
  videoModel({
    ...q2,
    id: 'vidu-q2-start-end',
    name: 'Vidu Q2 first and last frame',
    description:
      'Makes a video that leads from the first given image to the second, with background music if wanted: 2 to 8 seconds up to 1080p.',
    created: firstEdition,
    kind: 'start-end',
    media: bothFrames,
    bindings: [
      { providerId: 'vidu', modelName: 'viduq2-turbo' },
      q2TurboOnFal,
      { ...q2OnWavespeed, modelName: 'vidu/start-end-to-video-q2-turbo' },
    ],
  }),
  videoModel({
    ...q2Pro,
    id: 'vidu-q2-pro-i2v',
    name: 'Vidu Q2 Pro image to video',
    description:
      'Makes a video that begins with the given image, with more detail than Q2 and background music if wanted: 1 to 10 seconds up to 1080p.',
    kind: 'i2v',
    seconds: q2Lengths,
    media: firstFrame,
  }),
  videoModel({
    ...q2Pro,
    id: 'vidu-q2-pro-start-end',
    name: 'Vidu Q2 Pro first and last frame',
    description:
      'Makes a video that leads from the first given image to the second, with more detail than Q2 and background music if wanted: 2 to 8 seconds up to 1080p.',
    kind: 'start-end',
    media: bothFrames,
  }),
  videoModel({
    ...q2ProFast,
    id: 'vidu-q2-pro-fast-i2v',
    name: 'Vidu Q2 Pro Fast image to video',
    description:
      'Makes a video that begins with the given image, sooner than Q2 Pro, with background music if wanted: 1 to 10 seconds at 720p or 1080p.',
    kind: 'i2v',
    seconds: q2Lengths,
    media: firstFrame,
  }),
  videoModel({
    ...q2ProFast,
    id: 'vidu-q2-pro-fast-start-end',
    name: 'Vidu Q2 Pro Fast first and last frame',
    description:
      'Makes a video that leads from the first given image to the second, sooner than Q2 Pro, with background music if wanted: 2 to 8 seconds at 720p or 1080p.',
    kind: 'start-end',
    media: bothFrames,
  }),
  videoModel({
    ...q2,
    id: 'vidu-q2-r2v',
    name: 'Vidu Q2 reference to video',
    description:
      'Makes a video from a text and up to seven reference images, with background music if wanted: 1 to 10 seconds up to 1080p.',
    kind: 'r2v',
    seconds: wholeSeconds(1, 10),
    aspectRatios: ratios,
    media: references,
    bindings: [{ providerId: 'vidu', modelName: 'viduq2' }],
  }),
  videoModel({
    ...q2,
    id: 'vidu-q2-pro-r2v',
    name: 'Vidu Q2 Pro reference to video',
    description:
      'Makes a video from a text, up to seven reference images and up to two reference videos of ten seconds together, with background music if wanted: 1 to 10 seconds up to 1080p.',
    created: fourthEdition,
    kind: 'r2v',
    seconds: wholeSeconds(1, 10),
    aspectRatios: ratios,
    media: { images: { min: 1, max: 7 }, videos: { min: 0, max: 2 } },
    references: { imagesBesideVideo: 4 },
    price: q2ProReferencePrice,
    bindings: [
      { providerId: 'vidu', modelName: 'viduq2-pro' },
      {
        providerId: 'fal',
        promptCharacters: 2_000,
        modelName: 'fal-ai/vidu/q2/reference-to-video/pro',
        parameters: ['bgm', 'seed'],
        price: withVideoInput(
          unverified(
            perClip(
              'UNVERIFIED: fal.ai/models/fal-ai/vidu/q2/reference-to-video/pro, a copy read 2026-11-28, which names 520p in place of 540p and no price of reference videos; that is the one at Vidu.',
              { '540p': '0.2', ...q2RowsOnFal },
            ),
          ),
          { per: 'input_plus_output_second', secondsIfUnstated: 10, rows: q2ProReferenceRows },
        ),
      },
    ],
  }),
  videoModel({
    ...q1,
    id: 'vidu-q1-t2v',
    name: 'Vidu Q1 text to video',
    description: 'Makes a video of 5 seconds at 1080p from a text, with background music if wanted.',
    kind: 't2v',
    aspectRatios: threeRatios,
  }),
  videoModel({
    ...q1,
    id: 'vidu-q1-i2v',
    name: 'Vidu Q1 image to video',
    description:
      'Makes a video of 5 seconds at 1080p that begins with the given image, with background music if wanted.',
    kind: 'i2v',
    media: firstFrame,
  }),
  videoModel({
    ...q1,
    id: 'vidu-q1-start-end',
    name: 'Vidu Q1 first and last frame',
    description:
      'Makes a video of 5 seconds at 1080p that leads from the first given image to the second, with background music if wanted.',
    kind: 'start-end',
    media: bothFrames,
  }),
  videoModel({
    ...q1,
    id: 'vidu-q1-r2v',
    name: 'Vidu Q1 reference to video',
    description:
      'Makes a video of 5 seconds at 1080p from a text and up to seven reference images, with background music if wanted.',
    kind: 'r2v',
    aspectRatios: threeRatios,
    media: references,
    // fal serves references only: its videos from a text or from frames have no music, so they are not the same.
    bindings: [
      ...q1.bindings,
      {
        providerId: 'fal',
        modelName: 'fal-ai/vidu/q1/reference-to-video',
        parameters: ['bgm', 'seed'],
        promptCharacters: 1_500,
        price: perClip('fal.ai/models/fal-ai/vidu/q1/reference-to-video, a copy read 2026-11-28.', { '1080p': '0.4' }),
      },
    ],
  }),
  videoModel({
    ...q1Classic,
    id: 'vidu-q1-classic-i2v',
    name: 'Vidu Q1 Classic image to video',
    description:
      'An older Q1: a video of 5 seconds at 1080p that begins with the given image, with background music if wanted.',
    kind: 'i2v',
    media: firstFrame,
  }),
  videoModel({
    ...q1Classic,
    id: 'vidu-q1-classic-start-end',
    name: 'Vidu Q1 Classic first and last frame',
    description:
      'An older Q1: a video of 5 seconds at 1080p that leads from the first given image to the second, with background music if wanted.',
    kind: 'start-end',
    media: bothFrames,
  }),
  videoModel({
    ...vidu2,
    id: 'vidu-2.0-i2v',
    name: 'Vidu 2.0 image to video',
    description:
      'Makes a video that begins with the given image, with background music if wanted: 4 seconds up to 1080p, or 8 at 720p.',
    kind: 'i2v',
    media: firstFrame,
  }),
  videoModel({
    ...vidu2,
    id: 'vidu-2.0-start-end',
    name: 'Vidu 2.0 first and last frame',
    description:
      'Makes a video that leads from the first given image to the second, with background music if wanted: 4 seconds up to 1080p, or 8 at 720p.',
    kind: 'start-end',
    media: bothFrames,
  }),
  videoModel({
    ...vidu2,
    id: 'vidu-2.0-r2v',
    name: 'Vidu 2.0 reference to video',
    description:
      'Makes a video of 4 seconds up to 720p from a text and up to seven reference images, with background music if wanted.',
    kind: 'r2v',
    seconds: [4],
    resolutions: ['360p', '720p'],
    rules: [],
    aspectRatios: threeRatios,
    media: references,
    price: unverified(
      perClip(
        'UNVERIFIED: no published price was found; this is twice that of a video from one image, as it was with Vidu 1.5.',
        { '360p': '0.2', '720p': '0.4' },
      ),
    ),
  }),
];
