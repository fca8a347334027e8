import type { PriceSpan, PriceUnit } from '../../../../lib/contract/models';
import { parsePrice, priceText, type UnitPrice, usd } from '../../../../lib/domain/money';
import type { QuoteJson } from '../../../../lib/contract/quotes';

// How the console writes prices of models and the lines of a quote. Amounts alone are written by `../ui/money`.

/** After an amount: `$0.40 / second`. */
export const priceUnitLabels: Readonly<Record<PriceUnit, string>> = {
  second: 'second',
  input_and_output_second: 'second, in and out',
  clip: 'clip',
  token: '1M tokens',
  minute: 'minute',
  character: '1M characters',
};

/** As a heading or an option. */
export const priceUnitTitles: Readonly<Record<PriceUnit, string>> = {
  second: 'Per second of video',
  input_and_output_second: 'Per second, input and output',
  clip: 'Per clip',
  token: 'Per million input tokens',
  minute: 'Per minute of audio',
  character: 'Per million characters',
};

/** Returns a price without its unit: `$0.084 – $0.42`, or for tokens `$2.00 in · $10.00 out`. */
export function priceRangeLabel(price: PriceSpan): string {
  if (!price.output) return range(price.lowest, price.highest);
  return `${range(price.lowest, price.highest)} in · ${range(price.output.lowest, price.output.highest)} out`;
}

/** Returns a price with its unit: `$0.084 – $0.42 / second`. */
export function priceLabel(price: PriceSpan): string {
  return `${priceRangeLabel(price)} / ${priceUnitLabels[price.unit]}`;
}

function range(lowest: string, highest: string): string {
  return lowest === highest ? usd(lowest) : `${usd(lowest)} – ${usd(highest)}`;
}

const MILLION = 1_000_000n;
/** Unit prices below this are shown per million, as vendors do. */
const MIN_UNIT_PRICE = parsePrice('0.0001');

/** Returns the price of a million units, such as tokens: `$3.00`. */
export function perMillionLabel(price: UnitPrice): string {
  return usd(priceText(price * MILLION));
}

/** Returns the calculation of a line of a quote: `8 × $0.40`, or `1,200 × $3.00 / 1M` for very small unit prices. */
export function calculationLabel({ quantity, unit_price }: QuoteJson['lines'][number]): string {
  return `${grouped(quantity)} × ${unitPriceLabel(parsePrice(unit_price))}`;
}

function unitPriceLabel(price: UnitPrice): string {
  return price > 0n && price < MIN_UNIT_PRICE ? `${perMillionLabel(price)} / 1M` : usd(priceText(price));
}

/** Groups the digits of a quantity: `1234567.5` → `1,234,567.5`. */
function grouped(quantity: string): string {
  const [whole = '0', fraction] = quantity.split('.');
  return whole.replace(/\B(?=(\d{3})+$)/g, ',') + (fraction === undefined ? '' : `.${fraction}`);
}
