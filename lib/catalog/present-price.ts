import type { VideoPriceJson, VideoRateJson } from '../contract/models';
import type { ProviderId } from '../domain/ids';
import type { VideoModel } from '../domain/model';
import type { VideoBinding, VideoPrice, VideoRate } from '../domain/video';
import { priceText } from '../domain/money';

// The price of a video as the catalog shows it.

/** A price as JSON; conditions that a rate does not have are absent. */
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

/** The price of a mapping, without rates for resolutions that only other mappings have. */
export function priceOfMapping({ price, resolutions }: VideoBinding): VideoPrice {
  if (!resolutions) return price;
  const rates = price.rates.filter(({ resolution }) => resolution === undefined || resolutions.includes(resolution));
  return rates.length === price.rates.length ? price : { ...price, rates };
}

/**
 * The price of a model at one of its providers, which may have a mapping for each resolution. The rates of a resolution
 * are those of the first mapping that has it.
 */
export function priceOfProvider({ bindings, video }: VideoModel, providerId: ProviderId): VideoPrice {
  const own = bindings.filter((binding) => binding.providerId === providerId);
  const [first] = own;
  if (!first) throw new RangeError(`The model has no mapping of ${providerId}.`);
  if (own.length === 1) return priceOfMapping(first);
  const seen = new Set<string>();
  const rates = own.flatMap(({ price, resolutions = video.resolutions }) => {
    const added = resolutions.filter((resolution) => !seen.has(resolution));
    for (const resolution of added) seen.add(resolution);
    return price.rates.flatMap((rate) =>
      added
        .filter((resolution) => (rate.resolution ?? resolution) === resolution)
        .map((resolution): VideoRate => ({ per: price.per, ...rate, resolution })),
    );
  });
  return {
    ...first.price,
    rates: rates.map(({ per, ...rate }) => (per === first.price.per || per === undefined ? rate : { ...rate, per })),
    source: [...new Set(own.map(({ price }) => price.source))].join(' '),
    verified: own.every(({ price }) => price.verified),
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
    usd: priceText(rate.usd),
  };
}
