import type { VideoPriceJson, VideoRateJson } from '../contract/models';
import type { VideoModel } from '../domain/model';
import type { VideoBinding, VideoPrice, VideoRate } from '../domain/video';
import { priceText } from '../domain/money';

// The price of a video as the catalog shows it.

/** Presents a price as JSON. Conditions that a rate does not have are absent. */
export function presentVideoPrice(price: VideoPrice): VideoPriceJson {
  return {
    currency: 'USD',
    per: price.per,
    rates: price.rates.map(presentRate),
    ...(price.extras && {
      extras: price.extras.map(({ per, free, usd }) => ({ per, free, usd: priceText(usd) })),
    }),
    source: price.source,
    verified: price.verified,
  };
}

/** Returns the price of a mapping of a model, without rates for resolutions that the mapping does not have. */
export function priceOfMapping(
  { video }: VideoModel,
  { price, resolutions = video.resolutions }: Pick<VideoBinding, 'price' | 'resolutions'>,
): VideoPrice {
  const rates = price.rates.filter(({ resolution }) => resolution === undefined || resolutions.includes(resolution));
  return rates.length === price.rates.length ? price : { ...price, rates };
}

/**
 * Returns the price of a model: that of its first mapping, and for each resolution that this mapping does not have, the
 * price of the first mapping that has it. Undefined for a model without mappings.
 */
export function priceOfModel(model: VideoModel): VideoPrice | undefined {
  const { bindings, video } = model;
  const seen = new Set<string>();
  const parts = bindings.flatMap((binding) => {
    const resolutions = (binding.resolutions ?? video.resolutions).filter((resolution) => !seen.has(resolution));
    for (const resolution of resolutions) seen.add(resolution);
    return resolutions.length === 0 ? [] : [{ price: binding.price, resolutions }];
  });
  const [first] = parts;
  if (!first) return undefined;
  if (parts.length === 1) return priceOfMapping(model, first);
  const { per } = first.price;
  return {
    ...first.price,
    rates: parts.flatMap(({ price, resolutions }) =>
      price.rates.flatMap((rate) =>
        resolutions
          .filter((resolution) => (rate.resolution ?? resolution) === resolution)
          .map((resolution): VideoRate => ({
            ...rate,
            resolution,
            ...((rate.per ?? price.per) !== per && { per: rate.per ?? price.per }),
          })),
      ),
    ),
    source: [...new Set(parts.map(({ price }) => price.source))].join(' '),
    verified: parts.every(({ price }) => price.verified),
  };
}

function presentRate(rate: VideoRate): VideoRateJson {
  return {
    ...(rate.resolution !== undefined && { resolution: rate.resolution }),
    ...(rate.audio !== undefined && { audio: rate.audio }),
    ...(rate.seconds !== undefined && { seconds: rate.seconds }),
    ...(rate.option !== undefined && { option: rate.option }),
    ...(rate.aspectRatios !== undefined && { aspect_ratios: [...rate.aspectRatios] }),
    ...(rate.withVideoInput !== undefined && { with_video_input: rate.withVideoInput }),
    ...(rate.withVoice && { with_voice: true as const }),
    ...(rate.inputSecondsIfUnstated !== undefined && { input_seconds_if_unstated: rate.inputSecondsIfUnstated }),
    ...(rate.inputSecondsOfEachIfUnstated !== undefined && {
      input_seconds_of_each_if_unstated: rate.inputSecondsOfEachIfUnstated,
    }),
    ...(rate.inputSecondsAtMost !== undefined && { input_seconds_at_most: rate.inputSecondsAtMost }),
    ...(rate.inputAtLeastOutput && { input_at_least_output: true as const }),
    ...(rate.per !== undefined && { per: rate.per }),
    ...(rate.unverified && { unverified: true as const }),
    usd: priceText(rate.usd),
  };
}
