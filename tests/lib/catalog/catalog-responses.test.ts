import { describe, expect, it } from 'vitest';
import type { Catalog } from '../../../lib/catalog/catalog';
import { createCatalogResponses } from '../../../lib/catalog/catalog-responses';
import type { CatalogPage } from '../../../lib/catalog/catalog-responses';
import type { MayUse } from '../../../lib/catalog/may-use';
import { allModels } from '../../../lib/catalog/models';
import { presentVideoPrice } from '../../../lib/catalog/present-price';
import { isGatewayError } from '../../../lib/domain/errors';
import { parsePrice } from '../../../lib/domain/money';
import { videoModels } from './video-models';
import { makeCatalog, standingClock } from './make-catalog';

const responsesOf = (catalog: Catalog) => createCatalogResponses(() => catalog);
const pages = responsesOf(makeCatalog({ cancellingProviders: new Set(['sandbox']) }));
// Safe for tests: a missing key is undefined and fails the expectation.
const json = (page: CatalogPage) =>
  JSON.parse(page.body.toString()) as Record<string, never> & {
    data: Record<string, never>[];
    first_id: string;
    last_id: string;
  };
const query = (text: string) => new URLSearchParams(text);
const ids = (page: CatalogPage) => json(page).data.map((entry) => String(entry.id));
const retired = [
  'mimo-v2.5-pro',
  'sora-2-t2v',
  ...['3.0', '3.0-fast', '2.0'].flatMap((version) => [`veo-${version}-t2v`, `veo-${version}-i2v`]),
];
const active = allModels.map((model) => model.id).filter((id) => !retired.includes(id));
const codeOf = (run: () => unknown) => {
  try {
    run();
  } catch (error) {
    return isGatewayError(error) ? [error.code, error.extra.param] : error;
  }
  return 'accepted';
};

