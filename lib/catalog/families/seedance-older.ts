import type { VideoKind } from '../../domain/video';
import { wholeSeconds } from '../../domain/video-tiers';
import { fourthEdition } from '../model-entry';
import type { BindingEntry, VideoModelEntry } from '../model-entry';
import { assumed, perSecond, unverified } from '../price-table';
import { endpointAtFal, every, frames, onFal, onReplicate, onWavespeed, ratios, type Version } from './seedance-shared';

// The versions before 2.0.

/** The tariff per token of these versions is known only from resellers. */
const OLDER_TARIFF =
  "UNVERIFIED: computed from BytePlus' tariff per token as resellers quote it, 2026-07, and its formula of pixels to tokens.";

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

const olderTiers = ['480p', '720p', '1080p'];
/** Adds Replicate's binding to those of a model of 1.0, with the price of the other bindings. */
const olderOnReplicate = (modelName: string, others: (kind: VideoKind) => BindingEntry[]) => {
  const binding = (kind: VideoKind) =>
    onReplicate(modelName, kind === 'r2v' ? ['480p', '720p'] : olderTiers, () => ({
      providerId: 'fal',
      modelName: '',
      ...others(kind)[0],
    }))(kind);
  return (kind: VideoKind) => [...others(kind), binding(kind)];
};

/** A ratio that is listed in the types of fal's client and in Replicate's schemas. */
const upright = ['9:21'];

const rowsOf15 = {
  '480p': { silent: '0.0121', audio: '0.0241' },
  '720p': { silent: '0.0259', audio: '0.0518' },
  '1080p': { silent: '0.0583', audio: '0.1166' },
};
const rowsOf10: Readonly<Record<string, string>> = { '480p': '0.0243', '720p': '0.0564', '1080p': '0.1224' };
const rowsOf10Lite = { '480p': '0.0175', '720p': '0.0406', '1080p': '0.0882' };
const rowsOf10Fast = { '480p': '0.0097', '720p': '0.0226', '1080p': '0.049' };

const priceOf15 = (): BindingEntry => ({ providerId: 'fal', modelName: '', price: perSecond('', rowsOf15) });
/** 1.5 Pro at resellers, whose prices were not found. Replicate ignores a ratio beside a first frame. */
const on15AtResellers = (kind: VideoKind): BindingEntry[] => [
  {
    ...onReplicate('seedance-1.5-pro', olderTiers, priceOf15)(kind),
    parameters: ['generate_audio', 'seed'],
    ...(kind === 't2v' && { aspectRatios: [...ratios, ...upright] }),
  },
  {
    ...onWavespeed('v1.5-pro', olderTiers, priceOf15(), { parameters: ['generate_audio', 'seed'] })(kind),
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

export const olderVersions: readonly Version[] = [
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
