import type { Model } from '../../domain/model';
import { firstEdition, fourthEdition, secondEdition, thirdEdition, videoModel } from '../model-entry';
import type { BindingEntry, VideoModelEntry } from '../model-entry';
import { assumed, perSecond, unverified, unverifiedAt, withAssumedPrice } from '../price-table';

// A reseller quotes ai.google.dev/gemini-api/docs/deprecations, which names gemini-omni-1.1-flash in their place. A key
// of the Gemini API that still has access can be used after the operator has confirmed the price.
const TARIFF =
  'UNVERIFIED: ai.google.dev pricing, read 2026-08-13. A reseller reports that Google shut the models down for keys of the Gemini API on 2026-10-22.';
const VERTEX_TARIFF = 'UNVERIFIED: the tariff of Vertex AI as resellers quote it, 2026.';
const RUNWAY_TARIFF = 'Runway credits tariff, 2026-04.';

const price = unverified(perSecond(TARIFF, { '720p': '0.4', '1080p': '0.4', '4k': '0.6' }));
const fastPrice = unverified(perSecond(TARIFF, { '720p': '0.1', '1080p': '0.12', '4k': '0.3' }));
const litePrice = unverified(perSecond(TARIFF, { '720p': '0.05', '1080p': '0.08' }));

const falRows = {
  '720p': { silent: '0.2', audio: '0.4' },
  '1080p': { silent: '0.2', audio: '0.4' },
  '4k': { silent: '0.4', audio: '0.6' },
};
const fastFalRows = {
  '720p': { silent: '0.1', audio: '0.15' },
  '1080p': { silent: '0.1', audio: '0.15' },
  '4k': { silent: '0.3', audio: '0.35' },
};
const liteFalRows = {
  '720p': { silent: '0.03', audio: '0.05' },
  '1080p': { silent: '0.05', audio: '0.08' },
};

const shared = {
  family: 'veo',
  created: firstEdition,
  seconds: [4, 6, 8],
  defaultSeconds: 8,
  resolutions: ['720p', '1080p', '4k'],
  defaultResolution: '720p',
  aspectRatios: ['16:9', '9:16'],
  fps: { default: 24 },
  audio: 'toggle',
  parameters: ['negative_prompt', 'generate_audio', 'seed'],
  rules: [{ resolutions: ['1080p', '4k'], seconds: [8] }],
  price,
} satisfies Partial<VideoModelEntry>;

// The Gemini API has neither parameter of Vertex AI and the resellers: videos always have sound, and no seed.
const onGemini = {
  providerId: 'google-ai-studio',
  modelName: 'veo-3.1-generate-preview',
  audio: 'always',
  parameters: ['negative_prompt'],
} as const satisfies BindingEntry;
const fastOnGemini = { ...onGemini, modelName: 'veo-3.1-fast-generate-preview' } as const;

const onVertex = {
  providerId: 'google-vertex',
  modelName: 'veo-3.1-generate-001',
  // `quality` is that of the compression of the file, and does not change the price.
  parameters: [...shared.parameters, 'quality'],
  price: unverified(
    perSecond(VERTEX_TARIFF, {
      '720p': { silent: '0.2', audio: '0.4' },
      '1080p': { silent: '0.2', audio: '0.4' },
      '4k': { silent: '0.4', audio: '0.6' },
    }),
  ),
} as const satisfies BindingEntry;
const fastOnVertex = {
  ...onVertex,
  modelName: 'veo-3.1-fast-generate-001',
  price: unverified(
    perSecond(VERTEX_TARIFF, {
      '720p': { silent: '0.1', audio: '0.15' },
      '1080p': { silent: '0.1', audio: '0.15' },
      '4k': { silent: '0.3', audio: '0.35' },
    }),
  ),
} as const;

const liteOnVertex = {
  ...onVertex,
  modelName: 'veo-3.1-lite-generate-001',
  price: assumed('Vertex AI', 'fal', perSecond(VERTEX_TARIFF, liteFalRows)),
} as const;

