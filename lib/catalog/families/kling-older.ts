import type { Model } from '../../domain/model';
import { fourthEdition, thirdEdition, videoModel } from '../model-entry';
import type { BindingEntry, VideoModelEntry, VideoPriceEntry } from '../model-entry';
import { assumed, perSecond, unverified, withVoice } from '../price-table';
import { bothFrames, firstFrame, onWavespeed, ratios, shared, TARIFF, voicedAtKling } from './kling-shared';

// Kling 2.6 and 2.5 Turbo, and the older versions.

const older = {
  ...shared,
  created: thirdEdition,
  seconds: [5, 10],
  defaultSeconds: 5,
  resolutions: ['720p', '1080p'],
  audio: 'none',
  parameters: ['watermark', 'remove_watermark'],
  promptCharacters: 2_500,
  price: unverified(perSecond(TARIFF, { '720p': '0.042', '1080p': '0.07' })),
} satisfies Partial<VideoModelEntry>;

const rowsOf26 = { '1080p': { silent: '0.07', audio: '0.14' } };
const priceOf26OnFal = perSecond(
  'fal.ai/models/fal-ai/kling-video/v2.6/pro/image-to-video, a copy read 2026-11-28.',
  rowsOf26,
);
const fromFramesOn26 = {
  providerId: 'fal',
  modelName: 'fal-ai/kling-video/v2.6/pro/image-to-video',
  resolutions: ['1080p'],
  parameters: ['sound', 'negative_prompt', 'reference_voice'],
  // A reference voice is the id of a voice that was created at fal.
  voiceNames: true,
  price: withVoice(priceOf26OnFal, { '1080p': '0.168' }),
} as const satisfies BindingEntry;
const fromTextOn26 = {
  providerId: 'fal',
  modelName: 'fal-ai/kling-video/v2.6/pro/text-to-video',
  resolutions: ['1080p'],
  parameters: ['sound', 'negative_prompt'],
  price: perSecond('fal.ai/models/fal-ai/kling-video/v2.6/pro/text-to-video, a copy read 2026-11-28.', rowsOf26),
} as const satisfies BindingEntry;

const fromFramesOn25 = {
  providerId: 'fal',
  modelName: 'fal-ai/kling-video/v2.5-turbo/pro/image-to-video',
  resolutions: ['1080p'],
  parameters: ['negative_prompt'],
  price: perSecond('fal.ai/models/fal-ai/kling-video/v2.5-turbo/pro/image-to-video, a copy read 2026-11-27.', {
    '1080p': '0.07',
  }),
} as const satisfies BindingEntry;

/** The versions at Replicate, which always cost there what they cost at fal, as far as its prices were found. */
const onReplicate = (modelName: string, price: VideoPriceEntry, parameters: readonly string[]): BindingEntry => ({
  providerId: 'replicate',
  modelName: `kwaivgi/${modelName}`,
  resolutions: ['1080p'],
  parameters: [...parameters, 'negative_prompt'],
  price: assumed('Replicate', 'fal', price),
});
const on26AtReplicate = onReplicate('kling-v2.6', priceOf26OnFal, ['sound']);
const on25AtReplicate = onReplicate('kling-v2.5-turbo-pro', fromFramesOn25.price, []);

/** A model of WaveSpeed, whose prices of these versions were not found. Its cheaper tier of 2.6 makes no sound. */
const olderOnWavespeed = (modelName: string, whose: string, price: VideoPriceEntry) => ({
  ...onWavespeed(modelName, assumed('WaveSpeed', whose, price)),
  parameters: ['negative_prompt'],
});
const on26AtWavespeed = (endpoint: string) => ({
  ...olderOnWavespeed(`kling-v2.6-pro/${endpoint}`, 'fal', priceOf26OnFal),
  parameters: ['sound', 'negative_prompt'],
});
const silent26AtWavespeed = (endpoint: string) =>
  olderOnWavespeed(`kling-v2.6-std/${endpoint}`, 'Kling', perSecond(TARIFF, { '720p': '0.042' }));
const on25AtWavespeed = (endpoint: string) =>
  olderOnWavespeed(`kling-v2.5-turbo-pro/${endpoint}`, 'fal', fromFramesOn25.price);

// Older versions. An endpoint of fal makes one tier, so that each tier is a model of its own.

const inOneTier = {
  ...older,
  created: fourthEdition,
  parameters: ['negative_prompt'],
} satisfies Partial<VideoModelEntry>;

