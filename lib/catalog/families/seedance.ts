import type { Model } from '../../domain/model';
import type { VideoKind } from '../../domain/video';
import { wholeSeconds } from '../allowed-seconds';
import { firstEdition, fourthEdition, secondEdition, videoModel } from '../model-entry';
import type { BindingEntry, VideoModelEntry } from '../model-entry';
import { assumed, perInputAndOutputSecond, perSecond, unverified, unverifiedAt, withVideoInput } from '../price-table';
import { RUNWAY_TARIFF } from './runway';

// BytePlus charges tokens, of which a second has width × height × 24 / 1024. The pictures of a tier have nearly the
// same area whatever their ratio, and the price is that of 864x496, 1280x720 and 1920x1080 in the 2.x and 1.5 models,
// and of the largest one in the 1.0 models: 864x480, 1504x640 and 1920x1088. At 4k only 3840x2160 is documented; the
// prices of the other ratios are those of the sizes in Runway's API for the model, 3840x2880 and 3840x3840.
const TARIFF =
  "Computed from BytePlus' tariff per token (docs.byteplus.com/en/docs/ModelArk/1544106, 2026-07) and its formula of pixels to tokens.";
/** For the older versions, whose tariff per token is known only from resellers. */
const OLDER_TARIFF =
  "UNVERIFIED: computed from BytePlus' tariff per token as resellers quote it, 2026-07, and its formula of pixels to tokens.";
/** Four public notes quote a separate price for 1080p; whether the tariff that was read has one is not known. */
const NEW_TARIFF =
  "UNVERIFIED: computed from BytePlus' tariff per token and its formula of pixels to tokens, 2026, and at 1080p as public notes of 2026-08-19 to 2026-10-07 quote it (docs.byteplus.com/en/docs/ModelArk/1544106).";

const rowsOf20In4k = { '4k': inShapes('0.7776', '1.0368', '1.3824') };
const rowsOf20In4kWithVideo = { '4k': inShapes('0.4666', '0.6221', '0.8295') };
const price = perSecond(TARIFF, {
  '480p': '0.0703',
  '720p': '0.1512',
  '1080p': '0.3742',
  ...rowsOf20In4k,
});
const fastPrice = perSecond(TARIFF, { '480p': '0.0562', '720p': '0.121' });

const ratios = ['16:9', '9:16', '1:1', '4:3', '3:4', '21:9'];

const shared = {
  family: 'seedance',
  defaultSeconds: 5,
  defaultResolution: '720p',
  fps: { default: 24 },
  audio: 'toggle',
  parameters: ['generate_audio', 'seed', 'watermark', 'remove_watermark'],
  maxSeed: 2_147_483_647,
} satisfies Partial<VideoModelEntry>;

const silent = {
  audio: 'none',
  parameters: ['seed', 'watermark', 'remove_watermark'],
} satisfies Partial<VideoModelEntry>;

// Reference videos of Seedance 2.0 are not billed.
const onRunway = {
  providerId: 'runway',
  modelName: 'seedance2',
  stability: 'beta',
  parameters: ['generate_audio', 'seed'],
  promptCharacters: 3_500,
  price: unverified(perSecond(RUNWAY_TARIFF, { '480p': '0.36', '720p': '0.36', '1080p': '0.4', '4k': '1.5' })),
} as const satisfies BindingEntry;

const fastOnRunway = {
  ...onRunway,
  modelName: 'seedance2_fast',
  price: unverified(perSecond(RUNWAY_TARIFF, { '480p': '0.29', '720p': '0.29' })),
} as const satisfies BindingEntry;

const miniOnRunway = {
  ...onRunway,
  modelName: 'seedance2_mini',
  price: assumed('Runway', 'its Seedance 2.0 Fast', fastOnRunway.price),
} as const satisfies BindingEntry;