const onRunway = {
  providerId: 'runway',
  modelName: 'veo3.1',
  resolutions: ['720p', '1080p'],
  // Runway and fal make all durations at all resolutions.
  rules: [],
  promptCharacters: 1_000,
  price: perSecond(RUNWAY_TARIFF, {
    '720p': { silent: '0.2', audio: '0.4' },
    '1080p': { silent: '0.2', audio: '0.4' },
  }),
} as const satisfies BindingEntry;
const fastOnRunway = {
  ...onRunway,
  modelName: 'veo3.1_fast',
  price: perSecond(RUNWAY_TARIFF, {
    '720p': { silent: '0.1', audio: '0.15' },
    '1080p': { silent: '0.1', audio: '0.15' },
  }),
} as const;

const onFal = (endpoint: string, rows: typeof falRows | typeof liteFalRows) =>
  ({
    providerId: 'fal',
    modelName: `fal-ai/${endpoint}`,
    resolutions: Object.keys(rows),
    rules: [],
    price: perSecond(`fal.ai/models/fal-ai/${endpoint}, a copy read 2026-11-28.`, rows),
  }) satisfies BindingEntry;
const fastOnFal = (endpoint: string) =>
  withAssumedPrice(
    onFal(endpoint, fastFalRows),
    'this endpoint of fal',
    'fal-ai/veo3.1/fast/first-last-frame-to-video',
  );

const onReplicate = (modelName: string, rows: typeof falRows) =>
  ({
    providerId: 'replicate',
    modelName,
    resolutions: ['720p', '1080p'],
    rules: [],
    price: assumed('Replicate', 'fal', perSecond('', { '720p': rows['720p'], '1080p': rows['1080p'] })),
  }) satisfies BindingEntry;
const newestOnReplicate = onReplicate('google/veo-3.1', falRows);
const fastOnReplicate = onReplicate('google/veo-3.1-fast', fastFalRows);
/** It always makes sound, and takes no negative prompt. */
const liteOnReplicate = {
  providerId: 'replicate',
  modelName: 'google/veo-3.1-lite',
  rules: [],
  audio: 'always',
  parameters: ['seed'],
  price: assumed('Replicate', 'fal', perSecond('', { '720p': '0.05', '1080p': '0.08' })),
} as const satisfies BindingEntry;

/** WaveSpeed does not say that 1080p and 4k are limited; Google, whose model it calls, does. */
const onWavespeed = (endpoint: string, price: VideoModelEntry['price']) =>
  ({
    providerId: 'wavespeed',
    modelName: `google/${endpoint}`,
    maxSeed: 2_147_483_647,
    price,
  }) satisfies BindingEntry;
const newestOnWavespeed = (endpoint: string) =>
  onWavespeed(`veo3.1/${endpoint}`, assumed('WaveSpeed', 'fal', perSecond('', falRows)));
const fastTextPriceOnWavespeed = unverifiedAt(
  ['1080p', '4k'],
  'that of fal; an older page of WaveSpeed has the same price of 1080p with sound.',
  perSecond('wavespeed.ai/docs/docs-api/google/veo3.1-fast/text-to-video, a copy read 2026-11-29.', fastFalRows),
);
const fastImageOnWavespeed = onWavespeed(
  'veo3.1-fast/image-to-video',
  assumed('this model of WaveSpeed', 'its text to video', fastTextPriceOnWavespeed),
);
/** It always makes sound. */
const liteOnWavespeed = (endpoint: string) =>
  ({
    ...onWavespeed(
      `veo3.1-lite/${endpoint}`,
      assumed('WaveSpeed', 'fal', perSecond('', { '720p': '0.05', '1080p': '0.08' })),
    ),
    audio: 'always',
    parameters: ['negative_prompt', 'seed'],
  }) as const satisfies BindingEntry;