interface TierAtFal {
  readonly id: string;
  readonly name: string;
  /** The beginning of the descriptions. */
  readonly about: string;
  /** Of the endpoints. */
  readonly path: string;
  readonly resolution: '720p' | '1080p';
  readonly usd: string;
  /** The endpoints of which the page with the price was read. */
  readonly read: readonly string[];
  /** Whose price it is where the page was not found. */
  readonly whose: string;
  readonly kinds: readonly (keyof typeof kindsAtFal)[];
  /** The name of the model at Replicate, and what it makes there. */
  readonly atReplicate?: { readonly modelName: string; readonly kinds: readonly (keyof typeof kindsAtFal)[] };
  /** Its version at Kling, and what it makes there. */
  readonly atKling?: { readonly modelName: string; readonly kinds: readonly (keyof typeof kindsAtFal)[] };
  /** Its models at WaveSpeed. */
  readonly atWavespeed?: Partial<Readonly<Record<keyof typeof kindsAtFal, string>>>;
}

const kindsAtFal = {
  t2v: { endpoint: 'text-to-video', label: 'text to video', what: 'from a text', facts: { aspectRatios: ratios } },
  i2v: {
    endpoint: 'image-to-video',
    label: 'image to video',
    what: 'that begins with the given image and keeps its shape',
    facts: { media: firstFrame },
  },
  'start-end': {
    endpoint: 'image-to-video',
    label: 'first and last frame',
    what: 'that leads from the first given image to the second',
    facts: { media: bothFrames },
  },
  r2v: {
    endpoint: 'elements',
    label: 'reference to video',
    what: 'from a text and up to four reference images',
    facts: { aspectRatios: ratios, media: { images: { min: 1, max: 4 } } },
  },
} as const;

const pro21 = 'fal-ai/kling-video/v2.1/pro';
const standard21 = 'fal-ai/kling-video/v2.1/standard';

// The tiers of the versions before 2.1, which the pages of fal do not name, are those of Kling's own table of its models.
const tiersAtFal: readonly TierAtFal[] = [
  {
    id: 'kling-2.1-master',
    name: 'Kling 2.1 Master',
    about: 'An older Kling with much motion',
    path: 'v2.1/master',
    resolution: '1080p',
    usd: '0.28',
    read: ['text-to-video', 'image-to-video'],
    whose: '',
    kinds: ['t2v', 'i2v'],
    atReplicate: { modelName: 'kling-v2.1-master', kinds: ['t2v', 'i2v'] },
    atKling: { modelName: 'kling-2.1-master', kinds: ['t2v', 'i2v'] },
    atWavespeed: { t2v: 'kling-v2.1-t2v-master', i2v: 'kling-v2.1-i2v-master' },
  },
  {
    id: 'kling-2.1-pro',
    name: 'Kling 2.1 Pro',
    about: 'An older Kling',
    path: 'v2.1/pro',
    resolution: '1080p',
    usd: '0.098',
    read: ['image-to-video'],
    whose: '',
    kinds: ['i2v', 'start-end'],
    atReplicate: { modelName: 'kling-v2.1', kinds: ['i2v', 'start-end'] },
    atKling: { modelName: 'kling-2.1', kinds: ['i2v', 'start-end'] },
    atWavespeed: { i2v: 'kling-v2.1-i2v-pro', 'start-end': 'kling-v2.1-i2v-pro/start-end-frame' },
  },
  {
    id: 'kling-2.1',
    name: 'Kling 2.1',
    about: 'An older and cheaper Kling',
    path: 'v2.1/standard',
    resolution: '720p',
    usd: '0.056',
    read: ['image-to-video'],
    whose: '',
    kinds: ['i2v'],
    atReplicate: { modelName: 'kling-v2.1', kinds: ['i2v'] },
    atKling: { modelName: 'kling-2.1', kinds: ['i2v'] },
    atWavespeed: { i2v: 'kling-v2.1-i2v-standard' },
  },
  {
    id: 'kling-2.0-master',
    name: 'Kling 2.0 Master',
    about: 'An older Kling with much motion',
    path: 'v2/master',
    resolution: '720p',
    usd: '0.28',
    read: ['text-to-video'],
    whose: 'its text to video',
    kinds: ['t2v', 'i2v'],
    atReplicate: { modelName: 'kling-v2.0', kinds: ['t2v', 'i2v'] },
    atKling: { modelName: 'kling-2.0-master', kinds: ['t2v', 'i2v'] },
  },
  {
    id: 'kling-1.6-pro',
    name: 'Kling 1.6 Pro',
    about: 'One of the first versions of Kling',
    path: 'v1.6/pro',
    resolution: '1080p',
    usd: '0.098',
    read: [],
    whose: pro21,
    kinds: ['t2v', 'i2v', 'start-end', 'r2v'],
    atReplicate: { modelName: 'kling-v1.6-pro', kinds: ['i2v', 'start-end', 'r2v'] },
    atKling: { modelName: 'kling-1.6', kinds: ['i2v', 'start-end'] },
    atWavespeed: {
      i2v: 'kling-v1.6-i2v-pro',
      'start-end': 'kling-v1.6-i2v-pro',
      r2v: 'kling-v1.6-multi-i2v-pro',
    },
  },
  {
    id: 'kling-1.6',
    name: 'Kling 1.6',
    about: 'One of the first versions of Kling',
    path: 'v1.6/standard',
    resolution: '720p',
    usd: '0.056',
    read: [],
    whose: standard21,
    kinds: ['t2v', 'i2v', 'r2v'],
    atReplicate: { modelName: 'kling-v1.6-standard', kinds: ['t2v', 'i2v', 'r2v'] },
    atKling: { modelName: 'kling-1.6', kinds: ['t2v', 'i2v'] },
    atWavespeed: { t2v: 'kling-v1.6-t2v-standard', i2v: 'kling-v1.6-i2v-standard' },
  },
  {
    id: 'kling-1.5-pro',
    name: 'Kling 1.5 Pro',
    about: 'One of the first versions of Kling',
    path: 'v1.5/pro',
    resolution: '1080p',
    usd: '0.098',
    read: [],
    whose: pro21,
    kinds: ['t2v', 'i2v', 'start-end'],
    atKling: { modelName: 'kling-1.5', kinds: ['i2v', 'start-end'] },
  },
  {
    id: 'kling-1.0',
    name: 'Kling 1.0',
    about: 'The first version of Kling',
    path: 'v1/standard',
    resolution: '720p',
    usd: '0.056',
    read: [],
    whose: standard21,
    kinds: ['t2v', 'i2v', 'start-end'],
    atKling: { modelName: 'kling-1.0', kinds: ['t2v', 'i2v'] },
  },
];

