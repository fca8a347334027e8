import type { VideoPriceEntry } from './model-entry';

// Constructors for the prices in a family's file. Tiers are rows, and dollars are text, because a price is never a
// float. Every price names its source.

type VideoRateEntry = VideoPriceEntry['rates'][number];
type SoundCell = string | { readonly silent: string; readonly audio: string };
/** The price of a tier: one for all, one without and one with audio, or one for some ratios and one for all others. */
type Cell = SoundCell | { readonly shapes: Readonly<Record<string, readonly string[]>>; readonly others: string };
/** Tier → price. */
type Rows = Readonly<Record<string, Cell>>;

/** Creates a price in dollars per second of output. */
export function perSecond(source: string, rows: Rows): VideoPriceEntry {
  return { per: 'output_second', rates: ratesOf(rows), source, verified: true };
}

/** Creates a price in dollars per second of input and of output. */
export function perInputAndOutputSecond(source: string, rows: Rows): VideoPriceEntry {
  return { per: 'input_plus_output_second', rates: ratesOf(rows), source, verified: true };
}

/** Creates a price in dollars per finished clip. A row may have a price for each duration. */
export function perClip(
  source: string,
  rows: Readonly<Record<string, SoundCell | Readonly<Record<number, SoundCell>>>>,
): VideoPriceEntry {
  const rates = Object.entries(rows).flatMap(([resolution, cell]) =>
    typeof cell === 'string' || 'silent' in cell
      ? soundRates({ resolution }, cell)
      : Object.entries(cell).flatMap(([seconds, each]) => soundRates({ resolution, seconds: Number(seconds) }, each)),
  );
  return { per: 'clip', rates, source, verified: true };
}

/**
 * Creates a price in dollars per finished clip that depends on the parameter `options`. `unnamed` is the option that
 * applies if none is sent.
 */
export function perOption(source: string, rows: Readonly<Record<string, string>>, unnamed: string): VideoPriceEntry {
  const rates = Object.entries(rows).map(([option, usd]): VideoRateEntry => ({ option, usd }));
  const otherwise = rates.find((rate) => rate.option === unnamed);
  if (!otherwise) throw new RangeError(`There is no price for the option "${unnamed}".`);
  return { per: 'clip', rates: [...rates, { usd: otherwise.usd }], source, verified: true };
}

/** Adds other rows for orders with reference videos. */
export function withVideoInput(
  price: VideoPriceEntry,
  input: {
    readonly per: VideoPriceEntry['per'];
    readonly secondsIfUnstated?: number;
    readonly secondsOfEachIfUnstated?: number;
    readonly secondsAtMost?: number;
    readonly atLeastOutput?: true;
    readonly rows: Rows;
  },
): VideoPriceEntry {
  const rates = ratesOf(input.rows).map((rate): VideoRateEntry => ({
    ...rate,
    withVideoInput: true,
    per: input.per,
    ...(input.secondsIfUnstated !== undefined && { inputSecondsIfUnstated: input.secondsIfUnstated }),
    ...(input.secondsOfEachIfUnstated !== undefined && { inputSecondsOfEachIfUnstated: input.secondsOfEachIfUnstated }),
    ...(input.secondsAtMost !== undefined && { inputSecondsAtMost: input.secondsAtMost }),
    ...(input.atLeastOutput && { inputAtLeastOutput: true as const }),
  }));
  // First, because the first matching rate applies.
  return { ...price, rates: [...rates, ...price.rates] };
}

/** Adds other rows for orders with a reference voice and with sound; without sound, the voice has no effect. */
export function withVoice(price: VideoPriceEntry, rows: Readonly<Record<string, string>>): VideoPriceEntry {
  const rates = Object.entries(rows).map(([resolution, usd]): VideoRateEntry => ({
    resolution,
    audio: true,
    withVoice: true,
    usd,
  }));
  // First, because the first matching rate applies.
  return { ...price, rates: [...rates, ...price.rates] };
}

/**
 * Marks the rates at these resolutions as not confirmed at the source: an order at them is not offered for live use
 * until the operator confirms the price of the binding. `source` says where the numbers come from.
 */
export function unverifiedAt(resolutions: readonly string[], source: string, price: VideoPriceEntry): VideoPriceEntry {
  return {
    ...price,
    rates: price.rates.map((rate) =>
      rate.resolution !== undefined && resolutions.includes(rate.resolution) ? { ...rate, unverified: true } : rate,
    ),
    source: `${price.source} UNVERIFIED at ${resolutions.join(', ')}: ${source}`,
  };
}

/** Adds an amount for each image of a request beyond the first `free` ones. */
export function withImages(
  price: VideoPriceEntry,
  { free, usd }: { readonly free: number; readonly usd: string },
): VideoPriceEntry {
  return { ...price, extras: [{ per: 'picture', free, usd }] };
}

/**
 * Takes the numbers of another tariff for a provider whose own tariff was not found. The price is not offered for live
 * use until the operator confirms it. `whose` says whose numbers they are.
 */
export function assumed(provider: string, whose: string, price: VideoPriceEntry): VideoPriceEntry {
  return unverified({
    ...price,
    source: `UNVERIFIED: the price of ${provider} was not found; these are the numbers of ${whose}.`,
  });
}

/** Returns the binding with its numbers marked as those of another tariff; see `assumed`. */
export function withAssumedPrice<B extends { readonly price: VideoPriceEntry }>(
  binding: B,
  provider: string,
  whose: string,
): Omit<B, 'price'> & { readonly price: VideoPriceEntry } {
  return { ...binding, price: assumed(provider, whose, binding.price) };
}

/** Marks a price as not confirmed at its source: it is not offered for live use until the operator confirms it. */
export function unverified(price: VideoPriceEntry): VideoPriceEntry {
  return { ...price, verified: false };
}

function ratesOf(rows: Rows): VideoRateEntry[] {
  return Object.entries(rows).flatMap(([resolution, cell]): VideoRateEntry[] => {
    if (typeof cell === 'string' || 'silent' in cell) return soundRates({ resolution }, cell);
    return [
      ...Object.entries(cell.shapes).map(([usd, aspectRatios]) => ({ resolution, aspectRatios, usd })),
      { resolution, usd: cell.others },
    ];
  });
}

function soundRates(conditions: Omit<VideoRateEntry, 'usd'>, cell: SoundCell): VideoRateEntry[] {
  if (typeof cell === 'string') return [{ ...conditions, usd: cell }];
  return [
    { ...conditions, audio: false, usd: cell.silent },
    { ...conditions, audio: true, usd: cell.audio },
  ];
}