const newRowsOnRunway = { '480p': '0.55', '720p': '0.55', '1080p': '0.68' };
const newOnRunway = {
  ...onRunway,
  modelName: 'seedance2_5',
  promptCharacters: 15_000,
  resolutions: ['480p', '720p', '1080p'],
  price: unverified(
    perSecond(
      'UNVERIFIED: at 1080p docs.dev.runwayml.com/guides/pricing as a public note of 2026-10-07 quotes it; for the others, the note has 0.2 and 0.3, and the numbers are those of Seedance 2.0, raised as those of BytePlus are.',
      newRowsOnRunway,
    ),
  ),
} as const satisfies BindingEntry;
/** Runway bills reference videos at half the price. A price cannot state that, so they are billed in full here. */
const newReferencesOnRunway = {
  ...newOnRunway,
  price: withVideoInput(newOnRunway.price, {
    per: 'input_plus_output_second',
    secondsIfUnstated: 30,
    rows: newRowsOnRunway,
  }),
} as const satisfies BindingEntry;

/** The resolution of an edit cannot be chosen, and Runway does not state it, so the price is that of 1080p. */
const newEditOnRunway = {
  ...newOnRunway,
  resolutions: ['720p'],
  outputFollowsSource: true,
  price: unverified(
    perInputAndOutputSecond(
      'UNVERIFIED: docs.dev.runwayml.com/guides/pricing as public notes of 2026-09-23 and 2026-10-04 quote it for 1080p: 0.68 for a second of the output, and half for one of the source, which is as long.',
      { '720p': '0.51' },
    ),
  ),
} as const satisfies BindingEntry;

const endpointAtFal = (kind: VideoKind) =>
  kind === 't2v' ? 'text-to-video' : kind === 'r2v' ? 'reference-to-video' : 'image-to-video';
const onFal = (endpoint: string, price: BindingEntry['price'], isSilent = false): BindingEntry => ({
  providerId: 'fal',
  modelName: endpoint,
  parameters: isSilent ? ['seed'] : ['generate_audio', 'seed'],
  ...(price && { price }),
});

interface NewerTariff {
  readonly rows: Readonly<Record<string, string>>;
  /** The price of each second of input and output, with a reference video. */
  readonly withVideo: Readonly<Record<string, string>>;
  /** The total length of reference videos. */
  readonly maxVideoSeconds: number;
  /** The source of the prices, for the page of an endpoint. */
  readonly sourceOf: (page: string) => string;
  /** The tiers whose prices the page does not state, and where they come from. */
  readonly unstated?: { readonly tiers: readonly string[]; readonly source: string };
}

// fal charges the same tokens at its own rates, and with reference videos 0.6 times as much for input and output.
const newerOnFal = (path: string, { rows, withVideo, maxVideoSeconds, sourceOf, unstated }: NewerTariff) => {
  const binding = (endpoint: string) => {
    const name = `bytedance/seedance-${path}/${endpoint}`;
    const tariff = perSecond(sourceOf(`fal.ai/models/${name}`), rows);
    const stated =
      endpoint === 'reference-to-video'
        ? withVideoInput(tariff, {
            per: 'input_plus_output_second',
            secondsIfUnstated: maxVideoSeconds,
            rows: withVideo,
          })
        : tariff;
    const price = unstated ? unverifiedAt(unstated.tiers, unstated.source, stated) : stated;
    return { ...onFal(name, price), price, resolutions: Object.keys(rows) };
  };
  return (kind: VideoKind) => binding(endpointAtFal(kind));
};
const computed = {
  maxVideoSeconds: 15,
  sourceOf: (page: string) => `Computed from the tariff per token of ${page}, a copy read 2026-11-27.`,
};
// $0.014 and, for Fast, $0.0112 for a thousand tokens.
const rowsOf20OnFal = { '480p': '0.1407', '720p': '0.3034', '1080p': '0.6804' };
const on20 = newerOnFal('2.0', {
  ...computed,
  rows: rowsOf20OnFal,
  withVideo: { '480p': '0.0844', '720p': '0.1815', '1080p': '0.4083' },
});
const on20Fast = newerOnFal('2.0/fast', {
  ...computed,
  rows: { '480p': '0.1125', '720p': '0.242' },
  withVideo: { '480p': '0.0675', '720p': '0.1452' },
});
// The pages state dollars for a second, which are about 2.5% above those that their tariff gives: $0.0214 for a
// thousand tokens, and $0.0234 at 1080p. fal also sells 4k, which BytePlus does not.
const tariffOf25 = newerOnFal('2.5', {
  rows: { '480p': '0.2205', '720p': '0.473', '1080p': '1.164', '4k': '1.84' },
  withVideo: { '480p': '0.1323', '720p': '0.2838', '1080p': '0.6984', '4k': '1.104' },
  maxVideoSeconds: 30,
  sourceOf: (page) => `${page}, a copy read 2026-11-28.`,
  unstated: {
    tiers: ['4k'],
    source: 'a rounded amount, and with reference videos 0.6 times as much, as at the other tiers.',
  },
});
const on25 = (kind: VideoKind): BindingEntry => {
  const binding = tariffOf25(kind);
  if (kind === 'r2v') return binding;
  if (kind === 't2v')
    return { ...binding, price: assumed('this endpoint of fal', 'its reference to video', binding.price) };
  // With images, fal takes neither a ratio nor a seed.
  return { ...binding, aspectRatios: [], parameters: ['generate_audio'] };
};