describe('GET /v1/models', () => {
  it('has every field of the specification in every entry', () => {
    const entries = json(pages.models(query('include_deactivated=true'))).data;
    expect(entries).toHaveLength(allModels.length);
    for (const entry of entries) {
      const model = allModels.find(({ id }) => id === String(entry.id));
      const converses = model?.capability === 'messages';
      expect(entry).toMatchObject({
        object: 'model',
        type: 'model',
        id: expect.any(String),
        name: expect.any(String),
        display_name: entry.name,
        aliases: expect.any(Array),
        created: expect.any(Number),
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
        owned_by: expect.any(String),
        description: expect.any(String),
        family: expect.any(String),
        architecture: {
          input_modalities: expect.any(Array),
          output_modalities: expect.any(Array),
          tokenizer: converses ? expect.any(String) : 'none',
        },
        top_provider: { is_moderated: expect.any(Boolean) },
        context_length: converses ? expect.any(Number) : 0,
        max_input_tokens: converses ? entry.context_length : null,
        max_tokens: converses ? expect.any(Number) : null,
        per_request_limits: expect.any(Object),
        supported_parameters: expect.any(Array),
        json_output: expect.any(Boolean),
        structured_outputs: expect.any(Boolean),
        free: false,
        stability: expect.stringMatching(/^(stable|beta|experimental)$/),
        available: expect.any(Boolean),
      });
      const prices = [
        'prompt',
        'completion',
        'image',
        'request',
        'input_cache_read',
        'input_cache_write',
        'web_search',
        'internal_reasoning',
      ];
      expect(entry.pricing).toMatchObject(
        Object.fromEntries(prices.map((name) => [name, converses ? expect.stringMatching(/^\d+(\.\d+)?$/) : '0'])),
      );
      expect([entry.deprecated_at, entry.deactivated_at]).toEqual([model?.deprecatedAt, model?.deactivatedAt]);
    }
  });

  it('has every field of a provider mapping', () => {
    for (const { providers } of json(pages.models(query(''))).data as unknown as { providers: unknown[] }[]) {
      for (const mapping of providers) {
        expect(mapping).toMatchObject({
          providerId: expect.any(String),
          modelName: expect.any(String),
          pricing: {
            prompt: expect.any(String),
            completion: expect.any(String),
            image: '0',
            web_search: expect.any(String),
          },
          streaming: expect.any(Boolean),
          vision: expect.any(Boolean),
          cancellation: expect.any(Boolean),
          tools: expect.any(Boolean),
          parallelToolCalls: expect.any(Boolean),
          reasoning: expect.any(Boolean),
          web_search: expect.any(Boolean),
          reasoningLevels: expect.any(Array),
          stability: expect.any(String),
          available: expect.any(Boolean),
          supported_parameters: expect.any(Array),
        });
      }
    }
  });

  it('lists what can be used here', () => {
    const available = (json(pages.models(query(''))).data as unknown as { id: string; available: boolean }[]).filter(
      (entry) => entry.available,
    );
    expect(available.map((entry) => entry.id)).toEqual([
      'sandbox-t2v',
      'sandbox-i2v',
      'sandbox-r2v',
      'sandbox-start-end',
      'sandbox-video-edit',
      'sandbox-tts',
      'sandbox-stt',
      'sandbox-text',
    ]);
  });

  it('shows the price of a minute of sound and of a character of text', () => {
    expect(JSON.parse(pages.model('sandbox-stt', query('')).body.toString())).toMatchObject({
      pricing: { audio_minute: '0.006' },
      context_length: 0,
      supported_parameters: ['encoding', 'sample_rate', 'language'],
      per_request_limits: { max_session_seconds: '10800' },
    });
    expect(JSON.parse(pages.model('sandbox-tts', query('')).body.toString())).toMatchObject({
      pricing: { character: '0.00001' },
      providers: [{ streaming: true, cancellation: true }],
      per_request_limits: { max_session_seconds: '3600', max_input_characters: '5000' },
    });
  });

  it('shows the price of a video with its source', () => {
    expect(JSON.parse(pages.model('kling-3.0-t2v', query('')).body.toString())).toMatchObject({
      video_pricing: {
        currency: 'USD',
        per: 'output_second',
        rates: [
          { resolution: '720p', audio: false, usd: '0.084' },
          { resolution: '720p', audio: true, usd: '0.126' },
          { resolution: '1080p', audio: false, usd: '0.112' },
          { resolution: '1080p', audio: true, usd: '0.168' },
          { resolution: '4k', usd: '0.42' },
        ],
        source: 'UNVERIFIED: kling.ai/document-api/pricing/base/video as notes of its readers copy it, 2026-09-16.',
        verified: false,
      },
    });
  });

  it('never shows a price with an exponent', () => {
    const text = pages.models(query('include_deactivated=true')).body.toString();
    const prices = [...text.matchAll(/"usd":"([^"]*)"/g)].map((match) => match[1] ?? '');
    expect(prices.length).toBeGreaterThan(100);
    for (const price of prices) expect(price).toMatch(/^\d+(\.\d+)?$/);
  });

  it('omits retired models unless include_deactivated is "true"', () => {
    expect(ids(pages.models(query('')))).toEqual(active);
    expect(ids(pages.models(query('include_deactivated=true')))).toEqual([...active, ...retired]);
    expect(ids(pages.models(query('include_deactivated=yes')))).toEqual(active);
  });

  it('marks models whose vendors have announced their end, and leaves them out with exclude_deprecated', () => {
    const dates = (search: string) =>
      json(pages.models(query(search))).data.flatMap(({ id, deprecated_at, deactivated_at }) =>
        deprecated_at === undefined ? [] : [[id, deprecated_at, deactivated_at]],
      );
    expect(dates('')).toEqual([
      ['gpt-4o-transcribe', '2026-08-26T00:00:00Z', '2027-02-26T00:00:00Z'],
      ...['t2v', 'i2v', 'start-end'].map((kind) => [`seedance-1.5-pro-${kind}`, '2026-11-11T09:00:00Z', undefined]),
      ...['t2v', 'i2v', 'start-end'].map((kind) => [`seedance-1.0-pro-${kind}`, '2026-07-17T16:00:00Z', undefined]),
      ...['t2v', 'i2v', 'r2v', 'video-edit'].map((kind) => [
        `gemini-omni-flash-${kind}`,
        '2026-09-30T00:00:00Z',
        undefined,
      ]),
    ]);
    expect(dates('exclude_deprecated=true')).toEqual([]);
    expect(ids(pages.models(query('exclude_deprecated=true')))).toHaveLength(active.length - dates('').length);
  });

  it('lists everything without a limit, with first and last id', () => {
    expect(json(pages.models(query('')))).toMatchObject({
      object: 'list',
      has_more: false,
      first_id: 'sandbox-t2v',
      last_id: active.at(-1),
    });
  });

  it('pages forwards to the end without loss', () => {
    const seen: string[] = [];
    let after = '';
    for (let rounds = 0; rounds < active.length; rounds += 1) {
      const page = json(pages.models(query(`limit=10&after_id=${after}`)));
      seen.push(...page.data.map((entry) => String(entry.id)));
      if (!page.has_more) break;
      after = page.last_id;
    }
    expect(seen).toEqual(active);
  });

  it('pages backwards with the entries nearest to the cursor', () => {
    expect(json(pages.models(query('limit=2&before_id=sandbox-start-end')))).toMatchObject({
      has_more: true,
      first_id: 'sandbox-i2v',
      last_id: 'sandbox-r2v',
    });
    expect(json(pages.models(query('limit=5&before_id=sandbox-r2v')))).toMatchObject({
      has_more: false,
      first_id: 'sandbox-t2v',
      last_id: 'sandbox-i2v',
    });
    expect(json(pages.models(query('before_id=sandbox-t2v')))).toMatchObject({
      data: [],
      has_more: false,
      first_id: null,
      last_id: null,
    });
  });

  it.each([
    ['limit=0', 'unsupported_value', 'limit'],
    ['limit=1001', 'unsupported_value', 'limit'],
    ['limit=ten', 'unsupported_value', 'limit'],
    ['after_id=nobody', 'unsupported_value', 'after_id'],
    ['before_id=nobody', 'unsupported_value', 'before_id'],
    ['after_id=sandbox-t2v&before_id=sandbox-r2v', 'conflicting_parameters', 'before_id'],
  ])('refuses %s', (text, code, param) => {
    expect(codeOf(() => pages.models(query(text)))).toEqual([code, param]);
  });

  it('answers the same request with the same bytes, and different bodies have different tags', () => {
    expect(pages.models(query('')).body).toBe(pages.models(query('unknown=1')).body);
    expect(pages.models(query('limit=2')).body).toBe(pages.models(query('limit=2')).body);
    expect(pages.models(query('')).etag).toMatch(/^"[\w-]{43}"$/);
    expect(pages.models(query('')).etag).not.toBe(pages.models(query('limit=2')).etag);
  });

  it('caches the whole list, however many pages are requested', () => {
    const whole = pages.models(query('')).body;
    for (const id of active) for (const limit of [1, 2, 3]) pages.models(query(`limit=${limit}&after_id=${id}`));
    expect(pages.models(query('')).body).toBe(whole);
  });

  it('drops a model when the clock retires it', () => {
    const clock = standingClock('2026-09-01T00:00:00Z');
    const early = responsesOf(makeCatalog({ clock }));
    expect(ids(early.models(query('')))).toContain('sora-2-t2v');
    expect(ids(early.models(query('limit=1000')))).toContain('sora-2-t2v');
    clock.moveTo('2026-09-24T00:00:00Z');
    expect(ids(early.models(query('')))).not.toContain('sora-2-t2v');
    expect(ids(early.models(query('limit=1000')))).not.toContain('sora-2-t2v');
  });
});

