import { createAnthropic } from '@ai-sdk/anthropic';
import Anthropic1 from '@anthropic-ai/sdk';
import { generateText } from 'ai';
import Anthropic0 from 'sdk0';
import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventsOf, sendRaw, userTurn } from './raw';
import { chatModel, compatibleModel, nativeModel, say, startWorld, type World } from './world';

// Errors that other gateways had, each as the fact that must hold here. Errors of the dialects alone are tested in
// tests/providers/dialects.

let world: World;
beforeAll(async () => void (world = await startWorld()));
afterAll(() => world.close());

const send = (body: unknown, headers?: Readonly<Record<string, string>>, path?: string) =>
  sendRaw(world.baseUrl, world.key, body, headers, path);
const get = async (path: string, headers: Readonly<Record<string, string>> = {}, method: 'GET' | 'HEAD' = 'GET') => {
  const answer = await request(`${world.baseUrl}${path}`, { method, headers });
  return { status: answer.statusCode, headers: answer.headers, text: await answer.body.text() };
};
const firstUsage = (text: string) => (eventsOf(text)[0]!.data.message as { usage: Record<string, number> }).usage;

describe('requests', () => {
  it.each([
    ['x-api-key', (key: string) => ({ 'x-api-key': key })],
    ['a bearer token', (key: string) => ({ authorization: `Bearer ${key}` })],
    ['both with the same key', (key: string) => ({ 'x-api-key': key, authorization: `Bearer ${key}` })],
  ])('are taken with %s', async (_what, credential) => {
    const answer = await request(`${world.baseUrl}/v1/messages`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...credential(world.key) },
      body: JSON.stringify(userTurn(nativeModel, say('text'))),
    });
    expect(answer.statusCode).toBe(200);
    await answer.body.dump();
  });

  it("never carry the caller's key upstream, and carry one version only", async () => {
    await send(userTurn(nativeModel, say('text')), {
      'anthropic-version': '2023-06-01, 2023-06-01',
      'anthropic-beta': 'claude-code-20250219,interleaved-thinking-2025-05-14',
    });
    const { headers } = world.native.last();
    expect(headers['x-api-key']).toBe(world.native.apiKey);
    expect(JSON.stringify(headers)).not.toContain(world.key);
    expect(headers['anthropic-version']).toBe('2023-06-01');
    expect(headers['anthropic-beta']).toBe('claude-code-20250219,interleaved-thinking-2025-05-14');
  });

  it('reach us with any prefix or suffix that clients add to the path', async () => {
    for (const path of ['/v1/messages?beta=true', '/messages', '/v1/v1/messages'])
      expect((await send(userTurn(nativeModel, say('text')), {}, path)).status, path).toBe(200);
    expect(
      (await send({ model: nativeModel, messages: [{ role: 'user', content: 'x' }] }, {}, '/messages/count_tokens'))
        .status,
    ).toBe(200);
  });

  it('of the newest client come with a bearer key, its own version and betas without a query', async () => {
    const client = new Anthropic1({ baseURL: world.baseUrl, apiKey: world.key, maxRetries: 0 });
    await client.beta.messages.create({
      model: nativeModel,
      max_tokens: 50,
      betas: ['context-management-2025-06-27'],
      messages: [{ role: 'user', content: say('text') }],
    });
    const { headers, query } = world.native.last();
    expect(headers).toMatchObject({
      'anthropic-version': '2026-10-21',
      'anthropic-beta': 'context-management-2025-06-27',
      'x-api-key': world.native.apiKey,
    });
    expect(query).toBe('');
  });

  it('of the client that omits /v1 and requests 128,000 tokens are answered, with as many tokens as the model supports', async () => {
    const model = createAnthropic({ baseURL: world.baseUrl, apiKey: world.key })(chatModel);
    const { text } = await generateText({ model, prompt: say('text'), maxRetries: 0, maxOutputTokens: 128_000 });
    expect(text).toBe('Hello wörld 😀');
    expect(world.chat.last().body?.max_tokens).toBe(32_768);
  });

  it('keep unknown fields for the vendor, and drop them for others', async () => {
    const body = { ...userTurn(nativeModel, say('text')), context_management: { edits: [] } };
    await send(body, { 'anthropic-beta': 'context-management-2025-06-27' });
    expect(world.native.last().body?.context_management).toEqual({ edits: [] });
    for (const model of [compatibleModel, chatModel])
      expect((await send({ ...body, model, brand_new_field: 1 })).status, model).toBe(200);
  });

  it('list what is not sent on: fields that a vendor does not support, and tools that only another vendor can run', async () => {
    const ignored = async (model: string, more: Readonly<Record<string, unknown>>) =>
      (await send(userTurn(model, say('text'), more))).headers['x-ignored-params'];
    const search = { type: 'web_search_20260209', name: 'web_search' };
    const own = { name: 'f', input_schema: { type: 'object', properties: {} } };
    const bash = { type: 'bash_20250124', name: 'bash' };
    const toolset = { type: 'mcp_toolset', mcp_server_name: 'docs' };
    for (const model of [compatibleModel, chatModel]) {
      expect(await ignored(model, { tools: [own, bash] }), model).toBeUndefined();
      expect(await ignored(model, { tools: [own, search, toolset] }), model).toBe('tools.web_search, tools[2]');
      expect(
        await ignored(model, { service_tier: 'auto', context_management: { edits: [] }, 'odd name': 1 }),
        model,
      ).toBe('service_tier, context_management');
    }
    expect(await ignored(chatModel, { top_k: 5, temperature: 1 })).toBe('top_k');
    expect(await ignored(nativeModel, { tools: [search], service_tier: 'auto' })).toBeUndefined();
  });

  it.each([
    ['tool', { type: 'tool', name: 'web_search' }],
    ['any', { type: 'any' }],
  ])('are refused when tool_choice (%s) names a tool that only another vendor can run', async (_what, choice) => {
    const more = { tools: [{ type: 'web_search_20260209', name: 'web_search' }], tool_choice: choice };
    for (const model of [compatibleModel, chatModel]) {
      const { status, text } = await send(userTurn(model, say('text'), more));
      expect([status, JSON.parse(text).error], model).toEqual([
        400,
        {
          type: 'invalid_request_error',
          message: expect.stringContaining('web_search, which only its vendor can run'),
        },
      ]);
    }
    expect((await send(userTurn(nativeModel, say('text'), more))).status).toBe(200);
  });

  it('are refused when tool_choice has a type that the model has no translation for', async () => {
    const more = { tools: [{ name: 'look', input_schema: { type: 'object' } }], tool_choice: { type: 'most' } };
    for (const model of [compatibleModel, chatModel]) {
      const { status, text } = await send(userTurn(model, say('text'), more));
      expect([status, JSON.parse(text).error.message], model).toEqual([
        400,
        expect.stringContaining('tool_choice.type must be auto, any, tool or none for this model.'),
      ]);
    }
  });

  it('return only thinking that was issued here, unchanged, and only to the provider that wrote it', async () => {
    const { text } = await send(userTurn(compatibleModel, say('thinking-without-signature'), { stream: false }));
    const [thinking] = (JSON.parse(text) as { content: Record<string, unknown>[] }).content;
    const replayed = async (model: string, block: unknown) => {
      const messages = [
        { role: 'user', content: 'Hello' },
        { role: 'assistant', content: [block, { type: 'text', text: 'A' }] },
        { role: 'user', content: say('text') },
      ];
      expect((await send({ ...userTurn(model, ''), messages })).status).toBe(200);
      const { body } = (
        model === chatModel ? world.chat : model === compatibleModel ? world.compatible : world.native
      ).last();
      return JSON.stringify(body?.messages).includes('thinking');
    };
    expect(thinking).toMatchObject({
      type: 'thinking',
      thinking: 'Hm.',
      signature: expect.stringMatching(/^gw1\.minimax\./),
    });
    expect(await replayed(compatibleModel, thinking)).toBe(true);
    expect(await replayed(compatibleModel, { ...thinking, thinking: 'Hm!' })).toBe(false);
    expect(await replayed(compatibleModel, { ...thinking, signature: 'gw1.minimax..AAAAAAAAAAAAAAAAAAAAAA' })).toBe(
      false,
    );
    expect(await replayed(chatModel, thinking)).toBe(false);
    expect(await replayed(nativeModel, thinking)).toBe(false);
  });

  it('with more output than a model supports are reduced to it', async () => {
    await send(userTurn(nativeModel, say('text'), { max_tokens: 128_000 }));
    expect(world.native.last().body?.max_tokens).toBe(64_000);
  });

  it('lose the sampling parameters that a model refuses, and are warned', async () => {
    const { status, headers } = await send(userTurn('claude-sonnet-5-5', say('text'), { temperature: 0, top_k: 5 }));
    expect([status, headers['x-ignored-params']]).toEqual([200, 'temperature, top_k']);
    expect(world.native.last().body).not.toHaveProperty('temperature');
    const newest = await send(userTurn('claude-sonnet-5-5', say('text'), { temperature: 0 }), {
      'anthropic-version': '2026-10-21',
    });
    expect(newest.status).toBe(400);
  });

  it.each([
    ['a missing max_tokens', { max_tokens: undefined }, 'max_tokens: Field required'],
    ['no messages', { messages: [] }, 'messages: at least one message is required'],
    [
      'a role of its own',
      { messages: [{ role: 'tool', content: 'x' }] },
      "messages.0.role: Input should be 'user', 'assistant' or 'system'",
    ],
    [
      'a schema without a type',
      { tools: [{ name: 'f', input_schema: {} }] },
      'tools.0.custom.input_schema.type: Field required',
    ],
    [
      'two tools of one name',
      {
        tools: [
          { name: 'f', input_schema: { type: 'object' } },
          { name: 'f', input_schema: { type: 'object' } },
        ],
      },
      'tools: Tool names must be unique.',
    ],
    [
      'five cache marks, tools counted',
      {
        tools: [{ name: 'f', input_schema: { type: 'object' }, cache_control: { type: 'ephemeral' } }],
        system: [{ type: 'text', text: 's', cache_control: { type: 'ephemeral' } }],
        messages: [
          {
            role: 'user',
            content: [1, 2, 3].map((n) => ({ type: 'text', text: String(n), cache_control: { type: 'ephemeral' } })),
          },
        ],
      },
      'A maximum of 4 blocks with cache_control may be provided. Found 5.',
    ],
    [
      'a budget above max_tokens',
      { thinking: { type: 'enabled', budget_tokens: 2_000 } },
      '`max_tokens` must be greater than `thinking.budget_tokens`.',
    ],
    [
      'an image of another type',
      {
        messages: [
          {
            role: 'user',
            content: [{ type: 'image', source: { type: 'base64', media_type: 'image/bmp', data: 'AA==' } }],
          },
        ],
      },
      "messages.0.content.0.image.source.base64.media_type: Input should be 'image/jpeg', 'image/png', 'image/gif' or 'image/webp'",
    ],
  ])("with %s are refused in the vendor's words", async (_what, more, message) => {
    const { status, text } = await send({ ...userTurn(nativeModel, 'Hello'), ...more });
    expect([status, JSON.parse(text).error]).toEqual([400, { type: 'invalid_request_error', message }]);
  });

  it.each([
    ['an unknown model', { model: 'nobody' }, {}, 404, 'not_found_error'],
    ['a model that makes videos', { model: 'sandbox-t2v' }, {}, 400, 'invalid_request_error'],
    ['a key that is not ours', {}, { 'x-api-key': 'sk-ant-api03-abc' }, 401, 'authentication_error'],
  ])("with %s are refused in the vendor's shape", async (_what, more, headers, status, type) => {
    const answer = await send({ ...userTurn(nativeModel, 'Hello'), ...more }, headers);
    expect([answer.status, JSON.parse(answer.text)]).toEqual([
      status,
      { type: 'error', error: { type, message: expect.any(String) }, request_id: answer.headers['request-id'] },
    ]);
  });

  it("for unknown paths are also answered in the vendor's shape", async () => {
    const wrongMethod = await get('/v1/messages');
    expect([wrongMethod.status, JSON.parse(wrongMethod.text).type]).toEqual([405, 'error']);
    const unknown = await send('{}', {}, '/v1/messages/batches');
    expect([unknown.status, JSON.parse(unknown.text).error.type]).toEqual([404, 'not_found_error']);
  });
});