const lite = {
  ...shared,
  created: thirdEdition,
  resolutions: ['720p', '1080p'],
  rules: [{ resolutions: ['1080p'], seconds: [8] }],
  price: litePrice,
} satisfies Partial<VideoModelEntry>;
const liteOnGemini = { ...onGemini, modelName: 'veo-3.1-lite-generate-preview' } as const;

export const veoModels: readonly Model[] = [
  videoModel({
    ...shared,
    id: 'veo-3.1-t2v',
    name: 'Veo 3.1 text to video',
    aliases: ['veo-3.1'],
    description: 'Makes a video with sound from a text: 4, 6 or 8 seconds; at Google 1080p and 4k only with 8.',
    kind: 't2v',
    bindings: [
      onGemini,
      onVertex,
      onRunway,
      onFal('veo3.1', falRows),
      newestOnReplicate,
      newestOnWavespeed('text-to-video'),
    ],
  }),
  videoModel({
    ...shared,
    id: 'veo-3.1-i2v',
    name: 'Veo 3.1 image to video',
    description:
      'Makes a video with sound that begins with the given image: 4, 6 or 8 seconds; at Google 1080p and 4k only with 8.',
    kind: 'i2v',
    media: { images: { min: 1, max: 1 } },
    bindings: [
      onGemini,
      onVertex,
      onRunway,
      onFal('veo3.1/image-to-video', falRows),
      newestOnReplicate,
      newestOnWavespeed('image-to-video'),
    ],
  }),
  videoModel({
    ...shared,
    id: 'veo-3.1-start-end',
    name: 'Veo 3.1 first and last frame',
    description:
      'Makes a video with sound that leads from the first given image to the second: 4, 6 or 8 seconds; at Google 1080p and 4k only with 8.',
    created: secondEdition,
    kind: 'start-end',
    media: { images: { min: 2, max: 2 } },
    bindings: [
      onGemini,
      onVertex,
      onRunway,
      withAssumedPrice(onFal('veo3.1/first-last-frame-to-video', falRows), 'this endpoint of fal', 'fal-ai/veo3.1'),
      newestOnReplicate,
      newestOnWavespeed('image-to-video'),
    ],
  }),
  videoModel({
    ...shared,
    id: 'veo-3.1-r2v',
    name: 'Veo 3.1 reference to video',
    description: 'Makes a video of 8 seconds with sound from a text and one to three reference images.',
    created: secondEdition,
    kind: 'r2v',
    seconds: [8],
    rules: [],
    media: { images: { min: 1, max: 3 } },
    bindings: [
      onGemini,
      onVertex,
      { ...onFal('veo3.1/reference-to-video', falRows), parameters: ['generate_audio'] },
      // Replicate takes references only with this ratio.
      { ...newestOnReplicate, aspectRatios: ['16:9'] },
      // WaveSpeed has no field for the ratio beside references.
      { ...newestOnWavespeed('reference-to-video'), aspectRatios: ['16:9'] },
    ],
  }),
  videoModel({
    ...shared,
    id: 'veo-3.1-fast-t2v',
    name: 'Veo 3.1 Fast text to video',
    description:
      'The faster and cheaper Veo 3.1: a video with sound from a text, 4, 6 or 8 seconds; at Google 1080p and 4k only with 8.',
    kind: 't2v',
    price: fastPrice,
    bindings: [
      fastOnGemini,
      fastOnVertex,
      fastOnRunway,
      fastOnFal('veo3.1/fast'),
      fastOnReplicate,
      onWavespeed('veo3.1-fast/text-to-video', fastTextPriceOnWavespeed),
    ],
  }),
  videoModel({
    ...shared,
    id: 'veo-3.1-fast-i2v',
    name: 'Veo 3.1 Fast image to video',
    description:
      'The faster and cheaper Veo 3.1: a video with sound that begins with the given image, 4, 6 or 8 seconds; at Google 1080p and 4k only with 8.',
    created: secondEdition,
    kind: 'i2v',
    media: { images: { min: 1, max: 1 } },
    price: fastPrice,
    bindings: [
      fastOnGemini,
      fastOnVertex,
      fastOnRunway,
      fastOnFal('veo3.1/fast/image-to-video'),
      fastOnReplicate,
      fastImageOnWavespeed,
    ],
  }),
  videoModel({
    ...shared,
    id: 'veo-3.1-fast-start-end',
    name: 'Veo 3.1 Fast first and last frame',
    description:
      'The faster and cheaper Veo 3.1: a video with sound that leads from the first given image to the second, 4, 6 or 8 seconds; at Google 1080p and 4k only with 8.',
    created: thirdEdition,
    kind: 'start-end',
    media: { images: { min: 2, max: 2 } },
    price: fastPrice,
    bindings: [
      fastOnGemini,
      fastOnVertex,
      fastOnRunway,
      onFal('veo3.1/fast/first-last-frame-to-video', fastFalRows),
      fastOnReplicate,
      fastImageOnWavespeed,
    ],
  }),
  videoModel({
    ...shared,
    id: 'veo-3.1-fast-r2v',
    name: 'Veo 3.1 Fast reference to video',
    description:
      'The faster and cheaper Veo 3.1: a video of 8 seconds with sound from a text and one to three reference images.',
    created: fourthEdition,
    kind: 'r2v',
    seconds: [8],
    rules: [],
    media: { images: { min: 1, max: 3 } },
    price: fastPrice,
    // wavespeed.ai/docs/docs-api/google/google-veo3.1-fast-reference-to-video, a copy read 2026-11-28, says that Google's
    // own method takes them for this model too.
    bindings: [
      fastOnGemini,
      fastOnVertex,
      {
        ...onWavespeed(
          'veo3.1-fast/reference-to-video',
          assumed('this model of WaveSpeed', 'its text to video', fastTextPriceOnWavespeed),
        ),
        resolutions: ['720p', '1080p'],
      },
    ],
  }),
  videoModel({
    ...lite,
    id: 'veo-3.1-lite-t2v',
    name: 'Veo 3.1 Lite text to video',
    description:
      'The cheapest Veo 3.1: a video with sound from a text, 4, 6 or 8 seconds; at Google 1080p only with 8.',
    created: secondEdition,
    kind: 't2v',
    bindings: [
      liteOnGemini,
      liteOnVertex,
      onFal('veo3.1/lite', liteFalRows),
      liteOnReplicate,
      liteOnWavespeed('text-to-video'),
    ],
  }),
  videoModel({
    ...lite,
    id: 'veo-3.1-lite-i2v',
    name: 'Veo 3.1 Lite image to video',
    description:
      'The cheapest Veo 3.1: a video with sound that begins with the given image, 4, 6 or 8 seconds; at Google 1080p only with 8.',
    kind: 'i2v',
    media: { images: { min: 1, max: 1 } },
    bindings: [
      liteOnGemini,
      liteOnVertex,
      onFal('veo3.1/lite/image-to-video', liteFalRows),
      liteOnReplicate,
      liteOnWavespeed('image-to-video'),
    ],
  }),
  videoModel({
    ...lite,
    id: 'veo-3.1-lite-start-end',
    name: 'Veo 3.1 Lite first and last frame',
    description:
      'The cheapest Veo 3.1: a video with sound that leads from the first given image to the second, 4, 6 or 8 seconds; at Google 1080p only with 8.',
    kind: 'start-end',
    media: { images: { min: 2, max: 2 } },
    bindings: [
      liteOnGemini,
      liteOnVertex,
      // The length cannot be chosen, as with references to Veo 3.1.
      { ...onFal('veo3.1/lite/first-last-frame-to-video', liteFalRows), seconds: [8] },
      liteOnReplicate,
      { ...liteOnWavespeed('start-end-to-video'), seconds: [8] },
    ],
  }),
];