describe('a key with restrictions', () => {
  const falOnly: MayUse = (_model, binding) => binding.providerId === 'fal';

  it('sees only its models, with only its mappings', () => {
    const entries = json(pages.models(query(''), { mayUse: falOnly })).data as unknown as {
      id: string;
      providers: { providerId: string }[];
    }[];
    expect(entries.map((entry) => entry.id)).toContain('kling-3.0-t2v');
    expect(entries.map((entry) => entry.id)).not.toContain('sandbox-t2v');
    for (const entry of entries)
      expect(new Set(entry.providers.map(({ providerId }) => providerId))).toEqual(new Set(['fal']));
  });

  it('sees the prices and parameters of its mappings', () => {
    expect(JSON.parse(pages.model('kling-3.0-t2v', query(''), { mayUse: falOnly }).body.toString())).toMatchObject({
      supported_parameters: ['sound', 'negative_prompt'],
      // fal has a mapping for each resolution.
      video_pricing: {
        per: 'output_second',
        rates: [
          { resolution: '720p', audio: false, usd: '0.084' },
          { resolution: '720p', audio: true, usd: '0.126' },
          { resolution: '1080p', audio: false, usd: '0.112' },
          { resolution: '1080p', audio: true, usd: '0.168' },
          { resolution: '4k', usd: '0.42' },
        ],
        source:
          'fal.ai/models/fal-ai/kling-video/v3/standard, a copy read 2026-11-25. fal.ai/models/fal-ai/kling-video/v3/pro, a copy read 2026-11-25. fal.ai/models/fal-ai/kling-video/v3/4k/text-to-video, a copy read 2026-11-28.',
        verified: true,
      },
      providers: [
        {
          video_pricing: { rates: [{ usd: '0.084' }, { usd: '0.126' }] },
          supported_resolutions: ['720p'],
          supported_durations: expect.arrayContaining([3, 15]),
          supported_aspect_ratios: ['16:9', '9:16', '1:1'],
        },
        { supported_resolutions: ['1080p'] },
        { supported_resolutions: ['4k'] },
      ],
    });
  });

  it('sees no prices of sizes that only other providers sell', () => {
    const { video_pricing, providers } = JSON.parse(
      pages.model('ray-2-t2v', query(''), { mayUse: falOnly }).body.toString(),
    ) as {
      video_pricing: { rates: object[] };
      providers: { video_pricing: object; supported_resolutions: string[] }[];
    };
    expect(providers.map((each) => each.supported_resolutions)).toEqual([['540p', '720p', '1080p']]);
    expect(video_pricing.rates).toMatchObject([
      { resolution: '540p' },
      { resolution: '540p' },
      { resolution: '720p' },
      { resolution: '720p' },
      { resolution: '1080p' },
      { resolution: '1080p' },
    ]);
    expect(providers[0]?.video_pricing).toEqual(video_pricing);
  });

  it('cannot distinguish a model that it may not use from one that does not exist', () => {
    expect(codeOf(() => pages.model('sandbox-t2v', query(''), { mayUse: falOnly }))).toEqual([
      'model_not_found',
      'model',
    ]);
  });

  it('gets suggestions only of models that it may use', () => {
    const sandboxText: MayUse = (model) => model.id === 'sandbox-text';
    expect(() => pages.model('sandbox-t2v', query(''), { mayUse: sandboxText })).toThrow(
      'There is no model "sandbox-t2v". Did you mean sandbox-text? GET /v1/models lists what you may use.',
    );
    expect(() => pages.model('sora-2', query(''), { mayUse: sandboxText })).toThrow(
      'sora-2-t2v was retired on 2026-09-24. Use sandbox-text instead.',
    );
    expect(() => pages.model('sandbox-t2v', query(''), { mayUse: () => false })).toThrow(
      'There is no model "sandbox-t2v". GET /v1/models lists what you may use.',
    );
  });

  it('does not change what others see', () => {
    const whole = pages.models(query('')).body.toString();
    pages.models(query(''), { mayUse: falOnly });
    pages.model('kling-3.0-t2v', query(''), { mayUse: falOnly });
    expect(pages.models(query('')).body.toString()).toBe(whole);
    expect(pages.model('kling-3.0-t2v', query('')).model.bindings).toHaveLength(8);
  });
});

