import type { Binding } from '../domain/model';
import type { MessagesPrice } from '../domain/messages';
import type { SttPrice } from '../domain/transcription';
import type { TtsPrice } from '../domain/speech';
import type { VideoPrice } from '../domain/video';

type Price = Binding['price'];

/** Returns the binding with a price of zero, for work that the provider bills to the organisation itself. */
export function withoutPrice<B extends Binding>(binding: B): B {
  return { ...binding, price: freeOf(binding.price) };
}

/** Keeps the structure of the price, so that orders without a rate at the provider are still refused. */
function freeOf(price: Price): Price {
  if ('rates' in price) return freeVideo(price);
  if ('tiers' in price) return freeMessages(price);
  if ('perCharacter' in price) return { ...price, perCharacter: 0n } satisfies TtsPrice;
  return {
    ...price,
    perMinute: 0n,
    ...(price.perMinuteDetecting !== undefined && { perMinuteDetecting: 0n }),
  } satisfies SttPrice;
}

function freeVideo({ extras, ...price }: VideoPrice): VideoPrice {
  return {
    ...price,
    rates: price.rates.map(({ unverified: _nothingToConfirm, ...rate }) => ({ ...rate, usd: 0n })),
    ...(extras && { extras: extras.map((extra) => ({ ...extra, usd: 0n })) }),
  };
}

function freeMessages({ tiers: [first, ...others], webSearch, ...price }: MessagesPrice): MessagesPrice {
  return {
    ...price,
    tiers: [freeTier(first), ...others.map(freeTier)],
    ...(webSearch !== undefined && { webSearch: 0n }),
  };
}

function freeTier(tier: MessagesPrice['tiers'][number]): MessagesPrice['tiers'][number] {
  const { cacheRead, cacheWrite5m, cacheWrite1h } = tier;
  return {
    ...tier,
    input: 0n,
    output: 0n,
    ...(cacheRead !== undefined && { cacheRead: 0n }),
    ...(cacheWrite5m !== undefined && { cacheWrite5m: 0n }),
    ...(cacheWrite1h !== undefined && { cacheWrite1h: 0n }),
  };
}