/** The older versions at fal, which charges BytePlus' tariff. `pages`: the endpoints whose pages were found. */
const olderOnFal = (
  path: string,
  rows: Parameters<typeof perSecond>[1],
  pages: readonly string[],
  isSilent: boolean,
) => {
  const binding = (endpoint: string) => {
    const name = `fal-ai/bytedance/seedance/${path}/${endpoint}`;
    const source = `Computed from the tariff per token of fal.ai/models/${name}, a copy read 2026-11-27.`;
    const price = perSecond(source, rows);
    return onFal(name, pages.includes(endpoint) ? price : assumed('this endpoint of fal', 'BytePlus', price), isSilent);
  };
  return (kind: VideoKind) => [binding(endpointAtFal(kind))];
};
const bothPages = ['text-to-video', 'image-to-video'];

/** fal does not make 2.0 in 4k; other resellers do, at prices that were not found. */
const tiersOf20 = ['480p', '720p', '1080p', '4k'];
/** In 4k with the prices of BytePlus. */
const in4kToo = (kind: VideoKind): BindingEntry => {
  const { price: ofFal, ...binding } = on20(kind);
  const alone = perSecond('', rowsOf20In4k);
  const in4k =
    kind === 'r2v'
      ? withVideoInput(alone, { per: 'input_plus_output_second', secondsIfUnstated: 15, rows: rowsOf20In4kWithVideo })
      : alone;
  return { ...binding, price: { ...ofFal, rates: [...in4k.rates, ...ofFal.rates] } };
};

/** Replicate, whose prices were not found. The version 1.0 ignores a ratio beside a first frame. */
const onReplicate = (modelName: string, resolutions: readonly string[], price: (kind: VideoKind) => BindingEntry) => {
  const isFirst = modelName.startsWith('seedance-1');
  return (kind: VideoKind): BindingEntry => {
    const { price: ofFal } = price(kind);
    return {
      providerId: 'replicate',
      modelName: `bytedance/${modelName}`,
      resolutions: [...resolutions],
      parameters: isFirst ? ['seed'] : ['generate_audio', 'seed'],
      ...(isFirst && (kind === 'i2v' || kind === 'start-end') && { aspectRatios: [] }),
      ...(isFirst && kind === 'r2v' && { aspectRatios: ratios }),
      ...(ofFal && { price: assumed('Replicate', 'fal', ofFal) }),
    };
  };
};
const on20AtReplicate = onReplicate('seedance-2.0', tiersOf20, in4kToo);
const on20FastAtReplicate = onReplicate('seedance-2.0-fast', ['480p', '720p'], on20Fast);

/** WaveSpeed, whose prices were not found; it makes more tiers than ByteDance by its own means, which are not served. */
const onWavespeed =
  (version: string, resolutions: readonly string[], { price }: BindingEntry, parameters = ['generate_audio']) =>
  (kind: VideoKind): BindingEntry => ({
    providerId: 'wavespeed',
    modelName: `bytedance/seedance-${version}/${kind === 'i2v' || kind === 'start-end' ? 'image' : 'text'}-to-video`,
    resolutions: [...resolutions],
    parameters,
    // Whether WaveSpeed bills reference videos is not known, so it serves only requests with images.
    ...(kind === 'r2v' && { aspectRatios: ratios, media: { images: { min: 1, max: 9 } } }),
    ...(price && { price: assumed('WaveSpeed', 'fal', price) }),
  });