describe('GET /v1/models/{model}', () => {
  it('is the bare entry of the list, by id and by alias', () => {
    const listed = json(pages.models(query(''))).data.find((entry) => entry.id === ('veo-3.1-t2v' as never));
    expect(JSON.parse(pages.model('veo-3.1-t2v', query('')).body.toString())).toEqual(listed);
    expect(pages.model('veo-3.1', query('')).body).toBe(pages.model('veo-3.1-t2v', query('')).body);
  });

  it('with a pin is the same entry with that mapping alone', () => {
    expect(JSON.parse(pages.model('fal/wan-2.7-t2v', query('')).body.toString())).toMatchObject({
      id: 'wan-2.7-t2v',
      providers: [{ providerId: 'fal', modelName: 'fal-ai/wan/v2.7/text-to-video' }],
    });
  });

  it('shows a retired model with include_deactivated, as the list does', () => {
    const listed = json(pages.models(query('include_deactivated=true'))).data.find(
      (entry) => entry.id === ('sora-2-t2v' as never),
    );
    for (const name of ['sora-2-t2v', 'sora-2', 'openai/sora-2'])
      expect(JSON.parse(pages.model(name, query('include_deactivated=true')).body.toString())).toEqual(listed);
    expect(codeOf(() => pages.model('sora-2', query('include_deactivated=yes')))).toEqual([
      'model_deactivated',
      'model',
    ]);
  });

  it('refuses retired and unknown models', () => {
    expect(codeOf(() => pages.model('sora-2', query('')))).toEqual(['model_deactivated', 'model']);
    expect(codeOf(() => pages.model('nobody', query('')))).toEqual(['model_not_found', 'model']);
  });
});

