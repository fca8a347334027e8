import { z } from 'zod';
import { pcmEncodings } from '../domain/pcm';
import { currency, isoInstant, listOf, pageWithIdsOf, pixelSize, unitPrice, unixSeconds, type JsonOf } from './fields';

// The catalog as its four lists show it. Within `pricing` every value is a string, as clients expect. Prices that
// depend on the request are in separate fields next to it.

const strings = z.array(z.string());
const modality = z.enum(['text', 'image', 'audio', 'video']);
const stability = z.enum(['stable', 'beta', 'experimental']);
/** Each is absent when unset. */
const retirement = {
  deprecated_at: isoInstant.exactOptional(),
  deactivated_at: isoInstant.exactOptional(),
};
const range = z.strictObject({ min: z.number(), max: z.number() });
const videoKind = z.enum(['t2v', 'i2v', 'r2v', 'video-edit', 'start-end']);
const videoSound = z.enum(['always', 'toggle', 'none', 'source', 'bgm']);
const priceBase = z.enum(['output_second', 'input_plus_output_second', 'clip']);

export type VideoRateJson = JsonOf<typeof videoRateSchema>;
const videoRateSchema = z.strictObject({
  resolution: z.string().exactOptional(),
  audio: z.boolean().exactOptional(),
  seconds: z.int().exactOptional(),
  option: z.string().exactOptional(),
  aspect_ratios: z.array(z.string()).exactOptional(),
  with_video_input: z.boolean().exactOptional(),
  with_voice: z.literal(true).exactOptional(),
  input_seconds_if_unstated: z.int().exactOptional(),
  input_seconds_of_each_if_unstated: z.int().exactOptional(),
  input_seconds_at_most: z.int().exactOptional(),
  input_at_least_output: z.literal(true).exactOptional(),
  per: priceBase.exactOptional(),
  unverified: z
    .literal(true)
    .exactOptional()
    .describe('The operator has not confirmed this rate: live requests at it are refused.'),
  usd: unitPrice,
});

export type VideoPriceJson = JsonOf<typeof videoPriceSchema>;
const videoPriceSchema = z.strictObject({
  currency,
  per: priceBase,
  rates: z.array(videoRateSchema).describe('The first rate whose conditions all hold applies.'),
  extras: z
    .array(z.strictObject({ per: z.enum(['picture']), free: z.int(), usd: unitPrice }))
    .exactOptional()
    .describe('Added to the price: for each image of the request after the first `free` ones.'),
  source: z.string(),
  verified: z.boolean(),
});

const tokenPrices = {
  prompt: unitPrice,
  completion: unitPrice,
  input_cache_read: unitPrice,
  input_cache_write: unitPrice,
  input_cache_write_1h: unitPrice.exactOptional(),
};

/** The prices of a message by its input tokens. */
export type TokenPricesJson = JsonOf<typeof tokenPricesSchema>;
const tokenPricesSchema = z.strictObject(tokenPrices);

const priceTierSchema = z.strictObject({
  from_input_tokens: z.int().describe('These prices hold for the whole request from this many input tokens on.'),
  ...tokenPrices,
});

/** Prices that depend on the request. */
export type StructuredPricesJson = JsonOf<typeof structuredPricesSchema>;
const structuredPricesSchema = z.strictObject({
  video_pricing: videoPriceSchema.exactOptional(),
  pricing_tiers: z.array(priceTierSchema).exactOptional(),
});

/** How one provider serves a model. */
export type BindingJson = JsonOf<typeof bindingSchema>;
const bindingSchema = z.strictObject({
  providerId: z.string(),
  modelName: z.string(),
  pricing: z
    .object({ prompt: unitPrice, completion: unitPrice, image: unitPrice, web_search: unitPrice })
    .catchall(unitPrice),
  ...structuredPricesSchema.shape,
  streaming: z.boolean(),
  vision: z.boolean(),
  cancellation: z.boolean(),
  tools: z.boolean(),
  parallelToolCalls: z.boolean(),
  reasoning: z.boolean(),
  web_search: z.boolean(),
  reasoningLevels: strings,
  stability,
  region: z.string().exactOptional().describe('Where the provider processes data, if the operator states it.'),
  available: z.boolean().describe('Whether it serves live requests of this caller.'),
  supported_parameters: strings,
  supported_resolutions: strings.exactOptional(),
  supported_durations: z.array(z.int()).exactOptional(),
  supported_aspect_ratios: strings.exactOptional(),
});

