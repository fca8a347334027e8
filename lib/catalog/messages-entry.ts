import { z } from 'zod';
import type { JsonOf } from '../contract/fields';
import type { MessagesRate } from '../domain/messages';
import type { MessagesModel } from '../domain/model';
import { parsePrice } from '../domain/money';
import { bindingFields, dollars, dollarsPerMillion, identityFields, priceSourceFields } from './entry-fields';

// How a family's file declares a text model: prices are decimal strings of dollars per million tokens, as vendors
// publish them, and each provider has one binding.

const rateFields = {
  input: dollarsPerMillion,
  output: dollarsPerMillion,
  cacheRead: dollarsPerMillion.exactOptional().describe('Absent: the price of the input.'),
  cacheWrite5m: dollarsPerMillion.exactOptional().describe('Absent: the price of the input.'),
  cacheWrite1h: dollarsPerMillion.exactOptional().describe('Absent: the price of the input.'),
};

export const messagesPriceSchema = z
  .strictObject({
    ...rateFields,
    longer: z
      .array(z.strictObject({ fromInputTokens: z.int().positive(), ...rateFields }))
      .exactOptional()
      .describe('Prices of the whole request from this many input tokens on, ascending.'),
    webSearch: dollars.exactOptional().describe('Dollars for one web search by the provider.'),
    ...priceSourceFields,
  })
  .describe('Dollars per million tokens.');

export const messagesBindingSchema = z.strictObject({
  ...bindingFields,
  price: messagesPriceSchema,
  maxOutputTokens: z.int().positive().exactOptional().describe("Stated if it is less than the model's."),
  parallelTools: z.boolean().exactOptional().describe('Absent: true.'),
  webSearch: z.boolean().exactOptional().describe('Absent: false.'),
  thinkingReplay: z.literal(true).exactOptional().describe('Thinking of earlier turns with tools must be sent back.'),
  unmoderated: z.literal(true).exactOptional().describe('The provider does not moderate content.'),
  keepsRunning: z.literal(true).exactOptional().describe('The provider continues, and bills, after a disconnect.'),
});

const tokenizerSchema = z.strictObject({
  encoding: z.enum(['claude', 'o200k']),
  multiplier: z.number().describe('Tokens of the model per token of the encoding.'),
  otherScriptsMultiplier: z.number().exactOptional().describe('The same for non-Latin scripts, if different.'),
  toolPreambleTokens: z
    .strictObject({ free: z.int().nonnegative(), forced: z.int().nonnegative() })
    .exactOptional()
    .describe('Tokens that the provider adds for tools, by whether a tool call is required.'),
});

export const messagesEntrySchema = z.strictObject({
  ...identityFields,
  inputModalities: z
    .array(z.enum(['text', 'image', 'audio', 'video']))
    .exactOptional()
    .describe('Absent: text only.'),
  facts: z.strictObject({
    contextTokens: z.int().positive(),
    maxOutputTokens: z.int().positive(),
    tokenizer: tokenizerSchema,
    sampling: z.boolean().describe('temperature, top_p and top_k are accepted.'),
    forcedTools: z.boolean().describe('tool_choice of "any" and "tool" is accepted.'),
    prefill: z.boolean().describe("The last turn may be the assistant's, which the model continues."),
    thinkingTypes: z
      .array(z.enum(['enabled', 'adaptive', 'disabled', 'between_tools']))
      .describe('Empty: the model has no thinking.'),
    efforts: z
      .array(z.enum(['low', 'medium', 'high', 'xhigh', 'max']))
      .describe('From lowest to highest; empty: effort cannot be chosen.'),
    structuredOutputs: z.boolean(),
    imageMaxEdgePixels: z
      .int()
      .positive()
      .exactOptional()
      .describe("The longest edge of an image after the model's scaling; absent: no images."),
  }),
  bindings: z.array(messagesBindingSchema).min(1).describe('In the order of preference.'),
});

export type MessagesModelEntry = JsonOf<typeof messagesEntrySchema>;
export type MessagesPriceEntry = MessagesModelEntry['bindings'][number]['price'];
type MessagesRateEntry = Pick<MessagesPriceEntry, keyof typeof rateFields>;

/**
 * Creates a text model of the catalog. An unverified price makes its binding experimental. If all prices are
 * unverified, the model is experimental too.
 */
export function messagesModel(entry: MessagesModelEntry): MessagesModel {
  const stability = entry.stability ?? 'stable';
  return {
    id: entry.id,
    name: entry.name,
    aliases: entry.aliases ?? [],
    created: entry.created,
    description: entry.description,
    family: entry.family,
    capability: 'messages',
    inputModalities: entry.inputModalities ?? ['text'],
    outputModalities: ['text'],
    stability: entry.bindings.some(({ price }) => price.verified) ? stability : 'experimental',
    free: false,
    ...(entry.deprecatedAt !== undefined && { deprecatedAt: entry.deprecatedAt }),
    ...(entry.deactivatedAt !== undefined && { deactivatedAt: entry.deactivatedAt }),
    ...(entry.replacements && { replacements: entry.replacements }),
    messages: entry.facts,
    bindings: entry.bindings.map(({ price, parallelTools, webSearch, ...binding }) => ({
      ...binding,
      stability: price.verified ? stability : 'experimental',
      parallelTools: parallelTools ?? true,
      webSearch: webSearch ?? false,
      price: {
        tiers: [rateOf(0, price), ...(price.longer ?? []).map((rate) => rateOf(rate.fromInputTokens, rate))],
        ...(price.webSearch !== undefined && { webSearch: parsePrice(price.webSearch) }),
        source: price.source,
        verified: price.verified,
      },
    })),
  };
}

function rateOf(fromInputTokens: number, rate: MessagesRateEntry): MessagesRate {
  return {
    fromInputTokens,
    input: perToken(rate.input),
    output: perToken(rate.output),
    ...(rate.cacheRead !== undefined && { cacheRead: perToken(rate.cacheRead) }),
    ...(rate.cacheWrite5m !== undefined && { cacheWrite5m: perToken(rate.cacheWrite5m) }),
    ...(rate.cacheWrite1h !== undefined && { cacheWrite1h: perToken(rate.cacheWrite1h) }),
  };
}

function perToken(perMillion: string): bigint {
  const price = parsePrice(perMillion);
  if (price % 1_000_000n !== 0n) throw new RangeError(`"${perMillion}" per million tokens has more than 12 decimals.`);
  return price / 1_000_000n;
}