const on20AtWavespeed = onWavespeed('2.0', tiersOf20, in4kToo('t2v'));
const on20FastAtWavespeed = onWavespeed('2.0-fast', ['480p', '720p'], on20Fast('t2v'));
const olderTiers = ['480p', '720p', '1080p'];
/** One of 1.0, with the price of its other bindings. */
const olderOnReplicate = (modelName: string, others: (kind: VideoKind) => BindingEntry[]) => {
  const binding = (kind: VideoKind) =>
    onReplicate(modelName, kind === 'r2v' ? ['480p', '720p'] : olderTiers, () => ({
      providerId: 'fal',
      modelName: '',
      ...others(kind)[0],
    }))(kind);
  return (kind: VideoKind) => [...others(kind), binding(kind)];
};

/** In the types of fal's client and in Replicate's schemas. */
const upright = ['9:21'];

const rowsOf15 = {
  '480p': { silent: '0.0121', audio: '0.0241' },
  '720p': { silent: '0.0259', audio: '0.0518' },
  '1080p': { silent: '0.0583', audio: '0.1166' },
};
const rowsOf10: Readonly<Record<string, string>> = { '480p': '0.0243', '720p': '0.0564', '1080p': '0.1224' };
const rowsOf10Lite = { '480p': '0.0175', '720p': '0.0406', '1080p': '0.0882' };
const rowsOf10Fast = { '480p': '0.0097', '720p': '0.0226', '1080p': '0.049' };

const on25AtWavespeed = (kind: VideoKind): BindingEntry => ({
  ...onWavespeed('2.5', [...olderTiers, '4k'], on25('t2v'))(kind),
  // With images, it takes no ratio.
  ...(kind !== 't2v' && { aspectRatios: [] }),
});
const on25AtReplicate = onReplicate('seedance-2.5', ['480p', '720p'], tariffOf25);
const priceOf15 = (): BindingEntry => ({ providerId: 'fal', modelName: '', price: perSecond('', rowsOf15) });
/** 1.5 Pro at resellers, whose prices were not found. Replicate ignores a ratio beside a first frame. */
const on15AtResellers = (kind: VideoKind): BindingEntry[] => [
  {
    ...onReplicate('seedance-1.5-pro', olderTiers, priceOf15)(kind),
    parameters: ['generate_audio', 'seed'],
    ...(kind === 't2v' && { aspectRatios: [...ratios, ...upright] }),
  },
  {
    ...onWavespeed('v1.5-pro', olderTiers, priceOf15(), ['generate_audio', 'seed'])(kind),
    ...(kind === 't2v' && { aspectRatios: ratios }),
  },
];

/** WaveSpeed has a model of 1.0 for each tier, for videos of 5 or 10 seconds. */
const olderOnWavespeed =
  (
    version: 'pro' | 'lite',
    prices: Readonly<Record<string, Readonly<Record<'t2v' | 'i2v', VideoModelEntry['price']>>>>,
  ) =>
  (kind: VideoKind): BindingEntry[] =>
    Object.entries(prices).map(([tier, price]) => {
      const task = kind === 't2v' ? 't2v' : 'i2v';
      return {
        providerId: 'wavespeed',
        modelName: `bytedance/seedance-v1-${version}-${task}-${tier}`,
        seconds: [5, 10],
        resolutions: [tier],
        ...(kind === 't2v' && { aspectRatios: ratios }),
        parameters: ['seed'],
        price: price[task],
      };
    });
const pageOnWavespeed = (model: string) =>
  `wavespeed.ai/docs/docs-api/bytedance/bytedance-seedance-${model}, a copy read 2026-11-29.`;
