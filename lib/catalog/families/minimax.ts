import type { Model } from '../../domain/model';
import { wholeSeconds } from '../../domain/video-tiers';
import { firstEdition, fourthEdition, secondEdition, thirdEdition, videoModel } from '../model-entry';
import type { BindingEntry, VideoModelEntry } from '../model-entry';
import {
  assumed,
  perClip,
  perSecond,
  unverified,
  unverifiedAt,
  withAssumedPrice,
  withImages,
  withVideoInput,
} from '../price-table';
import { RUNWAY_TARIFF } from './runway';

const REPLICATE_RESOLD =
  'UNVERIFIED: as a reseller of Replicate quotes video-01 (oauth.openai-hk.com/docs/en/lab/replicate.html, a copy read 2026-11-29).';

const hailuoPrice = unverified(
  perClip('UNVERIFIED: the list price as resellers quote it.', {
    '768p': { 6: '0.28', 10: '0.56' },
    '1080p': { 6: '0.49' },
  }),
);

// fal has an endpoint for each tier; "pro" takes no duration.
const onFal = (
  endpoint: string,
  prices: readonly [of6: string, of10: string] | readonly [of6: string],
): BindingEntry & { readonly price: VideoModelEntry['price'] } => {
  const modelName = `fal-ai/minimax/${endpoint}`;
  const [of6, of10] = prices;
  const source = `fal.ai/models/${modelName}, a copy read 2026-11-28.`;
  return {
    providerId: 'fal',
    modelName,
    parameters: ['prompt_extend'],
    ...(of10 === undefined
      ? { resolutions: ['1080p'], seconds: [6], price: perClip(source, { '1080p': { 6: of6 } }) }
      : { resolutions: ['768p'], price: perClip(source, { '768p': { 6: of6, 10: of10 } }) }),
  };
};

const hailuo = {
  family: 'minimax',
  seconds: [6, 10],
  defaultSeconds: 6,
  resolutions: ['768p', '1080p'],
  defaultResolution: '768p',
  // Not documented by the provider; the real rate of a finished video is read from its file.
  fps: { default: 24 },
  audio: 'none',
  parameters: ['prompt_extend', 'watermark', 'remove_watermark'],
  promptCharacters: 2_000,
  rules: [{ resolutions: ['1080p'], seconds: [6] }],
  price: hailuoPrice,
} satisfies Partial<VideoModelEntry>;

const hailuo02 = {
  ...hailuo,
  price: assumed('Hailuo 02', 'Hailuo 2.3', hailuoPrice),
} satisfies Partial<VideoModelEntry>;

const onReplicate = (modelName: string, price: VideoModelEntry['price']): BindingEntry => ({
  providerId: 'replicate',
  modelName: `minimax/${modelName}`,
  parameters: ['prompt_extend'],
  price: assumed('Replicate', 'MiniMax', price),
});
const hailuo23OnReplicate = onReplicate('hailuo-2.3', hailuoPrice);
const hailuo02OnReplicate = onReplicate('hailuo-02', hailuoPrice);

/**
 * WaveSpeed's models of the tiers "standard" and "pro", of which each makes one resolution. Its pages say that a video of
 * "pro" has five seconds, a length that MiniMax does not make; the request has no duration.
 */
const onWavespeed = (
  modelName: string,
  [of6, of10]: readonly [of6: string, of10: string],
  pro: VideoModelEntry['price'],
): BindingEntry[] => [
  {
    providerId: 'wavespeed',
    modelName: `minimax/${modelName}-standard`,
    resolutions: ['768p'],
    parameters: ['prompt_extend'],
    price: assumed('WaveSpeed', 'fal', perClip('', { '768p': { 6: of6, 10: of10 } })),
  },
  {
    providerId: 'wavespeed',
    modelName: `minimax/${modelName}-pro`,
    seconds: [6],
    resolutions: ['1080p'],
    rules: [],
    parameters: ['prompt_extend'],
    price: pro,
  },
];
/** WaveSpeed's price of Hailuo 2.3 in 1080p. */
const pro23OnWavespeed = (modelName: string) =>
  perClip(`wavespeed.ai/docs/docs-api/minimax/minimax-hailuo-2.3-${modelName}-pro, a copy read 2026-11-29.`, {
    '1080p': { 6: '0.49' },
  });