describe('GET /v1/models_compat', () => {
  it('lists the models that converse and no other', () => {
    expect(ids(pages.compat(query('limit=1000'))).sort()).toEqual(
      allModels
        .filter((model) => model.capability === 'messages' && !retired.includes(model.id))
        .map((model) => model.id)
        .sort(),
    );
  });

  it('has the whole shape of the message-style API in every entry', () => {
    const supported = { supported: expect.any(Boolean) };
    const { data, ...list } = json(pages.compat(query('')));
    expect(list).toEqual({ has_more: false, first_id: data[0]?.id, last_id: data.at(-1)?.id });
    for (const entry of data) {
      expect(entry).toEqual({
        type: 'model',
        id: expect.any(String),
        display_name: expect.any(String),
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
        max_input_tokens: expect.any(Number),
        max_tokens: expect.any(Number),
        lifecycle: expect.stringMatching(/^(active|deprecated)$/),
        deprecated_at: null,
        retires_at: null,
        line: String(entry.id).startsWith('claude-') ? expect.any(String) : null,
        capabilities: {
          batch: supported,
          citations: supported,
          code_execution: supported,
          context_management: {
            ...supported,
            clear_thinking_20251015: supported,
            clear_tool_uses_20250919: supported,
            compact_20260112: supported,
          },
          effort: {
            ...supported,
            low: supported,
            medium: supported,
            high: supported,
            xhigh: supported,
            max: supported,
          },
          image_input: supported,
          pdf_input: supported,
          server_tools: { ...supported, code_execution: supported, web_search: supported },
          structured_outputs: supported,
          thinking: {
            ...supported,
            types: { adaptive: supported, between_tools: supported, disabled: supported, enabled: supported },
          },
        },
      });
    }
  });
});