describe('answers', () => {
  it('report an estimate of the input at once if the vendor reports it only at the end', async () => {
    const { text } = await send(userTurn(chatModel, say('text')));
    expect(firstUsage(text).input_tokens).toBeGreaterThan(0);
    expect(firstUsage(text).output_tokens).toBeLessThanOrEqual(1);
    expect((eventsOf(text).at(-2)!.data.usage as Record<string, number>).input_tokens).toBe(40);
  });

  it("carry the catalog's name, never the pin and never the upstream name", async () => {
    const { text } = await send(userTurn(`anthropic/${nativeModel}`, say('text'), { stream: false }));
    expect(JSON.parse(text).model).toBe(nativeModel);
  });

  it('are sent with headers that keep proxies from buffering them', async () => {
    const { headers } = await send(userTurn(nativeModel, say('text')));
    expect(headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
      'x-patchbay-provider': 'anthropic',
      'x-patchbay-attempts': '1',
    });
    expect(headers).not.toHaveProperty('content-encoding');
    expect(headers).not.toHaveProperty('anthropic-ratelimit-requests-limit');
  });

  it('never contain a sentinel or an event of our own', async () => {
    for (const [model, scenario] of [
      [compatibleModel, 'done-event'],
      [compatibleModel, 'done-data'],
      [chatModel, 'text'],
    ] as const) {
      const { text } = await send(userTurn(model, say(scenario)));
      expect(text).not.toContain('DONE');
      expect(new Set(eventsOf(text).map(({ event }) => event))).toEqual(
        new Set([
          'message_start',
          'content_block_start',
          'content_block_delta',
          'content_block_stop',
          'message_delta',
          'message_stop',
        ]),
      );
    }
  });

  it('keep their token counts: prompt = input + read + written, and none is negative', async () => {
    for (const scenario of ['text', 'usage-cache-hit', 'usage-in-choice', 'usage-none', 'usage-everywhere']) {
      const { text } = await send(userTurn(chatModel, say(scenario), { stream: false }));
      const { usage } = JSON.parse(text) as { usage: Record<string, number> };
      for (const count of Object.values(usage))
        if (typeof count === 'number') expect(count, scenario).toBeGreaterThanOrEqual(0);
      expect(usage, scenario).not.toHaveProperty('estimated');
    }
  });
});

