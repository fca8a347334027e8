import type { Model } from '../../domain/model';
import { wholeSeconds } from '../../domain/video-tiers';
import { fourthEdition, videoModel } from '../model-entry';
import type { BindingEntry, VideoModelEntry } from '../model-entry';
import { bothFrames, firstFrame, onWavespeed, pricesOf30AtReplicate, ratios, shared, TARIFF } from './kling-shared';
import { assumed, perInputAndOutputSecond, perSecond, unverified, withVideoInput } from '../price-table';

// Kling 3.0 Omni and Kling O1: models that take references and source videos too. The other versions are in `kling.ts`.

// fal has an endpoint for each tier of Kling 3.0 Omni. Of its prices, those of a first frame at 720p, of an edit at
// 1080p, and all of 4k were found.
const omniTiers = ['standard', 'pro', '4k'] as const;
const omniRows = {
  standard: { '720p': { silent: '0.084', audio: '0.112' } },
  pro: { '1080p': { silent: '0.112', audio: '0.14' } },
  '4k': { '4k': '0.42' },
};
const OMNI_4K = 'fal.ai/models/fal-ai/kling-video/o3/4k, copies of its pages read 2026-11-27.';
const omniOnFal = (endpoint: string) =>
  omniTiers.map((tier) => {
    const modelName = `fal-ai/kling-video/o3/${tier}/${endpoint}`;
    const isFound = tier === '4k' || (tier === 'standard' && endpoint === 'image-to-video');
    const price = perSecond(
      tier === '4k' ? OMNI_4K : `fal.ai/models/${modelName}, a copy read 2026-11-27.`,
      omniRows[tier],
    );
    const whose = tier === 'standard' ? "fal's image to video of the tier" : "Kling's own of the tier";
    return {
      providerId: 'fal',
      modelName,
      resolutions: Object.keys(omniRows[tier]),
      parameters: ['sound'],
      price: isFound ? price : assumed(modelName, whose, price),
    };
  });
/** Kling's rates with a reference video or a source video. */
const omniRowsWithVideo: Readonly<Record<string, string>> = { '720p': '0.126', '1080p': '0.168', '4k': '0.42' };
const rowsAt = (rows: Readonly<Record<string, string>>, resolutions: readonly string[]) =>
  Object.fromEntries(resolutions.map((resolution) => [resolution, rows[resolution] ?? '']));

// The page states $0.336 for a second of the output at 1080p and $0.42 at 4k. The output is as long as the source.
const omniEditsOnFal = (
  [
    { tier: 'standard', rows: rowsAt(omniRowsWithVideo, ['720p']), seconds: 10 },
    { tier: 'pro', rows: rowsAt(omniRowsWithVideo, ['1080p']), seconds: 10 },
    { tier: '4k', rows: { '4k': '0.21' }, seconds: 15 },
  ] as const
).map(({ tier, rows, seconds }): BindingEntry => {
  const modelName = `fal-ai/kling-video/o3/${tier}/video-to-video/edit`;
  const price = perInputAndOutputSecond(`fal.ai/models/${modelName}, a copy read 2026-11-27.`, rows);
  return {
    providerId: 'fal',
    modelName,
    resolutions: Object.keys(rows),
    parameters: ['keep_original_sound'],
    sourceSeconds: { min: 3, max: seconds },
    outputFollowsSource: true,
    price: tier === 'standard' ? assumed('this endpoint of fal', 'Kling', price) : price,
  };
});

/** Replicate's price was not found. */
const omniOnReplicate = {
  providerId: 'replicate',
  modelName: 'kwaivgi/kling-v3-omni-video',
  parameters: ['sound'],
  promptCharacters: 2_500,
  price: assumed(
    'Replicate',
    'its Kling 3.0, and in 4k of fal',
    perSecond('', { ...pricesOf30AtReplicate, '4k': '0.42' }),
  ),
} as const satisfies BindingEntry;
/** Assumed to be those of a video with sound. */
const omniRowsWithVideoOnReplicate = {
  '720p': pricesOf30AtReplicate['720p'].audio,
  '1080p': pricesOf30AtReplicate['1080p'].audio,
  '4k': '0.42',
};