const pricing = z
  .object({
    prompt: unitPrice,
    completion: unitPrice,
    image: unitPrice,
    request: unitPrice,
    input_cache_read: unitPrice,
    input_cache_write: unitPrice,
    web_search: unitPrice,
    internal_reasoning: unitPrice,
  })
  .catchall(unitPrice);

/** The prices of a model. */
export type ModelPricesJson = JsonOf<typeof modelPricesSchema>;
const modelPricesSchema = z.strictObject({ pricing, ...structuredPricesSchema.shape });

export type ModelJson = JsonOf<typeof modelSchema>;
export const modelSchema = z.strictObject({
  id: z.string(),
  object: z.literal('model'),
  type: z.literal('model'),
  name: z.string(),
  display_name: z.string(),
  aliases: strings,
  created: unixSeconds,
  created_at: isoInstant,
  owned_by: z.string(),
  description: z.string(),
  family: z.string(),
  architecture: z.strictObject({
    input_modalities: z.array(modality),
    output_modalities: z.array(modality),
    tokenizer: z.string(),
  }),
  top_provider: z.strictObject({ is_moderated: z.boolean() }),
  providers: z.array(bindingSchema),
  ...modelPricesSchema.shape,
  context_length: z.int(),
  max_input_tokens: z.int().nullable(),
  max_tokens: z.int().nullable(),
  per_request_limits: z.record(z.string(), z.string()),
  supported_parameters: strings,
  json_output: z.boolean(),
  structured_outputs: z.boolean(),
  free: z.boolean(),
  ...retirement,
  stability,
  available: z.boolean().describe('Whether it serves live requests of this caller.'),
});
export type ModelPageJson = JsonOf<typeof modelPageSchema>;
export const modelPageSchema = pageWithIdsOf(modelSchema);

const support = z.strictObject({ supported: z.boolean() });

/** A model in the format of the messages API. */
export type CompatModelJson = JsonOf<typeof compatModelSchema>;
export const compatModelSchema = z.strictObject({
  type: z.literal('model'),
  id: z.string(),
  display_name: z.string(),
  created_at: isoInstant,
  max_input_tokens: z.int(),
  max_tokens: z.int(),
  lifecycle: z.enum(['active', 'deprecated']),
  deprecated_at: isoInstant.nullable(),
  retires_at: isoInstant.nullable(),
  line: z.string().nullable(),
  capabilities: z.strictObject({
    batch: support,
    citations: support,
    code_execution: support,
    context_management: support.extend({
      clear_thinking_20251015: support,
      clear_tool_uses_20250919: support,
      compact_20260112: support,
    }),
    effort: support.extend({ low: support, medium: support, high: support, xhigh: support, max: support }),
    image_input: support,
    pdf_input: support,
    server_tools: support.extend({ code_execution: support, web_search: support }),
    structured_outputs: support,
    thinking: support.extend({
      types: z.strictObject({ adaptive: support, between_tools: support, disabled: support, enabled: support }),
    }),
  }),
});
export const compatModelPageSchema = pageWithIdsOf(compatModelSchema).omit({ object: true });

const internalIdentity = {
  id: z.string(),
  name: z.string(),
  aliases: strings,
  description: z.string(),
  family: z.string(),
};
const internalOffer = {
  ...modelPricesSchema.shape,
  supported_parameters: strings,
  providers: z.array(bindingSchema),
  ...retirement,
  stability,
  available: z.boolean().describe('Whether it serves live requests of this caller.'),
};

