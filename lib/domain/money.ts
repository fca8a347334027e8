// Exact money: amounts are integer billionths of a dollar, prices are integer 10⁻¹⁸ dollars, both `bigint`. A price is
// never a float, and a total is rounded once, up, at the end.

/** An amount in integer billionths of a US dollar. */
export type NanoUsd = bigint;

/** A unit price in integer 10⁻¹⁸ US dollars, fine enough for any published price of a single token. */
export type UnitPrice = bigint;

const NANO_DIGITS = 9;
const PRICE_DIGITS = 18;

/** One line of a bill: `quantityMilli` thousandths of the unit (a second, a token, a clip) at `price` per unit. */
export interface BillLine {
  readonly label: string;
  readonly price: UnitPrice;
  readonly quantityMilli: bigint;
}

/**
 * Parses a plain decimal such as `"0.0000125"`; throws on anything else (signs, exponents, blanks, too many digits).
 */
export function parsePrice(text: string): UnitPrice {
  return parseDecimal(text, PRICE_DIGITS);
}

/** Parses an amount in dollars such as `"25"` or `"0.000000001"`; at most nine decimals. */
export function parseUsd(text: string): NanoUsd {
  return parseDecimal(text, NANO_DIGITS);
}

/** Returns the sum of the lines, rounded up to a whole billionth of a dollar once, at the end. */
export function totalOf(lines: readonly BillLine[]): NanoUsd {
  let total = 0n;
  for (const line of lines) total += line.price * line.quantityMilli;
  const unit = 10n ** BigInt(PRICE_DIGITS - NANO_DIGITS) * 1000n;
  return (total + unit - 1n) / unit;
}

/** Formats an amount as a decimal string without an exponent and without trailing zeros: `"0.05"`. */
export function usdText(amount: NanoUsd): string {
  return decimalText(amount, NANO_DIGITS);
}

/** Formats a unit price as a decimal string, as the catalog shows it: `"0.0000125"`. */
export function priceText(price: UnitPrice): string {
  return decimalText(price, PRICE_DIGITS);
}

/** Formats a decimal amount for people: `1234.5` → `$1,234.50`. Non-zero digits below a cent are kept. */
export function usd(amount: string): string {
  const negative = amount.startsWith('-');
  const [whole = '0', fraction = ''] = amount.replace('-', '').split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return `${negative ? '−' : ''}$${grouped}.${fraction.replace(/0+$/, '').padEnd(2, '0')}`;
}

/** Converts an amount to the JSON number of the specification's `cost`. Only for display; at most nine decimals. */
export function usdNumber(amount: NanoUsd): number {
  return Number(usdText(amount));
}

function parseDecimal(text: string, digits: number): bigint {
  const match = /^(\d{1,18})(?:\.(\d+))?$/.exec(text);
  const fraction = match?.[2] ?? '';
  if (!match || fraction.length > digits) {
    throw new RangeError(`"${text}" is not a plain decimal with at most ${digits} digits after the point.`);
  }
  return BigInt(match[1] + fraction.padEnd(digits, '0'));
}

function decimalText(value: bigint, digits: number): string {
  const sign = value < 0n ? '-' : '';
  const text = (value < 0n ? -value : value).toString().padStart(digits + 1, '0');
  const fraction = text.slice(-digits).replace(/0+$/, '');
  return sign + text.slice(0, -digits) + (fraction && `.${fraction}`);
}