function modelsAtFal({
  id,
  name,
  about,
  path,
  resolution,
  usd,
  read,
  whose,
  kinds,
  atReplicate,
  atKling,
  atWavespeed,
}: TierAtFal): Model[] {
  return kinds.map((kind) => {
    const { endpoint, label, what, facts } = kindsAtFal[kind];
    const modelName = `fal-ai/kling-video/${path}/${endpoint}`;
    const price = perSecond(`fal.ai/models/${modelName}, a copy read 2026-11-28.`, { [resolution]: usd });
    const nameAtWavespeed = atWavespeed?.[kind];
    return videoModel({
      ...inOneTier,
      ...facts,
      id: `${id}-${kind}`,
      name: `${name} ${label}`,
      description: `${about}: a silent video ${what}, 5 or 10 seconds at ${resolution}.`,
      kind,
      resolutions: [resolution],
      defaultResolution: resolution,
      price: read.includes(endpoint) ? price : assumed('this endpoint of fal', whose, price),
      bindings: [
        { providerId: 'fal', modelName },
        ...(atReplicate?.kinds.includes(kind)
          ? [{ ...onReplicate(atReplicate.modelName, price, []), resolutions: [resolution] }]
          : []),
        // Only Kling's older API has these versions.
        ...(atKling?.kinds.includes(kind)
          ? [
              {
                providerId: 'kling',
                modelName: atKling.modelName,
                resolutions: [resolution],
                parameters: [...older.parameters, 'negative_prompt'],
                price: assumed('Kling', 'fal', price),
              },
            ]
          : []),
        ...(nameAtWavespeed === undefined ? [] : [olderOnWavespeed(nameAtWavespeed, 'fal', price)]),
      ],
    });
  });
}

interface OlderVersion {
  readonly version: string;
  /** What the descriptions call a video of this version, such as `a silent video`. */
  readonly sound: string;
  readonly shared: Partial<VideoModelEntry>;
  /** The price of a video from a first and a last frame. */
  readonly framesPrice: VideoPriceEntry;
  /** The price of a second at Kling with a voice; absent: images take none. */
  readonly voiceRows?: Readonly<Record<string, string>>;
  /** The bindings of each kind, in addition to those of Kling. */
  readonly t2v: readonly BindingEntry[];
  readonly i2v: readonly BindingEntry[];
  readonly frames: readonly BindingEntry[];
}