/** WaveSpeed has a model for each tier. */
const omniOnWavespeed = (endpoint: string) =>
  (
    [
      ['std', omniRows.standard],
      ['pro', omniRows.pro],
      ['4k', omniRows['4k']],
    ] as const
  ).map(([tier, rows]) => ({
    ...onWavespeed(`kling-video-o3-${tier}/${endpoint}`, assumed('WaveSpeed', 'fal', perSecond('', rows))),
    parameters: ['sound'],
  }));

const omniTariff = perSecond(TARIFF, { ...omniRows.standard, ...omniRows.pro, ...omniRows['4k'] });
const omniAtKling = { providerId: 'kling', modelName: 'kling-3.0-omni' };
const omniFrames = {
  created: fourthEdition,
  defaultSeconds: 5,
  price: unverified(omniTariff),
} satisfies Partial<VideoModelEntry>;

const O1_TARIFF = 'UNVERIFIED: the units of Kling O1 at $0.14 each, as resellers of its API copy them, 2026-11-27.';
// Kling O1 makes no sound. From a text it makes two lengths only, and at Kling also from a first frame alone.
const o1 = {
  ...shared,
  created: fourthEdition,
  seconds: wholeSeconds(3, 10),
  resolutions: ['720p', '1080p'],
  audio: 'none',
  parameters: ['watermark', 'remove_watermark'],
  promptCharacters: 2_500,
  price: unverified(perSecond(O1_TARIFF, { '720p': '0.084', '1080p': '0.112' })),
} satisfies Partial<VideoModelEntry>;
const o1AtKling = { providerId: 'kling', modelName: 'kling-video-o1' };

// A path without a tier is the tier "pro". There is no endpoint for text to video.
const o1OnFal = (endpoint: string) =>
  [
    { path: 'fal-ai/kling-video/o1/standard', resolution: '720p', usd: '0.084' },
    { path: 'fal-ai/kling-video/o1', resolution: '1080p', usd: '0.112' },
  ].map(({ path, resolution, usd }) => ({
    providerId: 'fal',
    modelName: `${path}/${endpoint}`,
    resolutions: [resolution],
    parameters: [],
    price: perSecond(`fal.ai/models/${path}/${endpoint}, a copy read 2026-11-27.`, { [resolution]: usd }),
  }));
const o1FramesOnFal = o1OnFal('image-to-video');
/** Replicate, whose prices of O1 were not found. */
const o1OnReplicate = {
  providerId: 'replicate',
  modelName: 'kwaivgi/kling-o1',
  parameters: [],
  price: assumed('Replicate', 'fal', perSecond('', { '720p': '0.084', '1080p': '0.112' })),
} as const satisfies BindingEntry;
/** WaveSpeed, of whose models for O1 the cheaper tier from frames is served. */
const o1FramesOnWavespeed = {
  ...onWavespeed('kling-video-o1-std/image-to-video', assumed('WaveSpeed', 'fal', perSecond('', { '720p': '0.084' }))),
  parameters: [],
};
// The price of the larger tier was read. Prices with a reference video, which needs another endpoint, were not found.
const o1ReferencesOnFal = o1OnFal('reference-to-video').map(({ price, ...binding }) => ({
  ...binding,
  price: withVideoInput(
    binding.resolutions.includes('1080p')
      ? unverified({
          ...price,
          source: `UNVERIFIED: fal.ai/models/${binding.modelName}, read 2026-11-28, and with a reference video the numbers of Kling.`,
        })
      : assumed('this endpoint of fal', "its frames, and with a reference video Kling's", price),
    { per: 'output_second', rows: rowsAt(omniRowsWithVideo, binding.resolutions) },
  ),
}));
// Half of $0.126 and $0.168 for a second of the output: the source is as long, and its seconds are billed too.
const o1EditRows: Readonly<Record<string, string>> = { '720p': '0.063', '1080p': '0.084' };
const o1EditPrice = unverified(perInputAndOutputSecond(O1_TARIFF, o1EditRows));
const o1EditsOnFal = o1OnFal('video-to-video/edit').map((binding) => ({
  ...binding,
  parameters: ['keep_original_sound'],
  price: assumed(
    'this endpoint of fal',
    'Kling',
    perInputAndOutputSecond(O1_TARIFF, rowsAt(o1EditRows, binding.resolutions)),
  ),
}));