const on10AtWavespeed = olderOnWavespeed(
  'pro',
  Object.fromEntries(
    olderTiers.map((tier) => {
      const found = perSecond(pageOnWavespeed('v1-pro-i2v-1080p'), { '1080p': '0.12' });
      const others = assumed('this model of WaveSpeed', 'fal', perSecond('', { [tier]: rowsOf10[tier] ?? '' }));
      return [tier, { t2v: others, i2v: tier === '1080p' ? found : others }];
    }),
  ),
);
const on10LiteAtWavespeed = olderOnWavespeed('lite', {
  '480p': {
    t2v: perSecond(pageOnWavespeed('v1-lite-t2v-480p'), { '480p': '0.016' }),
    i2v: perSecond(pageOnWavespeed('v1-lite-i2v-480p'), { '480p': '0.016' }),
  },
  '720p': {
    t2v: assumed('this model of WaveSpeed', 'its image to video', perSecond('', { '720p': '0.032' })),
    i2v: perSecond(pageOnWavespeed('v1-lite-i2v-720p'), { '720p': '0.032' }),
  },
  '1080p': Object.fromEntries(
    (['t2v', 'i2v'] as const).map((task) => [
      task,
      assumed('this model of WaveSpeed', 'fal', perSecond('', { '1080p': '0.0882' })),
    ]),
  ) as Readonly<Record<'t2v' | 'i2v', VideoModelEntry['price']>>,
});
const referencesOn10LiteAtWavespeed: BindingEntry = {
  providerId: 'wavespeed',
  modelName: 'bytedance/seedance-v1-lite/reference-to-video',
  seconds: wholeSeconds(5, 10),
  resolutions: ['720p'],
  // It has no field for the ratio.
  aspectRatios: [],
  parameters: ['seed'],
  promptCharacters: 2_000,
  price: assumed('this model of WaveSpeed', 'its image to video', perSecond('', { '720p': '0.032' })),
};

/** A version of Seedance. The catalog has one model of it for each kind of video. */
interface Version extends Pick<VideoModelEntry, 'seconds' | 'resolutions' | 'price' | 'deadlineSeconds'> {
  /** The ratios that resellers make in addition, of videos from a text. */
  readonly ratiosOfResellers?: readonly string[];
  /** The tiers that fal makes in addition, except for edits. */
  readonly tiersOfFal?: readonly string[];
  /** When its entries were added; absent: in the first or the second edition of the catalog. */
  readonly created?: number;
  /** As in the ids of its models, such as `2.0-fast`. */
  readonly id: string;
  /** As in the names of its models, such as `2.0 Fast`. */
  readonly name: string;
  /** BytePlus' name of the model. */
  readonly modelName: string;
  /** BytePlus' name of the model for videos from images, if it is another one. */
  readonly modelNameOfImages?: string;
  readonly kinds: readonly VideoKind[];
  /** Durations and tiers, for the descriptions. */
  readonly limits: string;
  readonly isSilent?: true;
  /** When the vendor deprecated the version, and the id of the version that resellers then recommended. */
  readonly deprecated?: { readonly at: string; readonly replacement: string };
  readonly references?: {
    readonly images: number;
    /** Absent: the version takes no reference videos. */
    readonly videos?: {
      readonly count: number;
      /** The total length; a request that does not state it is billed for this many seconds. */
      readonly seconds: number;
      /** The price with reference videos, whose seconds are billed too. */
      readonly price: Parameters<typeof perSecond>[1];
    };
    /** The resolutions with references, where they are fewer than those of the version. */
    readonly resolutions?: readonly string[];
  };
  /** The price of edits. The source is as long as the output, and is billed too. */
  readonly editPrice?: VideoModelEntry['price'];
  /** The bindings in addition to that of BytePlus. */
  readonly others: (kind: VideoKind) => readonly BindingEntry[];
}

/** The models in the first edition of the catalog. */
const firstIds = ['seedance-2.0-t2v', 'seedance-2.0-i2v', 'seedance-2.0-r2v', 'seedance-2.0-fast-t2v'];

const frames: readonly VideoKind[] = ['t2v', 'i2v', 'start-end'];
const every: readonly VideoKind[] = [...frames, 'r2v'];

/** Prices of Seedance 2.5 with a reference video or a source video. */
const newRowsWithVideo = { '480p': '0.0643', '720p': '0.1382', '1080p': '0.3402' };

