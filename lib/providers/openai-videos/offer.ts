import { SettingError } from '../../domain/provider-settings';
import { parsePrice, type UnitPrice } from '../../domain/money';
import type { ProviderDeps } from '../../domain/provider';
import type { VideoBinding } from '../../domain/video';
import { matchingRatio, nearestTier } from '../../domain/video-tiers';

// The videos that the server makes, as the operator states them: sizes, durations and a price.

type Settings = ProviderDeps['settings'];

export interface Offer {
  readonly seconds: readonly number[];
  readonly resolutions: readonly string[];
  readonly aspectRatios: readonly string[];
  /** Dollars per second of output; absent if the operator has not stated it. */
  readonly price?: UnitPrice;
  /** Returns `WIDTHxHEIGHT`; undefined for a tier or a ratio that is not offered. */
  sizeOf(resolution: string, aspectRatio: string): string | undefined;
}

/** The defaults of the API that this dialect comes from. */
export const DEFAULT_SIZES = '1280x720,720x1280';
export const DEFAULT_SECONDS = '4,8,12';
const TIERS = ['480p', '720p', '1080p', '4k'];
const RATIOS = ['16:9', '9:16', '1:1', '4:3', '3:4', '21:9'];
const MAX_SECONDS = 60;
const HIGHEST_PRICE = parsePrice('10');

/** Parses the settings of the offer. Throws a SettingError for the operator. */
export function parseOffer(settings: Settings): Offer {
  const sizes = parseSizes(settings.OPENAI_VIDEOS_SIZES ?? DEFAULT_SIZES);
  const price = settings.OPENAI_VIDEOS_PRICE;
  return {
    seconds: parseSeconds(settings.OPENAI_VIDEOS_SECONDS ?? DEFAULT_SECONDS),
    resolutions: TIERS.filter((tier) => sizes.some(({ resolution }) => resolution === tier)),
    aspectRatios: RATIOS.filter((ratio) => sizes.some(({ aspectRatio }) => aspectRatio === ratio)),
    ...(price !== undefined && { price: parseOwnPrice(price) }),
    sizeOf: (resolution, aspectRatio) =>
      sizes.find((size) => size.resolution === resolution && size.aspectRatio === aspectRatio)?.size,
  };
}

/** Limits a binding to the operator's statements. Without a price it is not offered in live mode. */
export function narrowToOffer(
  binding: VideoBinding,
  { seconds, resolutions, aspectRatios, price }: Offer,
): VideoBinding {
  return {
    ...binding,
    seconds,
    resolutions,
    aspectRatios,
    ...(price !== undefined && {
      stability: 'stable',
      price: {
        per: 'output_second',
        rates: [{ usd: price }],
        source: 'Stated by the operator in OPENAI_VIDEOS_PRICE.',
        verified: true,
      },
    }),
  };
}

interface Size {
  readonly size: string;
  readonly resolution: string;
  readonly aspectRatio: string;
}

function parseSizes(text: string): readonly Size[] {
  const sizes = listOf(text).map(parseSize);
  const places = sizes.map(({ resolution, aspectRatio }) => `${resolution} at ${aspectRatio}`);
  const twice = places.find((place, index) => places.indexOf(place) !== index);
  if (twice !== undefined)
    throw new SettingError('OPENAI_VIDEOS_SIZES', `has two sizes for ${twice}; state one of them.`);
  const wanted = [...new Set(sizes.map(({ resolution }) => resolution))].flatMap((tier) =>
    [...new Set(sizes.map(({ aspectRatio }) => aspectRatio))].map((ratio) => `${tier} at ${ratio}`),
  );
  const missing = wanted.find((place) => !places.includes(place));
  if (missing !== undefined)
    throw new SettingError(
      'OPENAI_VIDEOS_SIZES',
      `must have the same ratios for every resolution; ${missing} is missing.`,
    );
  return sizes;
}

function parseSize(size: string): Size {
  const [, width, height] = /^(\d{2,4})x(\d{2,4})$/.exec(size) ?? [];
  const resolution = nearestTier(TIERS, Number(width) * Number(height));
  const aspectRatio = matchingRatio(RATIOS, Number(width) / Number(height));
  if (resolution === undefined || aspectRatio === undefined)
    throw new SettingError(
      'OPENAI_VIDEOS_SIZES',
      `must be sizes such as ${DEFAULT_SIZES}, about ${TIERS.join(', ')} at ${RATIOS.join(', ')}; got ${JSON.stringify(size)}.`,
    );
  return { size, resolution, aspectRatio };
}

function parseSeconds(text: string): readonly number[] {
  const seconds = listOf(text).map(Number);
  if (!seconds.every((length) => Number.isInteger(length) && length >= 1 && length <= MAX_SECONDS))
    throw new SettingError(
      'OPENAI_VIDEOS_SECONDS',
      `must be whole numbers from 1 to ${MAX_SECONDS}, such as ${DEFAULT_SECONDS}; got ${JSON.stringify(text)}.`,
    );
  return [...new Set(seconds)].toSorted((a, b) => a - b);
}

function parseOwnPrice(text: string): UnitPrice {
  const price = /^\d{1,3}(?:\.\d{1,18})?$/.test(text) ? parsePrice(text) : undefined;
  if (price === undefined || price <= 0n || price > HIGHEST_PRICE)
    throw new SettingError(
      'OPENAI_VIDEOS_PRICE',
      `must be dollars per second, above 0 and at most 10, such as 0.10; got ${JSON.stringify(text)}.`,
    );
  return price;
}

const listOf = (text: string): string[] => text.split(',').map((part) => part.trim());