/** WaveSpeed's price of Hailuo 02 in 1080p, which was not found. */
const pro02OnWavespeed = assumed('WaveSpeed', 'fal', perClip('', { '1080p': { 6: '0.48' } }));
const hailuo02At = { providerId: 'minimax', modelName: 'MiniMax-Hailuo-02' } as const;
const standard02OnFal = (endpoint: string) => onFal(`hailuo-02/standard/${endpoint}`, ['0.27', '0.45']);
const pro02OnFal = (endpoint: string) => onFal(`hailuo-02/pro/${endpoint}`, ['0.48']);
/** For videos from a first frame only. MiniMax's own rates were not found, so these are those of fal. */
const ratesOf512p = [
  { resolution: '512p', seconds: 6, usd: '0.102' },
  { resolution: '512p', seconds: 10, usd: '0.17' },
];
const standardImage02OnFal = standard02OnFal('image-to-video');

/**
 * One of MiniMax' first models, which have one length, one resolution and no choice of a shape. Their prices were not
 * found, except fal's price of one endpoint.
 */
interface FirstModel {
  readonly version: '' | ' Director' | ' Live';
  readonly kind: 't2v' | 'i2v';
  /** MiniMax' name of the model. */
  readonly modelName: string;
  /** A part of the description. */
  readonly note: string;
}

const firstModels: readonly FirstModel[] = [
  { version: '', kind: 't2v', modelName: 'T2V-01', note: '' },
  { version: '', kind: 'i2v', modelName: 'I2V-01', note: '' },
  {
    version: ' Director',
    kind: 't2v',
    modelName: 'T2V-01-Director',
    note: ' A prompt moves the camera, as with `[Pan left]`.',
  },
  {
    version: ' Director',
    kind: 'i2v',
    modelName: 'I2V-01-Director',
    note: ' A prompt moves the camera, as with `[Pan left]`.',
  },
  { version: ' Live', kind: 'i2v', modelName: 'I2V-01-live', note: ' For drawings and animation.' },
];

function firstModelOf({ version, kind, modelName, note }: FirstModel): Model {
  const name = `video-01${version.toLowerCase().replace(' ', '-')}`;
  const price = perClip('', { '720p': '0.5' });
  const isText = kind === 't2v';
  return videoModel({
    ...hailuo,
    id: `minimax-${name.replace('video-', '')}-${kind}`,
    name: `MiniMax Video-01${version} ${isText ? 'text' : 'image'} to video`,
    description: `One of MiniMax' first models: a silent${isText ? ' landscape' : ''} video of six seconds at 720p ${
      isText ? 'from a text' : 'that begins with the given image and keeps its shape'
    }.${note} Priced per clip.`,
    created: Date.UTC(2026, 10, 29) / 1_000,
    kind,
    seconds: [6],
    resolutions: ['720p'],
    defaultResolution: '720p',
    rules: [],
    ...(isText ? { aspectRatios: ['16:9'] } : { media: firstFrame }),
    price: assumed('MiniMax', 'fal, for S2V-01,', price),
    bindings: [
      { providerId: 'minimax', modelName },
      {
        providerId: 'fal',
        modelName: `fal-ai/minimax/${name}${isText ? '' : '/image-to-video'}`,
        parameters: ['prompt_extend'],
        price: assumed('this endpoint of fal', 'its video-01-subject-reference', price),
      },
      {
        providerId: 'replicate',
        modelName: `minimax/${name}`,
        parameters: ['prompt_extend'],
        price: unverified(perClip(REPLICATE_RESOLD, { '720p': '0.5' })),
      },
    ],
  });
}

const h3Rows = { '768p': '0.08', '2k': '0.13' };
const h3Price = unverified(
  perSecond('UNVERIFIED: the pay-as-you-go page of MiniMax as resellers quote it, 2026-10-24.', h3Rows),
);