const versions: readonly Version[] = [
  {
    id: '2.0',
    name: '2.0',
    modelName: 'dreamina-seedance-2-0-260128',
    kinds: every,
    seconds: wholeSeconds(4, 15),
    resolutions: ['480p', '720p', '1080p', '4k'],
    limits: '4 to 15 seconds from 480p to 4k',
    price,
    references: {
      images: 9,
      videos: {
        count: 3,
        seconds: 15,
        price: {
          '480p': '0.0432',
          '720p': '0.0929',
          '1080p': '0.2284',
          ...rowsOf20In4kWithVideo,
        },
      },
    },
    others: (kind) => [onRunway, on20(kind), on20AtReplicate(kind), on20AtWavespeed(kind)],
  },
  {
    id: '2.0-fast',
    name: '2.0 Fast',
    modelName: 'dreamina-seedance-2-0-fast-260128',
    kinds: every,
    seconds: wholeSeconds(4, 15),
    resolutions: ['480p', '720p'],
    limits: '4 to 15 seconds at 480p or 720p, faster and cheaper than Seedance 2.0',
    price: fastPrice,
    references: { images: 9, videos: { count: 3, seconds: 15, price: { '480p': '0.0331', '720p': '0.0713' } } },
    others: (kind) => [fastOnRunway, on20Fast(kind), on20FastAtReplicate(kind), on20FastAtWavespeed(kind)],
  },
  {
    id: '2.0-mini',
    name: '2.0 Mini',
    modelName: 'dreamina-seedance-2-0-mini-260615',
    kinds: every,
    seconds: wholeSeconds(4, 15),
    resolutions: ['480p', '720p'],
    limits: '4 to 15 seconds at 480p or 720p, the cheapest of Seedance 2.0',
    price: perSecond(TARIFF, { '480p': '0.0352', '720p': '0.0756' }),
    references: { images: 9, videos: { count: 3, seconds: 15, price: { '480p': '0.0211', '720p': '0.0454' } } },
    others: () => [miniOnRunway],
  },
  {
    id: '2.5',
    name: '2.5',
    modelName: 'dreamina-seedance-2-5-260628',
    // The older versions take a video as a reference only.
    kinds: [...every, 'video-edit'],
    seconds: wholeSeconds(4, 30),
    resolutions: ['480p', '720p', '1080p'],
    tiersOfFal: ['4k'],
    limits: '4 to 30 seconds from 480p to 1080p',
    // Twice the usual time for videos of twice the usual length.
    deadlineSeconds: 1_800,
    price: unverified(perSecond(NEW_TARIFF, { '480p': '0.1075', '720p': '0.2311', '1080p': '0.5687' })),
    references: { images: 30, videos: { count: 10, seconds: 30, price: newRowsWithVideo } },
    editPrice: unverified(perInputAndOutputSecond(NEW_TARIFF, newRowsWithVideo)),
    others: (kind) => {
      if (kind === 'video-edit') return [newEditOnRunway];
      if (kind === 'r2v') return [newReferencesOnRunway, on25(kind), on25AtReplicate(kind)];
      return [newOnRunway, on25(kind), on25AtReplicate(kind), on25AtWavespeed(kind)];
    },
  },
  {
    id: '1.5-pro',
    ratiosOfResellers: upright,
    name: '1.5 Pro',
    modelName: 'seedance-1-5-pro-251215',
    kinds: frames,
    // ByteDance shut this version down at Volcano Engine, its cloud in China, at 17:00 there; no date is known for
    // BytePlus (github.com/orgs/cometapi-dev/discussions/140).
    deprecated: { at: '2026-11-11T09:00:00Z', replacement: '2.5' },
    seconds: wholeSeconds(4, 12),
    resolutions: ['480p', '720p', '1080p'],
    limits: '4 to 12 seconds from 480p to 1080p',
    price: unverified(perSecond(OLDER_TARIFF, rowsOf15)),
    others: (kind) => [
      ...olderOnFal(
        'v1.5/pro',
        rowsOf15,
        bothPages,
        false,
      )(kind).map((binding) => ({
        ...binding,
        ...(kind === 't2v' && { aspectRatios: ratios }),
      })),
      ...on15AtResellers(kind),
    ],
  },
  {
    id: '1.0-pro',
    ratiosOfResellers: upright,
    name: '1.0 Pro',
    modelName: 'seedance-1-0-pro-250528',
    kinds: frames,
    // ByteDance shut this version down at Volcano Engine too, at the end of the day there
    // (github.com/orgs/cometapi-dev/discussions/121).
    deprecated: { at: '2026-07-17T16:00:00Z', replacement: '2.0' },
    isSilent: true,
    seconds: wholeSeconds(2, 12),
    resolutions: ['480p', '720p', '1080p'],
    limits: '2 to 12 seconds from 480p to 1080p',
    price: unverified(perSecond(OLDER_TARIFF, rowsOf10)),
    others: (kind) => [
      ...olderOnReplicate('seedance-1-pro', olderOnFal('v1/pro', rowsOf10, ['image-to-video'], true))(kind),
      ...on10AtWavespeed(kind),
    ],
  },
  {
    id: '1.0-lite',
    ratiosOfResellers: upright,
    name: '1.0 Lite',
    modelName: 'seedance-1-0-lite-t2v-250428',
    modelNameOfImages: 'seedance-1-0-lite-i2v-250428',
    kinds: every,
    isSilent: true,
    seconds: wholeSeconds(2, 12),
    resolutions: ['480p', '720p', '1080p'],
    limits: '2 to 12 seconds from 480p to 1080p, the cheapest of Seedance 1.0 with a last frame',
    created: fourthEdition,
    price: unverified(perSecond(OLDER_TARIFF, rowsOf10Lite)),
    references: { images: 4, resolutions: ['480p', '720p'] },
    others: (kind) => [
      ...olderOnReplicate('seedance-1-lite', olderOnFal('v1/lite', rowsOf10Lite, [], true))(kind),
      ...(kind === 'r2v' ? [referencesOn10LiteAtWavespeed] : on10LiteAtWavespeed(kind)),
    ],
  },
  {
    id: '1.0-pro-fast',
    ratiosOfResellers: upright,
    name: '1.0 Pro Fast',
    modelName: 'seedance-1-0-pro-fast-251015',
    // This version takes no last frame.
    kinds: ['t2v', 'i2v'],
    isSilent: true,
    seconds: wholeSeconds(2, 12),
    resolutions: ['480p', '720p', '1080p'],
    limits: '2 to 12 seconds from 480p to 1080p, faster and cheaper than Seedance 1.0 Pro',
    price: unverified(perSecond(OLDER_TARIFF, rowsOf10Fast)),
    others: olderOnReplicate('seedance-1-pro-fast', olderOnFal('v1/pro/fast', rowsOf10Fast, bothPages, true)),
  },
];

