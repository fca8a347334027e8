import type { MessagesModel } from '../domain/model';
import { createChecks, type FieldIssue } from './catalog-issue';

// Validates the data of a text model; see `validate-catalog.ts`.

/** Far above any published price of a token; catches a misplaced decimal point. Dollars × 10¹⁸. */
const HIGHEST_PER_TOKEN = 10n ** 15n;

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
      const prices = [rate.input, rate.output, rate.cacheRead, rate.cacheWrite5m, rate.cacheWrite1h].filter(
        (each) => each !== undefined,
      );
      expect(
        prices.every((each) => each > 0n && each <= HIGHEST_PER_TOKEN),
        place === 0 ? ofPrice : [...ofPrice, 'longer', place - 1],
        `${providerId}: a price of a token is not between $0 and $0.001.`,
      );
    }
  }
  return issues;
}

const isCount = (value: number) => Number.isSafeInteger(value) && value > 0;
