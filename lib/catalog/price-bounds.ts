import { priceText, type UnitPrice } from '../domain/money';
import type { createChecks, FieldIssue } from './catalog-issue';

// The bounds of the prices in the catalog, as docs/catalog-file.md states them. They are far above any published price
// and catch a misplaced decimal point. A price of zero is refused, because it is usually a forgotten price.

export interface PriceBound {
  /** The unit of the price, as a file states it. */
  readonly of: string;
  /**
   * How many of the catalog's units are in one unit of the file. For example, the catalog has prices per token, and a
   * file has prices per million tokens.
   */
  readonly units: bigint;
  /** The maximum for one unit of the file, in dollars × 10¹⁸. */
  readonly max: UnitPrice;
}

const DOLLAR = 10n ** 18n;

export const priceBounds = {
  rate: { of: 'a second or clip', units: 1n, max: 20n * DOLLAR },
  image: { of: 'an image', units: 1n, max: 20n * DOLLAR },
  tokens: { of: 'a million tokens', units: 1_000_000n, max: 1_000n * DOLLAR },
  minute: { of: 'a minute', units: 1n, max: DOLLAR },
  characters: { of: 'a million characters', units: 1_000_000n, max: 1_000n * DOLLAR },
} as const satisfies Readonly<Record<string, PriceBound>>;

/** Adds an error if the price, in units of the catalog, is out of bounds. `prefix` begins the sentence. */
export function expectPrice(
  expect: ReturnType<typeof createChecks>['expect'],
  path: FieldIssue['path'],
  { of, units, max }: PriceBound,
  price: UnitPrice,
  prefix = '',
): void {
  const stated = price * units;
  expect(
    stated > 0n && stated <= max,
    path,
    `${prefix}the price of ${of} must be more than $0 and at most $${priceText(max)}; got $${priceText(stated)}.`,
  );
}
