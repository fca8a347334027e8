import { z } from 'zod';
import { currency, unitPrice, usd, type JsonOf } from './fields';

// The price of a request before it is sent.

/** What a price is made of. */
export type QuoteJson = JsonOf<typeof quoteSchema>;
export const quoteSchema = z.strictObject({
  currency,
  lines: z.array(
    z.strictObject({
      label: z.string(),
      unit_price: unitPrice,
      quantity: z.string().describe('A plain decimal.'),
      amount: usd,
    }),
  ),
  total: usd.describe('The sum, rounded up once.'),
});

export type RequestQuote = JsonOf<typeof requestQuoteSchema>;
export const requestQuoteSchema = z.strictObject({
  object: z.literal('quote'),
  model: z.string().describe('The id of the catalog.'),
  provider: z.string().describe('The provider whose price this is.'),
  ignored_params: z
    .array(z.string())
    .exactOptional()
    .describe('For a video: the fields of the request that have no effect at this provider.'),
  ...quoteSchema.shape,
});