/** Rates by shape: wide and upright (16:9, 9:16, 21:9), 4:3 and 3:4, and all others, such as squares. */
function inShapes(wide: string, classic: string, square: string) {
  return { shapes: { [wide]: ['16:9', '9:16', '21:9'], [classic]: ['4:3', '3:4'] }, others: square };
}

export const seedanceModels: readonly Model[] = versions.flatMap((version) =>
  version.kinds.map((kind) => modelOf(version, kind)),
);

function modelOf(version: Version, kind: VideoKind): Model {
  const { name, modelName, seconds, resolutions, price: tariff, deadlineSeconds, references, editPrice } = version;
  const id = `seedance-${version.id}-${kind}`;
  const words = wordsOf(version, kind);
  const tiersOfFal = kind === 'video-edit' ? undefined : version.tiersOfFal;
  const bindings: readonly BindingEntry[] = [
    {
      providerId: 'bytedance',
      modelName: kind === 't2v' ? modelName : (version.modelNameOfImages ?? modelName),
      ...(kind === 'video-edit' && { outputFollowsSource: true }),
      ...(tiersOfFal && { resolutions }),
      ...(kind === 't2v' && version.ratiosOfResellers && { aspectRatios: ratios }),
    },
    ...version.others(kind),
  ];
  const { defaultSeconds, ...ofEveryKind } = shared;
  return videoModel({
    ...ofEveryKind,
    ...(kind !== 'video-edit' && { defaultSeconds }),
    ...(version.isSilent && silent),
    id,
    name: `Seedance ${name} ${words.name}`,
    ...(id === 'seedance-2.0-t2v' && { aliases: ['seedance-t2v'] }),
    description: `${words.description}: ${version.limits}${tiersOfFal ? `, and at ${tiersOfFal.join(', ')} where fal makes it` : ''}.`,
    created: version.created ?? (firstIds.includes(id) ? firstEdition : secondEdition),
    ...(version.deprecated && {
      deprecatedAt: version.deprecated.at,
      replacements: [`seedance-${version.deprecated.replacement}-${kind}`],
    }),
    kind,
    seconds,
    resolutions: [...resolutions, ...(tiersOfFal ?? [])],
    price: tariff,
    ...(deadlineSeconds !== undefined && { deadlineSeconds }),
    aspectRatios: [...ratiosOf(kind), ...((kind === 't2v' && version.ratiosOfResellers) || [])],
    ...(kind === 'i2v' && { media: { images: { min: 1, max: 1 } } }),
    ...(kind === 'start-end' && { media: { images: { min: 2, max: 2 } } }),
    ...(kind === 'r2v' &&
      references && {
        ...(references.resolutions && { resolutions: references.resolutions }),
        ...(references.videos
          ? {
              media: {
                images: { min: 0, max: references.images },
                videos: { min: 0, max: references.videos.count },
                eitherRequired: true,
              },
              price: withVideoInput(tariff, {
                per: 'input_plus_output_second',
                secondsIfUnstated: references.videos.seconds,
                // With short reference videos BytePlus bills a minimum: 7 seconds for an output of 4, 9 for 5 and 15
                // for 9, as a reseller lists it (docs.jiekou.ai/en/docs/models/reference-seedance-2.0, read
                // 2026-11-28).
                atLeastOutput: true,
                rows: references.videos.price,
              }),
            }
          : { media: { images: { min: 1, max: references.images } } }),
      }),
    ...(kind === 'video-edit' &&
      editPrice && {
        created: Date.UTC(2026, 10, 28) / 1_000,
        sourceSeconds: { min: seconds[0] ?? 0, max: seconds.at(-1) ?? 0 },
        media: { sourceVideo: true, images: { min: 0, max: references?.images ?? 0 } },
        price: editPrice,
      }),
    // Versions that take reference videos also take recordings of a voice.
    bindings: ['r2v', 'video-edit'].includes(kind) && references?.videos ? bindings.map(withVoice) : bindings,
  });
}

