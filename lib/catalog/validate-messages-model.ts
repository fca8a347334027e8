import type { MessagesModel } from '../domain/model';
import { createChecks, type FieldIssue } from './catalog-issue';
import { expectPrice, priceBounds } from './price-bounds';

// Validates the data of a text model; see `validate-catalog.ts`.

const ratePrices = ['input', 'output', 'cacheRead', 'cacheWrite5m', 'cacheWrite1h'] as const;

export function messagesIssues({ messages, bindings }: MessagesModel): readonly FieldIssue[] {
  const { issues, expect } = createChecks();
  const { contextTokens, maxOutputTokens, tokenizer, thinkingTypes, efforts } = messages;
  expect(
    isCount(contextTokens) && isCount(maxOutputTokens) && maxOutputTokens <= contextTokens,
    ['facts', 'maxOutputTokens'],
    'the limits are not whole numbers, or the output is longer than the context.',
  );
  expect(
    tokenizer.multiplier >= 0.5 && tokenizer.multiplier <= 2,
    ['facts', 'tokenizer', 'multiplier'],
    'the multiplier of its tokenizer is not between 0.5 and 2.',
  );
  expect(efforts.length === 0 || thinkingTypes.length > 0, ['facts', 'efforts'], 'it has efforts and does not reason.');
  for (const [index, { price, providerId, maxOutputTokens: own }] of bindings.entries()) {
    const at = ['bindings', index];
    const ofPrice = [...at, 'price'];
    expect(
      own === undefined || (isCount(own) && own <= maxOutputTokens),
      [...at, 'maxOutputTokens'],
      `${providerId}: the longest output is more than the model's.`,
    );
    expect(price.source !== '', [...ofPrice, 'source'], `${providerId}: the price does not say where it comes from.`);
    expect(price.tiers[0].fromInputTokens === 0, ofPrice, `${providerId}: the first tier does not begin at 0.`);
    expect(
      price.tiers.every(
        (tier, place) => place === 0 || tier.fromInputTokens > (price.tiers[place - 1]?.fromInputTokens ?? 0),
      ),
      [...ofPrice, 'longer'],
      `${providerId}: the tiers are not ascending.`,
    );
    for (const [place, rate] of price.tiers.entries()) {
      const ofTier = place === 0 ? ofPrice : [...ofPrice, 'longer', place - 1];
      for (const field of ratePrices) {
        const perToken = rate[field];
        if (perToken !== undefined)
          expectPrice(expect, [...ofTier, field], priceBounds.tokens, perToken, `${providerId}: `);
      }
    }
  }
  return issues;
}

const isCount = (value: number) => Number.isSafeInteger(value) && value > 0;
