import { wholeSeconds } from '../../domain/video-tiers';
import { firstEdition } from '../model-entry';
import type { BindingEntry, VideoModelEntry, VideoPriceEntry } from '../model-entry';
import { perSecond, unverified, withVoice } from '../price-table';

// Facts that all versions of Kling's models share.

export const TARIFF =
  'UNVERIFIED: kling.ai/document-api/pricing/base/video as notes of its readers copy it, 2026-09-16.';
const price = unverified(
  perSecond(TARIFF, {
    '720p': { silent: '0.084', audio: '0.126' },
    '1080p': { silent: '0.112', audio: '0.168' },
    '4k': '0.42',
  }),
);
export const ratios = ['16:9', '9:16', '1:1'];

export const shared = {
  family: 'kling',
  created: firstEdition,
  seconds: wholeSeconds(3, 15),
  resolutions: ['720p', '1080p', '4k'],
  defaultResolution: '720p',
  // Not documented by the provider; the real rate of a finished video is read from its file.
  fps: { default: 24 },
  audio: 'toggle',
  parameters: ['sound', 'multi_clip', 'watermark', 'remove_watermark'],
  promptCharacters: 3_072,
  price,
} satisfies Partial<VideoModelEntry>;

/** Replicate's prices of Kling 3.0. */
export const pricesOf30AtReplicate = {
  '720p': { silent: '0.168', audio: '0.252' },
  '1080p': { silent: '0.224', audio: '0.336' },
} as const;

/** A model of WaveSpeed, which has one for each tier. The price covers the tier. */
export const onWavespeed = (modelName: string, price: VideoPriceEntry) =>
  ({
    providerId: 'wavespeed',
    modelName: `kwaivgi/${modelName}`,
    resolutions: [...new Set(price.rates.flatMap(({ resolution }) => resolution ?? []))],
    promptCharacters: 2_500,
    negativePromptCharacters: 2_500,
    price,
  }) satisfies BindingEntry;

export const firstFrame = { images: { min: 1, max: 1 } };
export const bothFrames = { images: { min: 2, max: 2 } };

/** With images, a voice can be ordered by its id at Kling. Its price is that of fal in most copies of its pages. */
export const voicedAtKling = (
  binding: BindingEntry & { readonly parameters: readonly string[] },
  price: VideoPriceEntry,
  rows: Readonly<Record<string, string>>,
): BindingEntry => ({
  ...binding,
  parameters: [...binding.parameters, 'reference_voice'],
  voiceNames: true,
  price: withVoice(
    { ...price, source: `${price.source} With a voice, that of fal in most copies of its pages.` },
    rows,
  ),
});