/** The tiers of H3 that only fal makes. */
const tiersOfFal = ['480p', '4k'];
const h3 = {
  family: 'minimax',
  seconds: wholeSeconds(4, 15),
  defaultSeconds: 5,
  resolutions: ['480p', '768p', '2k', '4k'],
  rules: [{ resolutions: tiersOfFal, seconds: wholeSeconds(5, 15) }],
  defaultResolution: '768p',
  fps: { default: 24 },
  audio: 'always',
  parameters: ['watermark', 'remove_watermark'],
  promptCharacters: 7_000,
  price: h3Price,
  bindings: [{ providerId: 'minimax', modelName: 'MiniMax-H3', resolutions: ['768p', '2k'] }],
} satisfies Partial<VideoModelEntry>;

const h3RowsOnRunway = { '768p': '0.1', '2k': '0.15' };
const h3OnRunway = {
  providerId: 'runway',
  modelName: 'hailuo3',
  stability: 'beta',
  // Runway's model page, 2026-10-04.
  seconds: wholeSeconds(5, 15),
  resolutions: ['768p', '2k'],
  parameters: [],
  price: unverified(perSecond(RUNWAY_TARIFF, h3RowsOnRunway)),
} as const satisfies BindingEntry;

// Videos always have sound.
const h3OfFal = {
  providerId: 'fal',
  seconds: wholeSeconds(5, 15),
  parameters: ['prompt_extend', 'seed'],
} as const;
const h3RowsOnFal = { '480p': '0.05', ...h3Rows, '4k': '0.26' };
const h3TextOnFal = {
  ...h3OfFal,
  modelName: 'minimax/h3/text-to-video',
  price: unverifiedAt(
    tiersOfFal,
    'no price was found; the numbers are that of H3-Max, and twice that of 2k.',
    perSecond('fal.ai/models/minimax/h3/text-to-video, a copy read 2026-11-28.', h3RowsOnFal),
  ),
} as const satisfies BindingEntry;
const h3OnFal = (endpoint: string) => ({
  ...h3OfFal,
  modelName: `minimax/h3/${endpoint}`,
  price: unverified(
    perSecond(
      `UNVERIFIED: fal.ai/models/minimax/h3/${endpoint}, a copy read 2026-11-28, has 0.06 at 768p; this is the price of a video from a text.`,
      h3RowsOnFal,
    ),
  ),
});
const h3ReferencesOnFal = h3OnFal('reference-to-video');

/**
 * H3 at WaveSpeed. Its "wavespeed-ai/minimax-h3" runs the open weights on its own machines, in other tiers; Lite and
 * Highspeed are other models of MiniMax.
 */
const h3OnWavespeed = (endpoint: 'text' | 'image' | 'reference') =>
  ({
    providerId: 'wavespeed',
    modelName: `minimax/h3/${endpoint}-to-video`,
    resolutions: ['768p', '2k'],
    parameters: [],
    price: unverified(
      perSecond(
        `UNVERIFIED: wavespeed.ai/models/minimax/h3/image-to-video as a public note of 2026-09-05 quotes it${endpoint === 'image' ? '' : '; that of this endpoint was not found'}.`,
        { '768p': '0.1', '2k': '0.14' },
      ),
    ),
  }) satisfies BindingEntry;

const h3MaxOnFal = (endpoint: string) => ({
  ...h3OfFal,
  modelName: `minimax/h3-max/${endpoint}`,
  price: unverifiedAt(
    ['1080p'],
    'twice that of 768p, as of Turbo.',
    perSecond(`fal.ai/models/minimax/h3-max/${endpoint}, a copy read 2026-11-28: the prices since September 2026.`, {
      '480p': '0.05',
      '768p': '0.08',
      '1080p': '0.16',
    }),
  ),
});
const h3MaxTextOnFal = h3MaxOnFal('text-to-video');
const h3MaxImageOnFal = h3MaxOnFal('image-to-video');
// 4,096 tokens of references are free; each further 1,000 cost $0.02. A square image has 1,024 tokens. The tokens of
// other shapes are not known, so each image counts as two squares.
const h3MaxReferencesPrice = unverified(
  withImages(
    perSecond(
      'UNVERIFIED: fal.ai/models/minimax/h3-max/reference-to-video, a copy read 2026-11-28, which has one price for all tiers, and that of square references alone.',
      { '480p': '0.08', '768p': '0.08' },
    ),
    { free: 2, usd: '0.041' },
  ),
);