const olderVersions: readonly OlderVersion[] = [
  {
    version: '2.6',
    sound: 'a video, silent or at 1080p with sound,',
    shared: {
      audio: 'toggle',
      silentResolutions: ['720p'],
      // At 720p there is no sound, so that 1080p is the default: `sound` then has an effect without a size.
      defaultResolution: '1080p',
      parameters: ['sound', ...older.parameters],
      price: unverified(perSecond(`${TARIFF} With sound, that of fal.`, { '720p': '0.042', ...rowsOf26 })),
    },
    framesPrice: unverified(perSecond(`${TARIFF} With sound, that of fal.`, rowsOf26)),
    voiceRows: { '1080p': '0.168' },
    t2v: [fromTextOn26, on26AtReplicate, on26AtWavespeed('text-to-video'), silent26AtWavespeed('text-to-video')],
    i2v: [fromFramesOn26, on26AtReplicate, on26AtWavespeed('image-to-video'), silent26AtWavespeed('image-to-video')],
    frames: [fromFramesOn26, on26AtWavespeed('image-to-video')],
  },
  {
    version: '2.5 Turbo',
    sound: 'a silent video',
    shared: {},
    framesPrice: unverified(perSecond(TARIFF, { '1080p': '0.07' })),
    t2v: [
      {
        ...fromFramesOn25,
        modelName: 'fal-ai/kling-video/v2.5-turbo/pro/text-to-video',
        price: assumed('this endpoint of fal', 'its image to video', fromFramesOn25.price),
      },
      on25AtReplicate,
      on25AtWavespeed('text-to-video'),
    ],
    i2v: [
      {
        ...fromFramesOn25,
        modelName: 'fal-ai/kling-video/v2.5-turbo/standard/image-to-video',
        resolutions: ['720p'],
        price: perSecond(
          'fal.ai/models/fal-ai/kling-video/v2.5-turbo/standard/image-to-video, a copy read 2026-11-27.',
          { '720p': '0.042' },
        ),
      },
      fromFramesOn25,
      on25AtReplicate,
      on25AtWavespeed('image-to-video'),
      olderOnWavespeed('kling-v2.5-turbo-std/image-to-video', 'fal', perSecond('', { '720p': '0.042' })),
    ],
    frames: [fromFramesOn25, on25AtReplicate, on25AtWavespeed('image-to-video')],
  },
];

export const olderKlingModels: readonly Model[] = [
  ...olderVersions.flatMap(({ version, sound, shared: ofVersion, framesPrice, voiceRows, t2v, i2v, frames }) => {
    const modelName = `kling-${version.toLowerCase().replace(' ', '-')}`;
    const atKling = {
      providerId: 'kling',
      modelName,
      parameters: [...(ofVersion.parameters ?? older.parameters), 'negative_prompt'],
    };
    const withImages = (binding: typeof atKling & BindingEntry, price: VideoPriceEntry) =>
      voiceRows ? voicedAtKling(binding, price, voiceRows) : binding;
    return [
      videoModel({
        ...older,
        ...ofVersion,
        id: `${modelName}-t2v`,
        name: `Kling ${version} text to video`,
        description: `An older and cheaper Kling: ${sound} from a text, 5 or 10 seconds at 720p or 1080p.`,
        kind: 't2v',
        aspectRatios: ratios,
        bindings: [atKling, ...t2v],
      }),
      videoModel({
        ...older,
        ...ofVersion,
        id: `${modelName}-i2v`,
        name: `Kling ${version} image to video`,
        description: `An older and cheaper Kling: ${sound} that begins with the given image and keeps its shape, 5 or 10 seconds at 720p or 1080p.`,
        kind: 'i2v',
        media: firstFrame,
        bindings: [withImages(atKling, ofVersion.price ?? older.price), ...i2v],
      }),
      videoModel({
        ...older,
        ...ofVersion,
        created: fourthEdition,
        id: `${modelName}-start-end`,
        name: `Kling ${version} first and last frame`,
        description: `An older and cheaper Kling: ${sound} that leads from the first given image to the second, 5 or 10 seconds at 1080p.`,
        kind: 'start-end',
        // The cheaper tier takes no last frame.
        resolutions: ['1080p'],
        defaultResolution: '1080p',
        media: bothFrames,
        silentResolutions: [],
        price: framesPrice,
        bindings: [withImages({ ...atKling, resolutions: ['1080p'] }, framesPrice), ...frames],
      }),
    ];
  }),
  ...tiersAtFal.flatMap(modelsAtFal),
];
