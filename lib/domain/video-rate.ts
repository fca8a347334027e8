import type { VideoOrder, VideoPrice, VideoRate } from './video';

// Decides which rate of a price applies. It is in `domain` because the catalog also uses it, to check that a price has
// a rate for every order.

/** The fields of an order that decide its rate. */
export type RatedOrder = Pick<VideoOrder, 'seconds' | 'resolution' | 'aspectRatio' | 'audio' | 'parameters'> & {
  readonly media: readonly Pick<VideoOrder['media'][number], 'role'>[];
};

/** Returns the rate of an order: the first one whose conditions all match. */
export function findRate(order: RatedOrder, price: VideoPrice): VideoRate | undefined {
  const withVideoInput = order.media.some((media) => media.role === 'reference_video');
  return price.rates.find(
    (rate) =>
      (rate.resolution === undefined || rate.resolution === order.resolution) &&
      (rate.audio === undefined || rate.audio === order.audio) &&
      (rate.seconds === undefined || rate.seconds === order.seconds) &&
      (rate.option === undefined || rate.option === order.parameters.options) &&
      (rate.aspectRatios === undefined || rate.aspectRatios.includes(order.aspectRatio ?? '')) &&
      (rate.withVideoInput === undefined || rate.withVideoInput === withVideoInput) &&
      (rate.withVoice === undefined || order.parameters.reference_voice !== undefined),
  );
}