/** Without a size, a video has the shape of its first image; an edit always has that of its source. */
function ratiosOf(kind: VideoKind): string[] {
  if (kind === 'video-edit') return [];
  return kind === 't2v' ? ratios : [...ratios, 'adaptive'];
}

function withVoice(binding: BindingEntry): BindingEntry {
  return { ...binding, parameters: [...(binding.parameters ?? shared.parameters), 'reference_voice'] };
}

function wordsOf({ isSilent, references }: Version, kind: VideoKind): { name: string; description: string } {
  const videos = references?.videos
    ? ` and ${references.videos.count} reference videos, whose seconds, at least as many as those of the output, are billed too, at a lower rate`
    : '';
  const video = isSilent ? 'a silent video' : 'a video, silent or with sound,';
  switch (kind) {
    case 'i2v':
      return {
        name: 'image to video',
        description: `Makes ${video} that begins with the given image, in its shape unless a size is requested`,
      };
    case 'start-end':
      return {
        name: 'first and last frame',
        description: `Makes ${video} that leads from the first given image to the second`,
      };
    case 'r2v':
      return {
        name: 'reference to video',
        description: `Makes ${video} from a text with up to ${references?.images} reference images${videos}`,
      };
    case 'video-edit':
      return {
        name: 'video edit',
        description: `Changes a given video by a text and up to ${references?.images} reference images; it keeps its length and its shape, and its seconds are billed too`,
      };
    case 't2v':
      return { name: 'text to video', description: `Makes ${video} from a text` };
  }
}
