import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { allModels } from '../../../lib/catalog/models';
import { createCatalogResponses, type CatalogPage } from '../../../lib/catalog/catalog-responses';
import { makeCatalog } from './make-catalog';

// Every entry of the catalog against the types of the specification. Our additions are listed too, so that one that is made by
// accident is noticed; within `pricing` there are strings alone, whatever their names.

const price = z.string().regex(/^\d+(\.\d+)?$/);
const instant = z.iso.datetime();
const modality = z.enum(['text', 'image', 'audio', 'video']);
const stability = z.enum(['stable', 'beta', 'experimental']);
const strings = z.array(z.string());

const videoPricing = z.strictObject({
  currency: z.literal('USD'),
  per: z.enum(['output_second', 'input_plus_output_second', 'clip']),
  rates: z.array(
    z.strictObject({
      resolution: z.string().optional(),
      audio: z.boolean().optional(),
      seconds: z.int().optional(),
      option: z.string().optional(),
      with_video_input: z.boolean().optional(),
      input_seconds_if_unstated: z.int().optional(),
      per: z.enum(['output_second', 'input_plus_output_second', 'clip']).optional(),
      usd: price,
    }),
  ),
  source: z.string(),
  verified: z.boolean(),
});
const tiers = z.array(z.object({ from_input_tokens: z.int() }).catchall(price));
const structured = { video_pricing: videoPricing.optional(), pricing_tiers: tiers.optional() };
const pricing = z
  .object({
    prompt: price,
    completion: price,
    image: price,
    request: price,
    input_cache_read: price,
    input_cache_write: price,
    web_search: price,
    internal_reasoning: price,
  })
  .catchall(price);

const mapping = z.strictObject({
  providerId: z.string(),
  modelName: z.string(),
  pricing: z.object({ prompt: price, completion: price, image: price, web_search: price }).catchall(price),
  streaming: z.boolean(),
  vision: z.boolean(),
  cancellation: z.boolean(),
  tools: z.boolean(),
  parallelToolCalls: z.boolean(),
  reasoning: z.boolean(),
  web_search: z.boolean(),
  reasoningLevels: strings,
  stability,
  ...structured,
  available: z.boolean(),
  supported_parameters: strings,
  supported_resolutions: strings.optional(),
});

const entry = z.strictObject({
  id: z.string(),
  name: z.string(),
  aliases: strings,
  created: z.int(),
  description: z.string(),
  family: z.string(),
  architecture: z.strictObject({
    input_modalities: z.array(modality),
    output_modalities: z.array(modality),
    tokenizer: z.string(),
  }),
  top_provider: z.strictObject({ is_moderated: z.boolean() }),
  providers: z.array(mapping).min(1),
  pricing,
  context_length: z.int(),
  per_request_limits: z.record(z.string(), z.string()),
  supported_parameters: strings,
  json_output: z.boolean(),
  structured_outputs: z.boolean(),
  free: z.boolean(),
  deprecated_at: instant.optional(),
  deactivated_at: instant.optional(),
  stability,
  // Ours, and those of two families of SDKs.
  object: z.literal('model'),
  type: z.literal('model'),
  display_name: z.string(),
  created_at: instant,
  owned_by: z.string(),
  max_input_tokens: z.int().nullable(),
  max_tokens: z.int().nullable(),
  ...structured,
  available: z.boolean(),
});

const compatEntry = z.strictObject({
  type: z.literal('model'),
  id: z.string(),
  display_name: z.string(),
  created_at: instant,
  max_input_tokens: z.int(),
  max_tokens: z.int(),
  lifecycle: z.enum(['active', 'deprecated']),
  deprecated_at: instant.nullable(),
  retires_at: instant.nullable(),
  line: z.string().nullable(),
  capabilities: z.record(z.string(), z.object({ supported: z.boolean() })),
});