describe('counting', () => {
  const count = (model: string) =>
    send({ model, messages: [{ role: 'user', content: 'Hello there' }] }, {}, '/v1/messages/count_tokens');

  it("is the vendor's if it has a counter, and otherwise 200 with an estimate", async () => {
    const native = await count(nativeModel);
    expect([native.status, native.headers['x-token-count-source']]).toEqual([200, 'vendor']);
    for (const model of [compatibleModel, chatModel]) {
      const { status, headers, text } = await count(model);
      expect([status, headers['x-token-count-source']]).toEqual([200, 'estimate']);
      expect(JSON.parse(text)).toEqual({ input_tokens: expect.any(Number) });
    }
  });

  it('needs no provider if it is estimated', async () => {
    const { status, headers } = await count('deepseek-flash');
    expect([status, headers['x-token-count-source']]).toEqual([200, 'estimate']);
    expect((await count('no-such-model')).status).toBe(404);
  });

  it('is refused after five million characters in a minute', async () => {
    const long = {
      model: compatibleModel,
      messages: [{ role: 'user', content: 'Some ordinary words. '.repeat(4_000) }],
    };
    const { live } = await world.server.makeOrganization('Counting');
    const ask = () => sendRaw(world.baseUrl, live, long, {}, '/v1/messages/count_tokens');
    const statuses: number[] = [];
    for (let times = 0; times < 78; times += 1) statuses.push((await ask()).status);
    // A new minute may have begun on the way.
    expect(statuses.slice(0, 70).every((status) => status === 200)).toBe(true);
    const { status, headers, text } = await ask();
    if (status === 429)
      expect([Number(headers['retry-after']) > 0, text]).toEqual([
        true,
        expect.stringContaining('5,000,000 characters'),
      ]);
    expect(statuses.includes(429) || status === 200).toBe(true);
  });

  it('is answered even if the counter fails, and costs nothing', async () => {
    const before = (await world.rows()).length;
    const { status, headers } = await send(
      { model: nativeModel, messages: [{ role: 'user', content: say('unavailable') }] },
      {},
      '/v1/messages/count_tokens',
    );
    expect([status, headers['x-token-count-source']]).toEqual([200, 'estimate']);
    expect((await world.rows()).length).toBe(before);
  });

  it('accepts the body of a message as it is', async () => {
    const { status } = await send(
      { ...userTurn(nativeModel, 'Hello'), temperature: 1, metadata: { user_id: 'x' }, stop_sequences: ['x'] },
      {},
      '/v1/messages/count_tokens',
    );
    expect(status).toBe(200);
  });
});