/** A model with everything that a form needs; null where a fact does not exist. */
export type InternalModelJson = JsonOf<typeof internalModelSchema>;
export const internalModelSchema = z.discriminatedUnion('type', [
  z.strictObject({
    ...internalIdentity,
    type: z.literal('video'),
    kind: videoKind,
    supported_durations: z.array(z.int()).describe('Whole seconds.'),
    supported_resolutions: strings,
    supported_aspect_ratios: strings,
    supported_sizes: z.array(pixelSize),
    default_seconds: z.int().nullable(),
    default_size: pixelSize,
    default_resolution: z.string(),
    fps: z.int(),
    supported_fps: range.nullable(),
    audio: videoSound,
    required_media: strings.describe('Names of request fields; alternatives are joined by "|".'),
    optional_media: strings,
    media_counts: z.record(z.string(), range),
    rules: z
      .array(z.strictObject({ resolutions: strings, seconds: z.array(z.int()) }))
      .describe('These resolutions are available only with these durations.'),
    ...internalOffer,
  }),
  z.strictObject({
    ...internalIdentity,
    type: z.literal('messages'),
    kind: z.literal('messages'),
    context_length: z.int(),
    max_tokens: z.int(),
    sampling: z.boolean(),
    images: z.boolean(),
    thinking_types: strings,
    efforts: strings,
    ...internalOffer,
  }),
  z.strictObject({
    ...internalIdentity,
    type: z.literal('stt'),
    kind: z.literal('stt'),
    supported_encodings: z.array(z.enum(pcmEncodings)),
    supported_sample_rates: z.array(z.int()).describe('Hz.'),
    supported_languages: strings,
    default_language: z.string().nullable(),
    detects_language: z.boolean(),
    word_times: z.enum(['exact', 'approximate', 'none']),
    max_session_seconds: z.int(),
    ...internalOffer,
  }),
  z.strictObject({
    ...internalIdentity,
    type: z.literal('tts'),
    kind: z.literal('tts'),
    voices: z.array(
      z.strictObject({
        name: z.string(),
        id: z.string(),
        language: z.string().nullable(),
        description: z.string().nullable(),
      }),
    ),
    other_voices: z.boolean(),
    supported_languages: strings,
    supported_formats: strings,
    default_format: z.literal('pcm_24000'),
    speed: range.nullable(),
    max_input_characters: z.int(),
    max_session_seconds: z.int(),
    ...internalOffer,
  }),
]);
export const internalModelListSchema = z.strictObject({ data: z.array(internalModelSchema) });

/**
 * `second`: of the output. `input_and_output_second`: both are billed. `token` and `character`: prices are per million.
 */
export type PriceUnit = z.infer<typeof priceUnit>;
const priceUnit = z.enum(['second', 'input_and_output_second', 'clip', 'token', 'minute', 'character']);

/** Dollars for one unit, or for a million tokens or characters. */
export type PriceSpan = JsonOf<typeof priceSpanSchema>;
const priceSpanSchema = z.strictObject({
  unit: priceUnit,
  lowest: unitPrice.describe('For tokens: the input.'),
  highest: unitPrice,
  output: z.strictObject({ lowest: unitPrice, highest: unitPrice }).exactOptional().describe('Only for tokens.'),
});

/** A row of the console's catalog: only the fields that people search, filter, sort and compare by. */
export type CatalogEntry = JsonOf<typeof catalogEntrySchema>;
export const catalogEntrySchema = z.strictObject({
  id: z.string(),
  name: z.string(),
  aliases: strings,
  description: z.string(),
  family: z.string(),
  operation: z.enum([...videoKind.options, 'messages', 'stt', 'tts']),
  input: z.array(modality),
  output: z.array(modality),
  stability,
  created: unixSeconds,
  providers: z
    .array(z.strictObject({ id: z.string(), available: z.boolean(), implemented: z.boolean() }))
    .describe('In the order of the catalog.'),
  available: z.boolean().describe('Whether it serves live requests of this caller.'),
  implemented: z
    .boolean()
    .describe(
      'Whether this version has an adapter for at least one of the providers, so that an operator can configure it.',
    ),
  price: priceSpanSchema.nullable(),
  deprecatedAt: isoInstant.exactOptional(),
  deactivatedAt: isoInstant.exactOptional(),
  active: z.boolean().describe("Whether it is not retired yet, by the server's clock."),
  video: z
    .strictObject({
      seconds: z.array(z.int()),
      resolutions: strings,
      aspectRatios: strings,
      audio: videoSound,
      fps: z.int(),
      media: strings,
      parameters: strings,
    })
    .exactOptional(),
  messages: z
    .strictObject({
      contextTokens: z.int(),
      maxOutputTokens: z.int(),
      thinks: z.boolean(),
      structuredOutputs: z.boolean(),
    })
    .exactOptional(),
  speech: z
    .strictObject({
      languages: z.int(),
      voices: z.int().exactOptional(),
      otherVoices: z.boolean().exactOptional(),
      maxSessionSeconds: z.int(),
    })
    .exactOptional(),
});
export type CatalogEntryListJson = JsonOf<typeof catalogEntryListSchema>;
export const catalogEntryListSchema = listOf(catalogEntrySchema);