export const klingOmniModels: readonly Model[] = [
  videoModel({
    ...shared,
    id: 'kling-3.0-omni-r2v',
    name: 'Kling 3.0 Omni reference to video',
    description:
      'Makes a video from a text and up to seven reference images or one reference video. With a reference video it is silent.',
    kind: 'r2v',
    defaultSeconds: 5,
    aspectRatios: ratios,
    media: { images: { min: 0, max: 7 }, videos: { min: 0, max: 1 }, eitherRequired: true },
    references: { imagesBesideVideo: 4 },
    silentWithVideo: true,
    // Videos with a reference video have their own price.
    price: unverified(withVideoInput(omniTariff, { per: 'output_second', rows: omniRowsWithVideo })),
    bindings: [
      omniAtKling,
      ...omniOnFal('reference-to-video').map(({ price, ...binding }) => ({
        ...binding,
        price: withVideoInput(price, { per: 'output_second', rows: rowsAt(omniRowsWithVideo, binding.resolutions) }),
      })),
      {
        ...omniOnReplicate,
        price: withVideoInput(omniOnReplicate.price, { per: 'output_second', rows: omniRowsWithVideoOnReplicate }),
      },
      // A reference video takes another of its models.
      ...omniOnWavespeed('reference-to-video').map((binding) => ({
        ...binding,
        media: { images: { min: 1, max: 7 } },
      })),
    ],
  }),
  videoModel({
    ...shared,
    ...omniFrames,
    id: 'kling-3.0-omni-t2v',
    name: 'Kling 3.0 Omni text to video',
    description: 'Makes a video from a text, silent or with sound: 3 to 15 seconds at 720p, 1080p or 4k.',
    kind: 't2v',
    aspectRatios: ratios,
    bindings: [omniAtKling, ...omniOnFal('text-to-video'), omniOnReplicate, ...omniOnWavespeed('text-to-video')],
  }),
  videoModel({
    ...shared,
    ...omniFrames,
    id: 'kling-3.0-omni-i2v',
    name: 'Kling 3.0 Omni image to video',
    description:
      'Makes a video that begins with the given image and keeps its shape, silent or with sound: 3 to 15 seconds up to 4k.',
    kind: 'i2v',
    media: firstFrame,
    bindings: [omniAtKling, ...omniOnFal('image-to-video'), omniOnReplicate, ...omniOnWavespeed('image-to-video')],
  }),
  videoModel({
    ...shared,
    ...omniFrames,
    id: 'kling-3.0-omni-start-end',
    name: 'Kling 3.0 Omni first and last frame',
    description:
      'Makes a video that leads from the first given image to the second, silent or with sound: 3 to 15 seconds up to 4k.',
    kind: 'start-end',
    media: bothFrames,
    bindings: [omniAtKling, ...omniOnFal('image-to-video'), omniOnReplicate, ...omniOnWavespeed('image-to-video')],
  }),
  videoModel({
    ...shared,
    id: 'kling-3.0-omni-video-edit',
    name: 'Kling 3.0 Omni video edit',
    description:
      'Changes a given video by a text and up to four reference images; its sound can be kept. The output is as long as the source; both are billed.',
    kind: 'video-edit',
    audio: 'source',
    sourceSeconds: { min: 3, max: 15.5 },
    media: { sourceVideo: true, images: { min: 0, max: 4 } },
    parameters: ['keep_original_sound', 'watermark', 'remove_watermark'],
    price: unverified(
      perInputAndOutputSecond(
        `${TARIFF} Whether the seconds of the source are billed too is not known; they are.`,
        omniRowsWithVideo,
      ),
    ),
    bindings: [
      { ...omniAtKling, outputFollowsSource: true },
      ...omniEditsOnFal,
      {
        ...omniOnReplicate,
        parameters: ['keep_original_sound'],
        sourceSeconds: { min: 3, max: 10 },
        outputFollowsSource: true,
        price: assumed(
          'Replicate',
          'its Kling 3.0 with sound',
          perInputAndOutputSecond('', omniRowsWithVideoOnReplicate),
        ),
      },
      // The source alone: whether it takes images too is not known.
      ...omniOnWavespeed('video-edit').map((binding) => ({
        ...binding,
        parameters: ['keep_original_sound'],
        media: {},
        sourceSeconds: { min: 3, max: 10 },
        outputFollowsSource: true as const,
        price: assumed(
          'WaveSpeed',
          "Kling's",
          perInputAndOutputSecond('', rowsAt(omniRowsWithVideo, binding.resolutions)),
        ),
      })),
    ],
  }),
  videoModel({
    ...o1,
    id: 'kling-o1-t2v',
    name: 'Kling O1 text to video',
    description: 'Makes a silent video from a text: 5 or 10 seconds at 720p or 1080p.',
    kind: 't2v',
    defaultSeconds: 5,
    seconds: [5, 10],
    aspectRatios: ratios,
    bindings: [o1AtKling, o1OnReplicate],
  }),
  videoModel({
    ...o1,
    id: 'kling-o1-i2v',
    name: 'Kling O1 image to video',
    description:
      'Makes a silent video that begins with the given image and keeps its shape: 3 to 10 seconds at 720p or 1080p.',
    kind: 'i2v',
    defaultSeconds: 5,
    media: firstFrame,
    bindings: [
      { ...o1AtKling, seconds: [5, 10] },
      ...o1FramesOnFal,
      { ...o1OnReplicate, seconds: [5, 10] },
      { ...o1FramesOnWavespeed, seconds: [5, 10] },
    ],
  }),
  videoModel({
    ...o1,
    id: 'kling-o1-start-end',
    name: 'Kling O1 first and last frame',
    description:
      'Makes a silent video that leads from the first given image to the second: 3 to 10 seconds at 720p or 1080p.',
    kind: 'start-end',
    defaultSeconds: 5,
    media: bothFrames,
    bindings: [o1AtKling, ...o1FramesOnFal, o1OnReplicate, o1FramesOnWavespeed],
  }),
  videoModel({
    ...o1,
    id: 'kling-o1-r2v',
    name: 'Kling O1 reference to video',
    description:
      'Makes a silent video from a text and up to seven reference images or one reference video: 3 to 10 seconds.',
    kind: 'r2v',
    defaultSeconds: 5,
    aspectRatios: ratios,
    media: { images: { min: 0, max: 7 }, videos: { min: 0, max: 1 }, eitherRequired: true },
    references: { imagesBesideVideo: 4 },
    price: withVideoInput(o1.price, { per: 'output_second', rows: rowsAt(omniRowsWithVideo, o1.resolutions) }),
    bindings: [
      o1AtKling,
      ...o1ReferencesOnFal,
      {
        ...o1OnReplicate,
        price: withVideoInput(o1OnReplicate.price, {
          per: 'output_second',
          rows: rowsAt(omniRowsWithVideo, o1.resolutions),
        }),
      },
    ],
  }),
  videoModel({
    ...o1,
    id: 'kling-o1-video-edit',
    name: 'Kling O1 video edit',
    description:
      'Changes a given video of 3 to 10 seconds by a text and up to four reference images; its sound can be kept. The output is as long as the source.',
    kind: 'video-edit',
    audio: 'source',
    sourceSeconds: { min: 3, max: 10 },
    media: { sourceVideo: true, images: { min: 0, max: 4 } },
    parameters: ['keep_original_sound', ...o1.parameters],
    price: o1EditPrice,
    bindings: [
      o1AtKling,
      ...o1EditsOnFal,
      {
        ...o1OnReplicate,
        parameters: ['keep_original_sound'],
        price: assumed('Replicate', 'Kling', perInputAndOutputSecond(O1_TARIFF, o1EditRows)),
      },
    ].map((binding) => ({ ...binding, outputFollowsSource: true as const })),
  }),
];