describe('lists and probes', () => {
  it('answer what tools request before they begin: HEAD / and HEAD /api/hello with 200 and an empty body', async () => {
    for (const path of ['/', '/api/hello']) {
      const { status, text } = await get(path, {}, 'HEAD');
      expect([status, text], path).toEqual([200, '']);
    }
    expect((await get('/api/hello')).status).toBe(200);
  });

  it("serve tools that look for the vendor's models, and all other readers, from one body", async () => {
    const answer = await get('/v1/models?limit=1000', { 'x-api-key': world.key });
    const { data } = JSON.parse(answer.text) as {
      data: { id: string; display_name: string; type: string; pricing: object; providers: object[] }[];
    };
    expect(data.some(({ id }) => id.includes('claude'))).toBe(true);
    expect(
      data.every(
        ({ type, display_name: name, pricing, providers }) =>
          type === 'model' && typeof name === 'string' && typeof pricing === 'object' && Array.isArray(providers),
      ),
    ).toBe(true);
    expect(
      (await get('/v1/models?limit=1000', { 'x-api-key': world.key, 'anthropic-version': '2023-06-01' })).text,
    ).toBe(answer.text);
  });

  it("name the context, the longest answer and the capabilities of a model, in the vendor's shape", async () => {
    const { data } = JSON.parse((await get('/v1/models_compat')).text) as { data: Record<string, unknown>[] };
    expect(data.find(({ id }) => id === nativeModel)).toMatchObject({
      type: 'model',
      max_input_tokens: 200_000,
      max_tokens: 64_000,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      capabilities: {
        image_input: { supported: true },
        structured_outputs: { supported: true },
        thinking: { supported: true },
        effort: expect.any(Object),
      },
    });
    const { usage } = JSON.parse((await send(userTurn(chatModel, say('text'), { stream: false }))).text) as {
      usage: Record<string, unknown>;
    };
    expect(usage).toMatchObject({
      input_tokens: 40,
      cache_read_input_tokens: 60,
      cache_creation_input_tokens: 0,
      output_tokens: 7,
    });
  });

  it.each([
    ['@anthropic-ai/sdk 1', Anthropic1],
    // Safe: the two majors list models in the same way.
    ['@anthropic-ai/sdk 0', Anthropic0 as unknown as typeof Anthropic1],
  ])('are read to the end, page by page and backwards, by %s', async (_name, Sdk) => {
    const client = new Sdk({ baseURL: world.baseUrl, apiKey: world.key });
    const ids: string[] = [];
    let pages = 0;
    for await (const page of (await client.models.list({ limit: 5 })).iterPages()) {
      pages += 1;
      ids.push(...page.data.map(({ id }) => id));
    }
    const whole = await client.models.list({ limit: 1_000 });
    expect(ids).toEqual(whole.data.map(({ id }) => id));
    expect(pages).toBe(Math.ceil(ids.length / 5));
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toContain(nativeModel);
    const before = await client.models.list({ limit: 3, before_id: ids[5]! });
    expect(before.data.map(({ id }) => id)).toEqual(ids.slice(2, 5));
    expect(await client.models.retrieve(nativeModel)).toMatchObject({
      id: nativeModel,
      type: 'model',
      display_name: 'Claude Haiku 4.5',
    });
    expect(await client.models.retrieve(`anthropic/${nativeModel}`)).toMatchObject({ id: nativeModel });
    await expect(client.models.retrieve('nobody')).rejects.toMatchObject({ status: 404 });
    expect(
      (await client.messages.countTokens({ model: nativeModel, messages: [{ role: 'user', content: 'Hello' }] }))
        .input_tokens,
    ).toBeGreaterThan(0);
  });

  it("have a list of conversation models in the vendor's shape", async () => {
    const { data, has_more: hasMore } = JSON.parse((await get('/v1/models_compat')).text) as {
      data: { id: string; capabilities: object }[];
      has_more: boolean;
    };
    expect(hasMore).toBe(false);
    expect(data.map(({ id }) => id)).toEqual(
      expect.arrayContaining([nativeModel, compatibleModel, chatModel, 'sandbox-text']),
    );
    expect(data.some(({ id }) => id === 'sandbox-t2v')).toBe(false);
  });
});