describe('GET /internal/models', () => {
  it('describes the controls of a form', () => {
    const entry = json(pages.internal(query('type=video'))).data.find((each) => each.id === ('veo-3.1-t2v' as never));
    expect(entry).toMatchObject({
      name: 'Veo 3.1 text to video',
      kind: 't2v',
      supported_durations: [4, 6, 8],
      supported_resolutions: ['720p', '1080p', '4k'],
      supported_aspect_ratios: ['16:9', '9:16'],
      supported_sizes: ['1280x720', '720x1280', '1920x1080', '1080x1920', '3840x2160', '2160x3840'],
      default_seconds: 8,
      default_size: '1280x720',
      fps: 24,
      supported_fps: null,
      audio: 'toggle',
      required_media: [],
      supported_parameters: ['negative_prompt', 'generate_audio', 'seed', 'quality'],
      // fal makes all of them at every resolution.
      rules: [],
      video_pricing: { per: 'output_second', rates: [{ usd: '0.4' }, { usd: '0.4' }, { usd: '0.6' }] },
      providers: [
        { providerId: 'google-ai-studio' },
        { providerId: 'google-vertex' },
        { providerId: 'runway' },
        { providerId: 'fal' },
        { providerId: 'replicate' },
        { providerId: 'wavespeed' },
      ],
    });
  });

  it.each([
    ['sandbox-t2v', [], [], { min: 8, max: 30 }],
    ['sandbox-i2v', ['image_url'], [], { min: 8, max: 30 }],
    ['wan-2.7-r2v', ['image_list|video_list'], [], null],
    ['happyhorse-1.1-r2v', ['image_list'], [], null],
    ['happyhorse-1.0-video-edit', ['video_url', 'input_seconds'], ['image_list'], null],
    ['pixverse-v6-transition', ['image_list'], [], null],
  ])(
    'lists for %s the media that it requires, those that it takes, and its frame rates',
    (id, required_media, optional_media, supported_fps) => {
      const entry = json(pages.internal(query(''))).data.find((each) => each.id === (id as never));
      expect(entry).toMatchObject({ required_media, optional_media, supported_fps });
    },
  );

  it('names the kind of every model: of a video its source, of the others what they do', () => {
    for (const entry of json(pages.internal(query(''))).data) {
      expect(entry).toMatchObject({
        kind:
          String(entry.type) === 'video' ? expect.stringMatching(/^(t2v|i2v|r2v|video-edit|start-end)$/) : entry.type,
      });
    }
  });

  it('refuses an unknown type and names the known ones', () => {
    for (const type of ['text', 'audio', 'VIDEO', 'smell'])
      expect(codeOf(() => pages.internal(query(`type=${type}`)))).toEqual(['unsupported_value', 'type']);
    expect(() => pages.internal(query('type=text'))).toThrow(
      'type must be video, messages, stt or tts; got "text". Leave it out for all models.',
    );
  });

  it('lists active models of the given type, and all types without one', () => {
    expect(ids(pages.internal(query('type=video')))).toEqual(
      active.filter((id) => videoModels.some((model) => model.id === id)),
    );
    expect(ids(pages.internal(query('type=tts')))).toContain('sandbox-tts');
    expect(ids(pages.internal(query('')))).toEqual(active);
  });

  it('has null for the default length of an edit', () => {
    const entry = json(pages.internal(query(''))).data.find((each) => each.id === ('sandbox-video-edit' as never));
    expect(entry).toMatchObject({ default_seconds: null, default_size: '1280x720' });
  });
});

describe('presentVideoPrice', () => {
  it('shows every condition and the exact amount of every rate', () => {
    for (const { price } of videoModels.flatMap((model) => model.bindings)) {
      const { currency, rates, extras, ...shown } = presentVideoPrice(price);
      const readBack = rates.map(({ usd, ...conditions }) => ({
        ...Object.fromEntries(Object.entries(conditions).map(([name, value]) => [camelCase(name), value])),
        usd: parsePrice(usd),
      }));
      expect(currency).toBe('USD');
      const extrasBack = extras?.map(({ usd, ...extra }) => ({ ...extra, usd: parsePrice(usd) }));
      expect({ ...shown, rates: readBack, ...(extrasBack && { extras: extrasBack }) }).toEqual(price);
    }
  });

  function camelCase(name: string): string {
    return name.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase());
  }
});
