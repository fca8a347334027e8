import type { PriceSpan } from '../../../../lib/contract/models';
import { priceRangeLabel, priceUnitLabels } from './price-labels';

/** The prices of a model in two lines: the amounts, and the unit below them. */
export function PriceRange({ price }: { readonly price: PriceSpan }) {
  return (
    <>
      <span className="block tabular-nums">{priceRangeLabel(price)}</span>
      <span className="block text-xs text-muted">per {priceUnitLabels[price.unit]}</span>
    </>
  );
}
