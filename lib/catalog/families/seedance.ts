import type { Model } from '../../domain/model';
import type { VideoKind } from '../../domain/video';
import { wholeSeconds } from '../../domain/video-tiers';
import type { BindingEntry } from '../model-entry';
import { assumed, perInputAndOutputSecond, perSecond, unverified, unverifiedAt, withVideoInput } from '../price-table';
import { RUNWAY_TARIFF } from './runway';
import { olderVersions } from './seedance-older';
import { endpointAtFal, every, modelsOf, onFal, onReplicate, onWavespeed, type Version } from './seedance-shared';

// BytePlus charges tokens, of which a second has width × height × 24 / 1024. The pictures of a tier have nearly the
// same area whatever their ratio, and the price is that of 864x496, 1280x720 and 1920x1080 in the 2.x and 1.5 models,
// and of the largest one in the 1.0 models: 864x480, 1504x640 and 1920x1088. At 4k only 3840x2160 is documented; the
// prices of the other ratios are those of the sizes in Runway's API for the model, 3840x2880 and 3840x3840.
const TARIFF =
  "Computed from BytePlus' tariff per token (docs.byteplus.com/en/docs/ModelArk/1544106, 2026-07) and its formula of pixels to tokens.";
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
  resolutions: ['480p', '720p'],
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
const rowsOf20FastOnFal = { '480p': '0.1125', '720p': '0.242' };
const on20Fast = newerOnFal('2.0/fast', {
  ...computed,
  rows: rowsOf20FastOnFal,
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

const on20AtReplicate = onReplicate('seedance-2.0', tiersOf20, in4kToo);
const on20FastAtReplicate = onReplicate('seedance-2.0-fast', ['480p', '720p'], on20Fast);

const on20AtWavespeed = onWavespeed('2.0', tiersOf20, in4kToo('t2v'));
// WaveSpeed makes 1080p of Fast too (wavespeed.ai/docs/docs-api/bytedance/bytedance-seedance-2.0-fast-text-to-video, a
// copy read 2026-11-30). fal does not, so the number at 1080p is that of Seedance 2.0, the dearer version.
const on20FastAtWavespeed = onWavespeed(
  '2.0-fast',
  ['480p', '720p', '1080p'],
  { price: perSecond('', { ...rowsOf20FastOnFal, '1080p': rowsOf20OnFal['1080p'] }) },
  { whose: 'fal, at 1080p those of its Seedance 2.0' },
);
const on25AtWavespeed = (kind: VideoKind): BindingEntry => ({
  ...onWavespeed('2.5', ['480p', '720p', '1080p', '4k'], on25('t2v'))(kind),
  // With images, it takes no ratio.
  ...(kind !== 't2v' && { aspectRatios: [] }),
});
const on25AtReplicate = onReplicate('seedance-2.5', ['480p', '720p'], tariffOf25);
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
    tiersOfReseller: { tiers: ['1080p'], reseller: 'WaveSpeed' },
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
    tiersOfReseller: { tiers: ['4k'], reseller: 'fal' },
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
];

/** Rates by shape: wide and upright (16:9, 9:16, 21:9), 4:3 and 3:4, and all others, such as squares. */
function inShapes(wide: string, classic: string, square: string) {
  return { shapes: { [wide]: ['16:9', '9:16', '21:9'], [classic]: ['4:3', '3:4'] }, others: square };
}

export const seedanceModels: readonly Model[] = [...versions, ...olderVersions].flatMap(modelsOf);