const h3Max = {
  ...h3,
  created: secondEdition,
  seconds: wholeSeconds(5, 15),
  rules: [],
  resolutions: ['480p', '768p', '1080p'],
  parameters: ['prompt_extend', 'watermark', 'remove_watermark'],
  price: unverified(
    perSecond(
      "UNVERIFIED: fal's price of 768p since September 2026 (fal.ai/models/minimax/h3-max/text-to-video, a copy read 2026-11-28); that of MiniMax was not found.",
      { '480p': '0.08', '768p': '0.08' },
    ),
  ),
  // Only fal makes 1080p.
  bindings: [{ providerId: 'minimax', modelName: 'MiniMax-H3-Max', resolutions: ['480p', '768p'] }],
} satisfies Partial<VideoModelEntry>;

const h3MaxOnRunway = {
  providerId: 'runway',
  modelName: 'h3_max',
  stability: 'beta',
  resolutions: ['480p', '768p'],
  parameters: ['prompt_extend', 'seed'],
  price: assumed('Runway', 'fal', h3Max.price),
} as const satisfies BindingEntry;

const h3MaxTurbo = {
  ...h3Max,
  created: Date.UTC(2026, 10, 29) / 1_000,
  parameters: ['prompt_extend', 'seed'],
  price: unverified(
    perSecond('UNVERIFIED: as a reseller of fal sells it (inference.sh/apps/falai/minimax-h3-max-turbo, 2026-10-20).', {
      '480p': '0.025',
      '768p': '0.04',
      '1080p': '0.08',
    }),
  ),
} satisfies Partial<VideoModelEntry>;
const h3MaxTurboImage = {
  ...h3MaxTurbo,
  bindings: [{ providerId: 'fal', modelName: 'minimax/h3-max-turbo/image-to-video' }],
} satisfies Partial<VideoModelEntry>;

const ratios = ['16:9', '9:16', '1:1', '4:3', '3:4', '21:9'];
const firstFrame = { images: { min: 1, max: 1 } };
const bothFrames = { images: { min: 2, max: 2 } };

