import type { MessagesPrice, MessagesRate } from '../domain/messages';
import type { MessagePrices } from '../db/schema/index';
import type { BillLine, NanoUsd } from '../domain/money';

// The cost of a message depends only on its token counts and the binding's price.

/** Whole tokens; the three kinds of input do not overlap. */
export interface TokenCounts {
  readonly input: number;
  readonly cacheRead: number;
  readonly cacheWrite5m: number;
  readonly cacheWrite1h: number;
  readonly output: number;
  readonly webSearches: number;
}

/** Prices are in billionths of a billionth of a dollar, costs in billionths. */
const UNITS_PER_NANO = 1_000_000_000n;

/** Returns the price tier of a request. It depends on the size of the whole input. */
export function rateFor(price: Pick<MessagesPrice, 'tiers'>, inputTokens: number): MessagesRate {
  let found: MessagesRate = price.tiers[0];
  for (const tier of price.tiers) if (inputTokens >= tier.fromInputTokens) found = tier;
  return found;
}

/** Returns the bill, with one line for each kind of token that was used. */
export function messageLines(tokens: TokenCounts, price: Pick<MessagesPrice, 'tiers' | 'webSearch'>): BillLine[] {
  const { input, cacheRead, cacheWrite5m, cacheWrite1h, output, webSearches } = tokens;
  const rate = rateFor(price, input + cacheRead + cacheWrite5m + cacheWrite1h);
  const lines: BillLine[] = [
    line('input', rate.input, input),
    line('input read from the cache', rate.cacheRead ?? rate.input, cacheRead),
    line('input written to the cache for 5 minutes', rate.cacheWrite5m ?? rate.input, cacheWrite5m),
    line('input written to the cache for 1 hour', rate.cacheWrite1h ?? rate.cacheWrite5m ?? rate.input, cacheWrite1h),
    line('output', rate.output, output),
    line('web searches', price.webSearch ?? 0n, webSearches),
  ];
  return lines.filter(({ quantityMilli }) => quantityMilli > 0n);
}

/** Returns the total of the bill without its lines, rounded up to a billionth of a dollar once, at the end. */
export function messageCost(tokens: TokenCounts, price: MessagesPrice): NanoUsd {
  const { input, cacheRead, cacheWrite5m, cacheWrite1h, output, webSearches } = tokens;
  const rate = rateFor(price, input + cacheRead + cacheWrite5m + cacheWrite1h);
  let total = BigInt(input) * rate.input + BigInt(output) * rate.output;
  if (cacheRead > 0) total += BigInt(cacheRead) * (rate.cacheRead ?? rate.input);
  if (cacheWrite5m > 0) total += BigInt(cacheWrite5m) * (rate.cacheWrite5m ?? rate.input);
  if (cacheWrite1h > 0) total += BigInt(cacheWrite1h) * (rate.cacheWrite1h ?? rate.cacheWrite5m ?? rate.input);
  if (webSearches > 0) total += BigInt(webSearches) * (price.webSearch ?? 0n);
  return (total + UNITS_PER_NANO - 1n) / UNITS_PER_NANO;
}

/** Returns the prices of the used tokens, to be stored with the message. */
export function usedPrices(tokens: TokenCounts, price: MessagesPrice): MessagePrices {
  const { input, cacheRead, cacheWrite5m, cacheWrite1h, output, webSearches } = tokens;
  const rate = rateFor(price, input + cacheRead + cacheWrite5m + cacheWrite1h);
  const prices: { -readonly [Kind in keyof MessagePrices]: MessagePrices[Kind] } = {};
  if (input > 0) prices.input = rate.input.toString();
  if (cacheRead > 0) prices.cacheRead = (rate.cacheRead ?? rate.input).toString();
  if (cacheWrite5m > 0) prices.cacheWrite5m = (rate.cacheWrite5m ?? rate.input).toString();
  if (cacheWrite1h > 0) prices.cacheWrite1h = (rate.cacheWrite1h ?? rate.cacheWrite5m ?? rate.input).toString();
  if (output > 0) prices.output = rate.output.toString();
  if (webSearches > 0) prices.webSearch = (price.webSearch ?? 0n).toString();
  return prices;
}

/** Returns the bill of a message from the prices that were stored with it. */
export function storedMessageLines(tokens: TokenCounts, prices: MessagePrices): BillLine[] {
  const price = (text: string | undefined) => BigInt(text ?? 0);
  return messageLines(tokens, {
    tiers: [
      {
        fromInputTokens: 0,
        input: price(prices.input),
        output: price(prices.output),
        cacheRead: price(prices.cacheRead),
        cacheWrite5m: price(prices.cacheWrite5m),
        cacheWrite1h: price(prices.cacheWrite1h),
      },
    ],
    webSearch: price(prices.webSearch),
  });
}

function line(label: string, price: bigint, quantity: number): BillLine {
  return { label, price, quantityMilli: BigInt(quantity) * 1000n };
}
