import type { VideoModel } from '../../../lib/domain/model';
import { priceText, type UnitPrice } from '../../../lib/domain/money';
import { usd } from '../components/ui/money';

/** The price range of a model for lists: `$0.05 – $0.15 / s`. See estimate.ts for the exact price of a form. */
export function tariffWords({ bindings }: Pick<VideoModel, 'bindings'>): string {
  const [first] = bindings;
  if (!first) return '';
  const prices = first.price.rates.map(({ usd: price }) => price);
  const lowest = prices.reduce((least, price) => (price < least ? price : least));
  const highest = prices.reduce((most, price) => (price > most ? price : most));
  const unit = first.price.per === 'clip' ? 'clip' : 's';
  return `${lowest === highest ? words(lowest) : `${words(lowest)}–${words(highest)}`} / ${unit}`;
}

function words(price: UnitPrice): string {
  return usd(priceText(price));
}
