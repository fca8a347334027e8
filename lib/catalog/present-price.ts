import type { VideoPriceJson, VideoRateJson } from '../contract/models';
import type { VideoPrice, VideoRate } from '../domain/video';
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

function presentRate(rate: VideoRate): VideoRateJson {
  return {
    ...(rate.resolution !== undefined && { resolution: rate.resolution }),
    ...(rate.audio !== undefined && { audio: rate.audio }),
    ...(rate.seconds !== undefined && { seconds: rate.seconds }),
    ...(rate.option !== undefined && { option: rate.option }),
    ...(rate.aspectRatios !== undefined && { aspect_ratios: [...rate.aspectRatios] }),
    ...(rate.withVideoInput !== undefined && { with_video_input: rate.withVideoInput }),
    ...(rate.inputSecondsIfUnstated !== undefined && { input_seconds_if_unstated: rate.inputSecondsIfUnstated }),
    ...(rate.inputAtLeastOutput && { input_at_least_output: true as const }),
    ...(rate.per !== undefined && { per: rate.per }),
    usd: priceText(rate.usd),
  };
}