export const minimaxModels: readonly Model[] = [
  videoModel({
    ...hailuo,
    id: 'hailuo-2.3-t2v',
    name: 'MiniMax Hailuo 2.3 text to video',
    description: 'Makes a silent landscape video from a text: 6 or 10 seconds; 1080p only with 6. Priced per clip.',
    created: secondEdition,
    kind: 't2v',
    aspectRatios: ['16:9'],
    bindings: [
      { providerId: 'minimax', modelName: 'MiniMax-Hailuo-2.3' },
      onFal('hailuo-2.3/standard/text-to-video', ['0.28', '0.56']),
      onFal('hailuo-2.3/pro/text-to-video', ['0.49']),
      hailuo23OnReplicate,
      ...onWavespeed('hailuo-2.3/t2v', ['0.28', '0.56'], pro23OnWavespeed('t2v')),
    ],
  }),
  videoModel({
    ...hailuo,
    id: 'hailuo-2.3-i2v',
    name: 'MiniMax Hailuo 2.3 image to video',
    description:
      'Makes a silent video that begins with the given image and keeps its shape: 6 or 10 seconds; 1080p only with 6. Priced per clip.',
    created: firstEdition,
    kind: 'i2v',
    media: firstFrame,
    bindings: [
      { providerId: 'minimax', modelName: 'MiniMax-Hailuo-2.3' },
      onFal('hailuo-2.3/standard/image-to-video', ['0.28', '0.56']),
      onFal('hailuo-2.3/pro/image-to-video', ['0.49']),
      hailuo23OnReplicate,
      ...onWavespeed('hailuo-2.3/i2v', ['0.28', '0.56'], pro23OnWavespeed('i2v')),
    ],
  }),
  videoModel({
    ...hailuo,
    id: 'hailuo-2.3-fast-i2v',
    name: 'MiniMax Hailuo 2.3 Fast image to video',
    description:
      'Makes a silent video that begins with the given image, sooner and with less detail: 6 or 10 seconds; 1080p only with 6. Priced per clip.',
    created: secondEdition,
    kind: 'i2v',
    media: firstFrame,
    price: assumed('Hailuo 2.3 Fast', 'Hailuo 2.3', hailuoPrice),
    bindings: [
      { providerId: 'minimax', modelName: 'MiniMax-Hailuo-2.3-Fast' },
      onFal('hailuo-2.3-fast/standard/image-to-video', ['0.19', '0.32']),
      onFal('hailuo-2.3-fast/pro/image-to-video', ['0.33']),
      onReplicate('hailuo-2.3-fast', hailuoPrice),
      {
        providerId: 'wavespeed',
        modelName: 'minimax/hailuo-2.3/fast',
        resolutions: ['768p'],
        parameters: ['prompt_extend'],
        // The page names 1080p, and elsewhere 768p.
        price: perClip('wavespeed.ai/docs/docs-api/minimax/minimax-hailuo-2.3-fast, a copy read 2026-11-29.', {
          '768p': { 6: '0.19', 10: '0.32' },
        }),
      },
    ],
  }),
  videoModel({
    ...hailuo02,
    id: 'hailuo-02-t2v',
    name: 'MiniMax Hailuo 02 text to video',
    description:
      'The predecessor of 2.3: a silent landscape video from a text, 6 or 10 seconds; 1080p only with 6. Priced per clip.',
    created: thirdEdition,
    kind: 't2v',
    aspectRatios: ['16:9'],
    bindings: [
      hailuo02At,
      withAssumedPrice(standard02OnFal('text-to-video'), 'this endpoint of fal', 'its image to video'),
      pro02OnFal('text-to-video'),
      hailuo02OnReplicate,
      ...onWavespeed('hailuo-02/t2v', ['0.27', '0.45'], pro02OnWavespeed),
    ],
  }),
  videoModel({
    ...hailuo02,
    id: 'hailuo-02-i2v',
    name: 'MiniMax Hailuo 02 image to video',
    description:
      'The predecessor of 2.3: a silent video that begins with the given image and keeps its shape, 6 or 10 seconds from 512p; 1080p only with 6. Priced per clip.',
    created: thirdEdition,
    kind: 'i2v',
    resolutions: ['512p', ...hailuo02.resolutions],
    media: firstFrame,
    price: {
      ...hailuo02.price,
      source: `${hailuo02.price.source} At 512p that of fal (a copy of its page of hailuo-02/standard/image-to-video, read 2026-11-28).`,
      rates: [...ratesOf512p, ...hailuo02.price.rates],
    },
    bindings: [
      hailuo02At,
      {
        ...standardImage02OnFal,
        resolutions: ['512p', '768p'],
        price: { ...standardImage02OnFal.price, rates: [...ratesOf512p, ...standardImage02OnFal.price.rates] },
      },
      pro02OnFal('image-to-video'),
      onReplicate('hailuo-02', { ...hailuoPrice, rates: [...ratesOf512p, ...hailuoPrice.rates] }),
      ...onWavespeed('hailuo-02/i2v', ['0.27', '0.45'], pro02OnWavespeed),
    ],
  }),
  videoModel({
    ...hailuo02,
    id: 'hailuo-02-start-end',
    name: 'MiniMax Hailuo 02 first and last frame',
    description:
      'Makes a silent video that leads from the first given image to the second: 6 or 10 seconds; 1080p only with 6. Priced per clip.',
    created: secondEdition,
    kind: 'start-end',
    media: bothFrames,
    bindings: [
      hailuo02At,
      standardImage02OnFal,
      pro02OnFal('image-to-video'),
      hailuo02OnReplicate,
      ...onWavespeed('hailuo-02/i2v', ['0.27', '0.45'], pro02OnWavespeed),
    ],
  }),
  videoModel({
    ...hailuo,
    id: 'minimax-s2v-01-r2v',
    name: 'MiniMax S2V-01 reference to video',
    description:
      'Makes a silent landscape video of six seconds at 720p from a text and an image of a person, whose face stays the same. Priced per clip.',
    created: fourthEdition,
    kind: 'r2v',
    seconds: [6],
    resolutions: ['720p'],
    defaultResolution: '720p',
    rules: [],
    aspectRatios: ['16:9'],
    media: firstFrame,
    price: unverified(
      perClip(
        'UNVERIFIED: the price of MiniMax was not found; a reseller asks for $0.625 (segmind.com/models/minimax-ai, a copy read 2026-11-28).',
        { '720p': '0.65' },
      ),
    ),
    bindings: [
      { providerId: 'minimax', modelName: 'S2V-01' },
      {
        providerId: 'fal',
        modelName: 'fal-ai/minimax/video-01-subject-reference',
        parameters: ['prompt_extend'],
        price: perClip('fal.ai/models/fal-ai/minimax/video-01-subject-reference, a copy read 2026-11-28.', {
          '720p': '0.5',
        }),
      },
      {
        providerId: 'replicate',
        modelName: 'minimax/video-01',
        parameters: ['prompt_extend'],
        price: unverified(perClip(REPLICATE_RESOLD, { '720p': '0.5' })),
      },
    ],
  }),
  ...firstModels.map(firstModelOf),
  videoModel({
    ...h3,
    id: 'minimax-h3-t2v',
    name: 'MiniMax H3 text to video',
    description:
      'Makes a video with sound from a text: 4 to 15 seconds at 768p or 2k, and at 480p or 4k where fal makes them, in six shapes.',
    created: firstEdition,
    kind: 't2v',
    aspectRatios: ratios,
    bindings: [...h3.bindings, h3TextOnFal, h3OnRunway, h3OnWavespeed('text')],
  }),
  videoModel({
    ...h3,
    id: 'minimax-h3-i2v',
    name: 'MiniMax H3 image to video',
    description:
      'Makes a video with sound that begins with the given image and keeps its shape: 4 to 15 seconds at 768p or 2k, and at 480p or 4k where fal makes them.',
    created: secondEdition,
    kind: 'i2v',
    media: firstFrame,
    bindings: [...h3.bindings, h3OnFal('image-to-video'), h3OnRunway, h3OnWavespeed('image')],
  }),
  videoModel({
    ...h3,
    id: 'minimax-h3-start-end',
    name: 'MiniMax H3 first and last frame',
    description:
      'Makes a video with sound that leads from the first given image to the second: 4 to 15 seconds at 768p or 2k, and at 480p or 4k where fal makes them.',
    created: secondEdition,
    kind: 'start-end',
    media: bothFrames,
    bindings: [...h3.bindings, h3OnFal('image-to-video'), h3OnRunway, h3OnWavespeed('image')],
  }),
  videoModel({
    ...h3,
    id: 'minimax-h3-r2v',
    name: 'MiniMax H3 reference to video',
    description:
      'Makes a video with sound from a text, up to nine reference images and up to three reference videos of 15 seconds together: 4 to 15 seconds at 768p or 2k, and from images alone also at 480p or 4k where fal makes them. Reference videos and images after the fifth are billed too.',
    created: secondEdition,
    kind: 'r2v',
    aspectRatios: ratios,
    media: { images: { min: 0, max: 9 }, videos: { min: 0, max: 3 }, eitherRequired: true },
    price: withImages(
      withVideoInput(h3Price, { per: 'input_plus_output_second', secondsIfUnstated: 15, rows: h3Rows }),
      { free: 5, usd: '0.04' },
    ),
    bindings: [
      ...h3.bindings.map((binding) => ({ ...binding, parameters: [...h3.parameters, 'reference_voice'] })),
      {
        ...h3ReferencesOnFal,
        // fal's price of reference videos was not found, so fal serves only requests with images.
        media: { images: { min: 1, max: 9 } },
        price: withImages(h3ReferencesOnFal.price, { free: 5, usd: '0.08' }),
      },
      {
        ...h3OnRunway,
        parameters: ['reference_voice'],
        price: withImages(
          withVideoInput(h3OnRunway.price, {
            per: 'input_plus_output_second',
            secondsIfUnstated: 15,
            rows: h3RowsOnRunway,
          }),
          { free: 0, usd: '0.02' },
        ),
      },
      {
        ...h3OnWavespeed('reference'),
        // Whether WaveSpeed bills reference videos is not known, so it serves only requests with images. The price of an
        // image is MiniMax'.
        media: { images: { min: 1, max: 9 } },
        parameters: ['reference_voice'],
        price: withImages(h3OnWavespeed('reference').price, { free: 5, usd: '0.04' }),
      },
    ],
  }),
  videoModel({
    ...h3Max,
    id: 'minimax-h3-max-t2v',
    name: 'MiniMax H3-Max text to video',
    description:
      'Makes a video with sound from a text within seconds: 5 to 15 seconds at 480p or 768p, and at 1080p where fal makes it, in six shapes.',
    kind: 't2v',
    aspectRatios: ratios,
    // Runway has no field for the shape, and that of the model is 16:9 unless another one is stated.
    bindings: [...h3Max.bindings, h3MaxTextOnFal, { ...h3MaxOnRunway, aspectRatios: ['16:9'] }],
  }),
  videoModel({
    ...h3Max,
    id: 'minimax-h3-max-i2v',
    name: 'MiniMax H3-Max image to video',
    description:
      'Makes a video with sound that begins with the given image and keeps its shape, within seconds: 5 to 15 seconds at 480p or 768p, and at 1080p where fal makes it.',
    kind: 'i2v',
    media: firstFrame,
    bindings: [...h3Max.bindings, h3MaxImageOnFal, h3MaxOnRunway],
  }),
  videoModel({
    ...h3Max,
    id: 'minimax-h3-max-start-end',
    name: 'MiniMax H3-Max first and last frame',
    description:
      'Makes a video with sound that leads from the first given image to the second, within seconds: 5 to 15 seconds at 480p or 768p, and at 1080p where fal makes it.',
    kind: 'start-end',
    media: bothFrames,
    bindings: [...h3Max.bindings, h3MaxImageOnFal, h3MaxOnRunway],
  }),
  videoModel({
    ...h3Max,
    id: 'minimax-h3-max-r2v',
    resolutions: ['480p', '768p'],
    name: 'MiniMax H3-Max reference to video',
    description:
      'Makes a video with sound from a text and one to nine reference images, within seconds: 5 to 15 seconds at 480p or 768p. Images after the second are billed too.',
    created: fourthEdition,
    kind: 'r2v',
    aspectRatios: ratios,
    media: { images: { min: 1, max: 9 } },
    price: h3MaxReferencesPrice,
    bindings: [{ ...h3OfFal, modelName: 'minimax/h3-max/reference-to-video' }],
  }),
  videoModel({
    ...h3MaxTurbo,
    id: 'minimax-h3-max-turbo-t2v',
    name: 'MiniMax H3-Max Turbo text to video',
    description:
      'Makes a video with sound from a text, sooner than H3-Max and for half of its price: 5 to 15 seconds at 480p, 768p or 1080p, in six shapes.',
    kind: 't2v',
    aspectRatios: ratios,
    bindings: [{ providerId: 'fal', modelName: 'minimax/h3-max-turbo/text-to-video' }],
  }),
  videoModel({
    ...h3MaxTurboImage,
    id: 'minimax-h3-max-turbo-i2v',
    name: 'MiniMax H3-Max Turbo image to video',
    description:
      'Makes a video with sound that begins with the given image and keeps its shape, sooner than H3-Max and for half of its price: 5 to 15 seconds at 480p, 768p or 1080p.',
    kind: 'i2v',
    media: firstFrame,
  }),
  videoModel({
    ...h3MaxTurboImage,
    id: 'minimax-h3-max-turbo-start-end',
    name: 'MiniMax H3-Max Turbo first and last frame',
    description:
      'Makes a video with sound that leads from the first given image to the second, sooner than H3-Max and for half of its price: 5 to 15 seconds at 480p, 768p or 1080p.',
    kind: 'start-end',
    media: bothFrames,
  }),
];
