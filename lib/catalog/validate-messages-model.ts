import type { MessagesModel } from '../domain/model';

// Validates the data of a text model; see `validate-catalog.ts`.

/** Far above any published price of a token; catches a misplaced decimal point. Dollars × 10¹⁸. */
const HIGHEST_PER_TOKEN = 10n ** 15n;

export function messagesErrors({ messages, bindings }: MessagesModel): string[] {
  const errors: string[] = [];
  const expect = (holds: boolean, error: string) => void (holds || errors.push(error));
  const { contextTokens, maxOutputTokens, tokenizer, thinkingTypes, efforts } = messages;
  expect(
    isCount(contextTokens) && isCount(maxOutputTokens) && maxOutputTokens <= contextTokens,
    'the limits are not whole numbers, or the output is longer than the context.',
  );
  expect(
    tokenizer.multiplier >= 0.5 && tokenizer.multiplier <= 2,
    'the multiplier of its tokenizer is not between 0.5 and 2.',
  );
  expect(efforts.length === 0 || thinkingTypes.length > 0, 'it has efforts and does not reason.');
  for (const { price, providerId, maxOutputTokens: own } of bindings) {
    expect(
      own === undefined || (isCount(own) && own <= maxOutputTokens),
      `${providerId}: the longest output is more than the model's.`,
    );
    expect(price.source !== '', `${providerId}: the price does not say where it comes from.`);
    expect(price.tiers[0].fromInputTokens === 0, `${providerId}: the first tier does not begin at 0.`);
    expect(
      price.tiers.every(
        (tier, index) => index === 0 || tier.fromInputTokens > (price.tiers[index - 1]?.fromInputTokens ?? 0),
      ),
      `${providerId}: the tiers are not ascending.`,
    );
    for (const rate of price.tiers) {
      const prices = [rate.input, rate.output, rate.cacheRead, rate.cacheWrite5m, rate.cacheWrite1h].filter(
        (each) => each !== undefined,
      );
      expect(
        prices.every((each) => each > 0n && each <= HIGHEST_PER_TOKEN),
        `${providerId}: a price of a token is not between $0 and $0.001.`,
      );
    }
  }
  return errors;
}

const isCount = (value: number) => Number.isSafeInteger(value) && value > 0;
