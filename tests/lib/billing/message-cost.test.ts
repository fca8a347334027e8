import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { messageCost, messageLines, storedMessageLines, usedPrices } from '../../../lib/billing/message-cost';
import { allModels } from '../../../lib/catalog/models';
import { totalOf } from '../../../lib/domain/money';

const prices = allModels.flatMap((model) =>
  model.capability === 'messages' ? model.bindings.map(({ price }) => price) : [],
);
const count = fc.integer({ min: 0, max: 2_000_000 });
const tokens = fc.record({
  input: count,
  cacheRead: count,
  cacheWrite5m: count,
  cacheWrite1h: count,
  output: count,
  webSearches: fc.integer({ min: 0, max: 20 }),
});

describe('what a message costs', () => {
  it('is the total of its bill, for any usage and any provider', () => {
    expect(prices.length).toBeGreaterThan(5);
    fc.assert(
      fc.property(tokens, fc.constantFrom(...prices), (used, price) => {
        expect(messageCost(used, price)).toBe(totalOf(messageLines(used, price)));
      }),
    );
  });

  it('has the same bill when it is made from the stored prices, which name only what was used', () => {
    fc.assert(
      fc.property(tokens, fc.constantFrom(...prices), (used, price) => {
        const stored = usedPrices(used, price);
        expect(storedMessageLines(used, stored)).toEqual(messageLines(used, price));
        expect(Object.keys(stored)).toHaveLength(Object.values(used).filter((number) => number > 0).length);
      }),
    );
  });
});