const internalShared = {
  id: z.string(),
  name: z.string(),
  aliases: strings,
  description: z.string(),
  family: z.string(),
  pricing,
  ...structured,
  supported_parameters: strings,
  providers: z.array(mapping).min(1),
  stability,
  available: z.boolean(),
};
const range = z.strictObject({ min: z.number(), max: z.number() });
const internalEntry = z.discriminatedUnion('type', [
  z.strictObject({
    ...internalShared,
    type: z.literal('video'),
    kind: z.enum(['t2v', 'i2v', 'r2v', 'video-edit', 'start-end']),
    supported_durations: z.array(z.int()),
    supported_resolutions: strings,
    supported_aspect_ratios: strings,
    supported_sizes: z.array(z.string().regex(/^\d+x\d+$/)),
    default_seconds: z.int().nullable(),
    default_size: z.string().regex(/^\d+x\d+$/),
    default_resolution: z.string(),
    fps: z.int(),
    supported_fps: range.nullable(),
    audio: z.enum(['always', 'toggle', 'none', 'source', 'bgm']),
    required_media: strings,
    optional_media: strings,
    media_counts: z.record(z.string(), range),
    rules: z.array(z.strictObject({ resolutions: strings, seconds: z.array(z.int()) })),
  }),
  z.strictObject({
    ...internalShared,
    type: z.literal('messages'),
    kind: z.literal('messages'),
    context_length: z.int(),
    max_tokens: z.int(),
    sampling: z.boolean(),
    images: z.boolean(),
    thinking_types: strings,
    efforts: strings,
  }),
  z.strictObject({
    ...internalShared,
    type: z.literal('stt'),
    kind: z.literal('stt'),
    supported_encodings: strings,
    supported_sample_rates: z.array(z.int()),
    supported_languages: strings,
    default_language: z.string().nullable(),
    detects_language: z.boolean(),
    word_times: z.enum(['exact', 'approximate', 'none']),
    max_session_seconds: z.int(),
  }),
  z.strictObject({
    ...internalShared,
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
  }),
]);

const pages = createCatalogResponses(makeCatalog());
const query = (text = '') => new URLSearchParams(text);
const json = (page: CatalogPage): unknown => JSON.parse(page.body.toString());
const list = (page: CatalogPage) =>
  z.object({ data: z.array(z.looseObject({ id: z.string() })) }).parse(json(page)).data;

function expectAll(entries: readonly { readonly id: string }[], schema: z.ZodType): void {
  const errors = entries.flatMap(
    (each) =>
      schema.safeParse(each).error?.issues.map(({ path, message }) => `${each.id} ${path.join('.')}: ${message}`) ?? [],
  );
  expect(errors).toEqual([]);
}

describe('the types of the specification hold', () => {
  it('in every entry of GET /v1/models', () => {
    const entries = list(pages.models(query('include_deactivated=true')));
    expect(entries).toHaveLength(allModels.length);
    expectAll(entries, entry);
  });

  it('in GET /v1/models/{model}, for every model and with every pin', () => {
    const names = allModels.flatMap(({ id, bindings }) => [
      id,
      ...bindings.map(({ providerId }) => `${providerId}/${id}`),
    ]);
    expectAll(
      names.map((name) =>
        z.looseObject({ id: z.string() }).parse(json(pages.model(name, query('include_deactivated=true')))),
      ),
      entry,
    );
  });

  it('in every entry of GET /v1/models_compat', () => {
    expectAll(list(pages.compat(query('limit=1000'))), compatEntry);
  });

  it('in every entry of GET /internal/models', () => {
    const entries = list(pages.internal(query()));
    expect(entries).toHaveLength(list(pages.models(query())).length);
    expectAll(entries, internalEntry);
  });
});

describe('a price that depends on the request', () => {
  const models = list(pages.models(query()));
  const find = (id: string) => models.find((each) => each.id === id);

  it('of a video is in video_pricing, of the entry and of each mapping', () => {
    expect(find('sandbox-t2v')).toMatchObject({
      pricing: { prompt: '0', request: '0' },
      video_pricing: { per: 'output_second', rates: [{ usd: '0.01' }, {}, {}, {}, {}] },
    });
    for (const { id } of models.filter(({ architecture }) =>
      JSON.stringify(architecture).includes('"output_modalities":["video"]'),
    )) {
      const { providers, video_pricing } = entry.parse(find(id));
      expect([id, video_pricing, providers.filter((each) => each.video_pricing === undefined)]).toEqual([
        id,
        providers[0]?.video_pricing,
        [],
      ]);
    }
  });

  it('of long texts is in pricing_tiers, beside the prices of short ones', () => {
    const tiered = models.filter((each) => 'pricing_tiers' in each).map(({ id }) => id);
    expect(tiered).toEqual(
      allModels
        .filter((model) => model.capability === 'messages' && (model.bindings[0]?.price.tiers.length ?? 0) > 1)
        .map(({ id }) => id),
    );
    expect(tiered.length).toBeGreaterThan(0);
    for (const id of tiered)
      expect(entry.parse(find(id)).pricing_tiers?.[0]).toMatchObject({
        from_input_tokens: expect.any(Number),
        prompt: expect.any(String),
        completion: expect.any(String),
      });
  });
});
