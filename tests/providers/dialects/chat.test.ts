import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GatewayError } from '../../../lib/domain/errors';
import type { MessageEvent, MessagesBody } from '../../../lib/domain/messages';
import type { Provider } from '../../../lib/domain/provider';
import { chatRequest, type ChatFacts } from '../../../lib/providers/dialects/chat-completions/request';
import { createToolNames } from '../../../lib/providers/dialects/chat-completions/tool-names';
import { createChatTranslator } from '../../../lib/providers/dialects/chat-completions/translator';
import { moonshot } from '../../../lib/providers/moonshot/index';
import { openaiCompatible } from '../../../lib/providers/openai-compatible/index';
import { recordLog } from '../../support/log';
import { proofRuns } from '../../support/proof-runs';
import { chatScripts, startFakeChatUpstream, type FakeChatUpstream } from '../../support/upstreams/fake-chat-upstream';
import { collected } from '../../support/upstreams/fake-messages-vendor';
import { findOrderError } from '../../support/upstreams/stream-order';
import {
  askFor,
  makeMessagesBinding,
  makeProviderDeps,
  readOutcome,
  thinkingSigner,
  type RequestChange,
} from '../support/messages';

const facts: ChatFacts = {
  providerId: 'moonshot',
  outputLimit: 'max_tokens',
  thinking: 'none',
  efforts: [],
  maxStops: 4,
  systemTurns: false,
  structured: 'json_schema',
};
const kimi = makeMessagesBinding({ providerId: 'moonshot', modelName: 'kimi-k2.6', thinkingReplay: true });
const write = (body: Record<string, unknown>, change: Partial<ChatFacts> = {}, binding = kimi) =>
  JSON.parse(
    chatRequest(body as unknown as MessagesBody, binding, { ...facts, ...change }, thinkingSigner).body,
  ) as Record<string, unknown> & { messages: Record<string, unknown>[] };
const user = (content: unknown) => ({ role: 'user', content });

describe('a request in chat completions', () => {
  it('translates the reference conversation', () => {
    const golden = {
      model: 'kimi-k2.6',
      max_tokens: 100,
      system: [{ type: 'text', text: 'S', cache_control: { type: 'ephemeral' } }],
      messages: [
        user('hi'),
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'T', signature: thinkingSigner.sign('moonshot', 'T', '') },
            { type: 'text', text: 'ok' },
            { type: 'tool_use', id: 'call_1', name: 'f', input: { a: 1 } },
            { type: 'tool_use', id: 'call_2', name: 'g', input: {} },
          ],
        },
        user([
          {
            type: 'tool_result',
            tool_use_id: 'call_1',
            content: [
              { type: 'text', text: 'r1' },
              { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA==' } },
            ],
          },
          { type: 'tool_result', tool_use_id: 'call_2', content: 'boom', is_error: true },
          { type: 'text', text: 'go on' },
        ]),
      ],
      tools: [
        { name: 'f', input_schema: { type: 'object', properties: { a: { type: 'number' } } } },
        { name: 'g', input_schema: { type: 'object', properties: {} } },
      ],
      tool_choice: { type: 'any', disable_parallel_tool_use: true },
      stop_sequences: ['END'],
      stream: true,
    };
    expect(write(golden)).toEqual({
      model: 'kimi-k2.6',
      max_tokens: 100,
      stream: true,
      stream_options: { include_usage: true },
      stop: ['END'],
      messages: [
        { role: 'system', content: 'S' },
        { role: 'user', content: 'hi' },
        {
          role: 'assistant',
          content: 'ok',
          reasoning_content: 'T',
          tool_calls: [
            { id: 'call_1', type: 'function', function: { name: 'f', arguments: '{"a":1}' } },
            { id: 'call_2', type: 'function', function: { name: 'g', arguments: '{}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'call_1', content: 'r1\n[image attached below]' },
        { role: 'tool', tool_call_id: 'call_2', content: 'Error: boom' },
        {
          role: 'user',
          content: [
            { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } },
            { type: 'text', text: 'go on' },
          ],
        },
      ],
      tools: [
        {
          type: 'function',
          function: { name: 'f', parameters: { type: 'object', properties: { a: { type: 'number' } } } },
        },
        { type: 'function', function: { name: 'g', parameters: { type: 'object', properties: {} } } },
      ],
      tool_choice: 'required',
      parallel_tool_calls: false,
    });
  });

  it('tool_choice is dropped when there are no tools', () => {
    expect(write({ max_tokens: 1, messages: [user('x')], tools: [], tool_choice: { type: 'any' } })).not.toHaveProperty(
      'tool_choice',
    );
  });

  it('there is one tool message for each call, before any text of the turn, and duplicates keep the last', () => {
    const { messages } = write({
      max_tokens: 1,
      messages: [
        user('x'),
        { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'f', input: {} }] },
        user([
          { type: 'text', text: 'first' },
          { type: 'tool_result', tool_use_id: 'a', content: 'old' },
        ]),
        user([{ type: 'tool_result', tool_use_id: 'a', content: 'new' }]),
      ],
    });
    expect(messages.slice(2)).toEqual([
      { role: 'tool', tool_call_id: 'a', content: 'new' },
      { role: 'user', content: 'first' },
    ]);
  });

  it('an unanswered call gets an answer and an orphaned result becomes text', () => {
    const { messages } = write({
      max_tokens: 1,
      messages: [
        user('x'),
        { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'f', input: {} }] },
        user([{ type: 'tool_result', tool_use_id: 'other', content: 'y' }]),
      ],
    });
    expect(messages.slice(2)).toEqual([
      { role: 'tool', tool_call_id: 'a', content: '[no result]' },
      { role: 'user', content: '[result of an earlier tool call]\n\ny' },
    ]);
  });

  it('reasoning_content is replayed for its own vendor only, and is never empty', () => {
    const turn = (signature: string) => [
      user('x'),
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'T', signature },
          { type: 'tool_use', id: 'a', name: 'f', input: {} },
        ],
      },
      user([{ type: 'tool_result', tool_use_id: 'a', content: 'y' }]),
    ];
    const plain = makeMessagesBinding({ providerId: 'moonshot' });
    expect(
      write({ max_tokens: 1, messages: turn(thinkingSigner.sign('moonshot', 'T', '')) }).messages[1],
    ).toMatchObject({
      reasoning_content: 'T',
      content: null,
    });
    expect(write({ max_tokens: 1, messages: turn('EqQBCg') }).messages[1]).toMatchObject({ reasoning_content: ' ' });
    expect(
      write({ max_tokens: 1, messages: turn(thinkingSigner.sign('deepseek', 'T', '')) }).messages[1],
    ).toMatchObject({
      reasoning_content: ' ',
    });
    expect(
      write({ max_tokens: 1, messages: turn(thinkingSigner.sign('moonshot', 'T', '')) }, {}, plain).messages[1],
    ).not.toHaveProperty('reasoning_content');
    expect(
      write({ max_tokens: 1, messages: turn('x'), thinking: { type: 'disabled' } }).messages[1],
    ).not.toHaveProperty('reasoning_content');
  });

  it('ids of calls go back as their provider wrote them', () => {
    const id = `tux_${Buffer.from('functions.f:0').toString('base64url')}`;
    const { messages } = write({
      max_tokens: 1,
      messages: [
        user('x'),
        { role: 'assistant', content: [{ type: 'tool_use', id, name: 'f', input: {} }] },
        user([{ type: 'tool_result', tool_use_id: id, content: 'y' }]),
      ],
    });
    expect(messages[1]).toMatchObject({ tool_calls: [{ id: 'functions.f:0' }] });
    expect(messages[2]).toMatchObject({ tool_call_id: 'functions.f:0' });
  });

  it('only plain texts are a string, and empty ones are left out', () => {
    const { messages } = write({
      max_tokens: 1,
      messages: [
        user([
          { type: 'text', text: '' },
          { type: 'text', text: 'a' },
          { type: 'text', text: 'b' },
        ]),
      ],
    });
    expect(messages).toEqual([{ role: 'user', content: 'a\n\nb' }]);
  });

  it('nothing comes between a call and its result, not even the system', () => {
    const [asked, called, result] = [
      user('x'),
      { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'f', input: {} }] },
      user([{ type: 'tool_result', tool_use_id: 'a', content: 'r' }]),
    ];
    const { messages } = write(
      { max_tokens: 1, messages: [asked, called, { role: 'system', content: 'S' }, result] },
      { systemTurns: true },
    );
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'system']);
  });

  it('a request to continue an answer is refused: the upstream would begin a new one', () => {
    expect(() =>
      write({ max_tokens: 1, messages: [user('x'), { role: 'assistant', content: 'The answer is' }] }),
    ).toThrow('The last message must be the user’s');
  });

  it('a turn without content gets a placeholder to answer', () => {
    expect(write({ max_tokens: 1, messages: [user([{ type: 'text', text: '' }])] }).messages).toEqual([
      { role: 'user', content: '(no content)' },
    ]);
  });

  it('the line that clients put before the system prompt does not break prefix caching', () => {
    const { messages } = write({
      max_tokens: 1,
      system: [
        { type: 'text', text: 'x-anthropic-billing-header: a=1' },
        { type: 'text', text: 'S' },
      ],
      messages: [user('x')],
    });
    expect(messages[0]).toEqual({ role: 'system', content: 'S' });
  });

  it.each([
    [
      'effort',
      { output_config: { effort: 'medium' } },
      { thinking: 'effort', efforts: ['low', 'high', 'max'] },
      { reasoning_effort: 'high' },
    ],
    [
      'a budget',
      { thinking: { type: 'enabled', budget_tokens: 1_500 } },
      { thinking: 'effort', efforts: ['low', 'high'] },
      { reasoning_effort: 'low' },
    ],
    [
      'an effort before a budget',
      { thinking: { type: 'enabled', budget_tokens: 1_500 }, output_config: { effort: 'max' } },
      { thinking: 'effort', efforts: ['low', 'high'] },
      { reasoning_effort: 'high' },
    ],
    [
      'disabled',
      { thinking: { type: 'disabled' } },
      { thinking: 'effort', efforts: ['low', 'high'] },
      { reasoning_effort: 'low' },
    ],
    ['adaptive', { thinking: { type: 'adaptive' } }, { thinking: 'switch' }, { thinking: { type: 'enabled' } }],
    ['off', { thinking: { type: 'disabled' } }, { thinking: 'switch' }, { thinking: { type: 'disabled' } }],
  ] as const)('thinking is requested in the vendor’s way: %s', (_name, body, change, expected) => {
    expect(write({ max_tokens: 1, messages: [user('x')], ...body }, change as Partial<ChatFacts>)).toMatchObject(
      expected,
    );
  });

  it('a schema of the answer becomes the nearest that the vendor supports', () => {
    const body = {
      max_tokens: 1,
      messages: [user('x')],
      output_config: { format: { type: 'json_schema', schema: { type: 'object' } } },
    };
    expect(write(body).response_format).toEqual({
      type: 'json_schema',
      json_schema: { name: 'output', schema: { type: 'object' }, strict: true },
    });
    const object = write(body, { structured: 'json_object' });
    expect(object.response_format).toEqual({ type: 'json_object' });
    expect(object.messages[0]).toMatchObject({ role: 'system', content: expect.stringContaining('{"type":"object"}') });
  });

  it('tool names that are too long or odd are sent shortened, unique, and restored in the answer', () => {
    const long = `mcp__server__${'x'.repeat(70)}`;
    const names = createToolNames([`${long}1`, `${long}2`, 'a.b', 'a_b', 'plain']);
    const shorts = [`${long}1`, `${long}2`, 'a.b', 'a_b', 'plain'].map((name) => names.short(name));
    expect(new Set(shorts).size).toBe(5);
    for (const short of shorts) expect(short).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
    expect(shorts.map((short) => names.full(short))).toEqual([`${long}1`, `${long}2`, 'a.b', 'a_b', 'plain']);
    expect(names.short('plain')).toBe('plain');
  });
});

const tool = (id: string, name: string, input: unknown) => ({ type: 'tool_use', id, name, input });
const thinkingBlock = (thinking: string) => ({
  type: 'thinking',
  thinking,
  signature: thinkingSigner.sign('openai-compatible', thinking, ''),
});
const f = tool('call_a', 'f', { a: 1 });
const g = tool('call_b', 'g', { b: 2 });
const done = [{ type: 'text', text: 'Done.' }];
const hello = [{ type: 'text', text: 'Hello' }];
const chatUsage = { input_tokens: 40, cache_read_input_tokens: 60, cache_creation_input_tokens: 0, output_tokens: 7 };

const meanings: Readonly<Record<string, { content: unknown; stopReason: string; usage?: Record<string, unknown> }>> = {
  text: { content: [{ type: 'text', text: 'Hello wörld 😀' }], stopReason: 'end_turn', usage: chatUsage },
  'content-null': { content: [{ type: 'text', text: 'Hello wörld 😀' }], stopReason: 'end_turn' },
  tool: { content: [f], stopReason: 'tool_use', usage: chatUsage },
  'text-then-tool': { content: [{ type: 'text', text: 'I will look.' }, f], stopReason: 'tool_use' },
  'one-chunk-tool': { content: [f], stopReason: 'tool_use' },
  'parallel-tools': { content: [f, g], stopReason: 'tool_use' },
  'no-index': { content: [f, g], stopReason: 'tool_use' },
  'index-zero': { content: [f, g], stopReason: 'tool_use' },
  'index-from-one': { content: [f, g], stopReason: 'tool_use' },
  'id-repeated': { content: [f, g], stopReason: 'tool_use' },
  'name-late': { content: [f], stopReason: 'tool_use' },
  'object-arguments': { content: [f], stopReason: 'tool_use' },
  'double-encoded': { content: [f], stopReason: 'tool_use' },
  'zero-args': { content: [tool('call_a', 'f', {})], stopReason: 'tool_use' },
  'null-args': { content: [tool('call_a', 'f', {})], stopReason: 'tool_use' },
  'stop-after-tool': { content: [f], stopReason: 'tool_use' },
  'odd-id': {
    content: [{ ...f, id: `tux_${Buffer.from('functions.f:0').toString('base64url')}` }],
    stopReason: 'tool_use',
  },
  'function-call': { content: [{ ...f, id: 'function_call' }], stopReason: 'tool_use' },
  'reasoning-content': { content: [thinkingBlock('Let me think.'), ...done], stopReason: 'end_turn' },
  reasoning: { content: [thinkingBlock('Let me think.'), ...done], stopReason: 'end_turn' },
  'reasoning-inline': { content: [thinkingBlock('Let me think.'), ...done], stopReason: 'end_turn' },
  'reasoning-only': { content: [thinkingBlock('Let me think.')], stopReason: 'max_tokens' },
  'reasoning-interleaved': {
    content: [thinkingBlock('One.'), { type: 'text', text: 'A' }, thinkingBlock('Two.'), { type: 'text', text: 'B' }],
    stopReason: 'end_turn',
  },
  'reasoning-tool': { content: [thinkingBlock('I need f.'), f], stopReason: 'tool_use' },
  'usage-everywhere': { content: hello, stopReason: 'end_turn', usage: chatUsage },
  'usage-in-choice': { content: hello, stopReason: 'end_turn', usage: chatUsage },
  'usage-none': {
    content: [{ type: 'text', text: 'Hello there' }],
    stopReason: 'end_turn',
    usage: { input_tokens: 99, output_tokens: 3, estimated: true },
  },
  'usage-cache-hit': { content: hello, stopReason: 'end_turn', usage: chatUsage },
  'usage-beyond': {
    content: hello,
    stopReason: 'end_turn',
    usage: { input_tokens: 100, output_tokens: 30, output_tokens_details: { thinking_tokens: 23 } },
  },
  'no-done': { content: hello, stopReason: 'end_turn', usage: chatUsage },
  comments: { content: hello, stopReason: 'end_turn' },
  length: { content: hello, stopReason: 'max_tokens' },
  filtered: { content: hello, stopReason: 'refusal' },
  refusal: { content: [{ type: 'text', text: 'I cannot do that.' }], stopReason: 'refusal' },
  empty: { content: [], stopReason: 'end_turn' },
};

describe('an answer in chat completions', () => {
  let upstream: FakeChatUpstream;
  let provider: Provider;
  beforeAll(async () => {
    upstream = await startFakeChatUpstream();
    provider = openaiCompatible.create(
      makeProviderDeps({
        OPENAI_COMPATIBLE_BASE_URL: `${upstream.baseUrl}/v1`,
        OPENAI_COMPATIBLE_API_KEY: upstream.apiKey,
        OPENAI_COMPATIBLE_MODEL: 'llama',
      }),
    );
  });
  afterAll(async () => {
    await provider.close?.();
    await upstream.close();
  });
  const binding = makeMessagesBinding({ providerId: 'openai-compatible', modelName: 'default' });
  const ask = (scenario: string, change: RequestChange = {}) =>
    readOutcome(
      provider.messages!.stream(askFor(scenario, change), binding, {
        signal: new AbortController().signal,
        log: recordLog(),
      }),
    );

  const failing = ['gave-up', 'error-line', 'error-first', 'cut', 'long'];
  it('has an expected meaning for every deviation of the fake', () => {
    expect(Object.keys(meanings).sort()).toEqual(
      Object.keys(chatScripts)
        .filter((name) => !failing.includes(name))
        .sort(),
    );
  });

  for (const [name, { content, stopReason, usage }] of Object.entries(meanings)) {
    it(`becomes a message: ${name}`, async () => {
      const { events, error } = await ask(name);
      expect(error).toBeUndefined();
      expect(findOrderError(events)).toBeUndefined();
      const message = collected(events);
      expect(message.content).toEqual(content);
      expect(message.stop_reason).toBe(stopReason);
      if (usage) expect(message.usage).toMatchObject(usage);
    });

    it(`reads the same wherever it is cut: ${name}`, async () => {
      const whole = await ask(name);
      for (const chunking of ['byte', 'whole'])
        expect((await ask(`${name} chunking=${chunking} crlf`)).events).toEqual(whole.events);
      for (let cut = 1; cut < 1_500; cut += 71)
        expect((await ask(`${name} cut=${cut}`)).events, `cut at ${cut}`).toEqual(whole.events);
    });
  }

  it('streams a tool as the vendor of the messages dialect would', async () => {
    const { events } = await ask('tool');
    expect(events.slice(1)).toEqual([
      {
        type: 'content_block_start',
        index: 0,
        content_block: { type: 'tool_use', id: 'call_a', name: 'f', input: {} },
      },
      { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: '{"a":' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: '1}' } },
      { type: 'content_block_stop', index: 0 },
      {
        type: 'message_delta',
        delta: { stop_reason: 'tool_use', stop_sequence: null },
        usage: { ...chatUsage, output_tokens_details: { thinking_tokens: 0 } },
      },
      { type: 'message_stop' },
    ]);
  });

  it('the operator names the model of the server', async () => {
    await ask('text');
    expect(upstream.last().body?.model).toBe('llama');
  });

  it('images by URL are fetched by the gateway and sent in base64', async () => {
    const asked: string[] = [];
    const media = {
      ...makeProviderDeps({}).media,
      read: async (url: string) => {
        asked.push(url);
        if (url.includes('private')) throw new GatewayError('url_not_allowed', 'This URL is not allowed.');
        return { bytes: Buffer.from('picture'), contentType: 'image/png', release: () => {} };
      },
    };
    const seeing = openaiCompatible.create(
      makeProviderDeps(
        { OPENAI_COMPATIBLE_BASE_URL: `${upstream.baseUrl}/v1`, OPENAI_COMPATIBLE_API_KEY: upstream.apiKey },
        { media },
      ),
    );
    const look = (url: string) => {
      const picture = { type: 'image', source: { type: 'url', url } };
      const messages = [user([picture, { type: 'text', text: 'And [[fake:text]]' }, picture])];
      return readOutcome(
        seeing.messages!.stream(askFor('text', { body: { messages } }), binding, {
          signal: new AbortController().signal,
          log: recordLog(),
        }),
      );
    };
    expect((await look('https://example.com/a.png')).error).toBeUndefined();
    expect(asked).toEqual(['https://example.com/a.png']);
    const part = {
      type: 'image_url',
      image_url: { url: `data:image/png;base64,${Buffer.from('picture').toString('base64')}` },
    };
    expect(upstream.last().body!.messages).toEqual([
      { role: 'user', content: [part, { type: 'text', text: 'And [[fake:text]]' }, part] },
    ]);
    const before = upstream.requests.length;
    expect((await look('https://private.example')).error).toMatchObject({
      code: 'url_not_allowed',
      extra: { param: 'messages', upstream: { retry: 'never' } },
    });
    expect(upstream.requests.length).toBe(before);
    await seeing.close?.();
  });

  it('long tool names are restored', async () => {
    const name = `mcp__server__${'x'.repeat(90)}`;
    const { error } = await ask('text', {
      body: { tools: [{ name, input_schema: { type: 'object' } }], tool_choice: { type: 'tool', name } },
    });
    expect(error).toBeUndefined();
    const body = upstream.last().body as {
      tools: { function: { name: string } }[];
      tool_choice: { function: { name: string } };
    };
    expect(body.tool_choice.function.name).toBe(body.tools[0]?.function.name);
  });

  it.each([
    ['quota', 'upstream_auth_failed', 'elsewhere'],
    ['rate-limit', 'rate_limit_exceeded', 'later'],
    ['limit-in-ok', 'rate_limit_exceeded', 'elsewhere'],
    ['overloaded', 'upstream_overloaded', 'elsewhere'],
    ['context-length', 'upstream_rejected', 'never'],
    ['content-filter', 'content_policy_violation', 'never'],
    ['json-body', 'upstream_invalid_response', 'later'],
    ['error-first', 'upstream_overloaded', 'elsewhere'],
    ['error-line', 'rate_limit_exceeded', 'elsewhere'],
    ['gave-up', 'upstream_invalid_response', 'later'],
    ['cut', 'upstream_invalid_response', 'later'],
    ['cut clean', 'upstream_invalid_response', 'later'],
  ])('answers %s with %s', async (scenario, code, retry) => {
    const { events, error } = await ask(scenario);
    expect(error).toMatchObject({ code, extra: { upstream: { retry } } });
    expect(findOrderError(events, { mayBreakOff: true })).toBeUndefined();
  });

  it('a conversation that is too long is refused in the words that client tools look for', async () => {
    const { error } = await ask('context-length');
    expect(error).toMatchObject({ message: expect.stringMatching(/^prompt is too long: /) });
  });

  it('an error before the first output is followed by nothing', async () => {
    expect((await ask('error-first')).events).toEqual([]);
  });
});

describe('Kimi', () => {
  it('gets its thinking back from turn to turn, under ids of its own', async () => {
    const upstream = await startFakeChatUpstream({ replay: true });
    const provider = moonshot.create(
      makeProviderDeps({ MOONSHOT_API_KEY: upstream.apiKey, MOONSHOT_BASE_URL: upstream.baseUrl }),
    );
    const ask = (scenario: string, change: RequestChange = {}) =>
      readOutcome(
        provider.messages!.stream(askFor(scenario, change), kimi, {
          signal: new AbortController().signal,
          log: recordLog(),
        }),
      );
    const { content } = collected((await ask('reasoning-tool')).events);
    const messages = [
      user('Hi'),
      { role: 'assistant', content },
      user([
        { type: 'tool_result', tool_use_id: 'call_a', content: 'r' },
        { type: 'text', text: '[[fake:text]]' },
      ]),
    ];
    expect((await ask('text', { body: { messages, thinking: { type: 'adaptive' } } })).error).toBeUndefined();
    expect((upstream.last().body!.messages as unknown[])[1]).toMatchObject({ reasoning_content: 'I need f.' });
    const foreign = [user('Hi'), { role: 'assistant', content: (content as unknown[]).slice(1) }, ...messages.slice(2)];
    expect((await ask('text', { body: { messages: foreign } })).error).toBeUndefined();
    await provider.close?.();
    await upstream.close();
  });
});

describe('createChatTranslator', () => {
  it('keeps every interleaving of up to three parallel calls complete and in order', () => {
    const call = fc.record({
      name: fc.constantFrom('f', 'g', 'h'),
      input: fc.dictionary(fc.string({ maxLength: 6 }), fc.jsonValue({ maxDepth: 2 }), {
        maxKeys: 3,
        noNullPrototype: true,
      }),
    });
    const plan = fc.record({
      calls: fc.array(call, { minLength: 1, maxLength: 3 }),
      texts: fc.array(fc.string({ minLength: 1, maxLength: 5 }), { maxLength: 3 }),
      seed: fc.array(fc.nat(), { minLength: 60, maxLength: 60 }),
      idsRepeated: fc.boolean(),
    });
    fc.assert(
      fc.property(plan, ({ calls, texts, seed, idsRepeated }) => {
        let at = 0;
        const pick = (below: number) => (seed[at++ % seed.length] ?? 0) % below;
        // Each call's arguments in chunks, each text in one chunk; then all of them interleaved, each in its own order.
        const lanes: Record<string, unknown>[][] = calls.map(({ name, input }, index) => {
          const json = JSON.stringify(input);
          const cuts = [pick(json.length + 1), pick(json.length + 1)].sort((a, b) => a - b);
          const pieces = [json.slice(0, cuts[0]), json.slice(cuts[0], cuts[1]), json.slice(cuts[1])];
          return pieces.map((piece, part) => ({
            tool_calls: [
              {
                index,
                ...((part === 0 || idsRepeated) && { id: `call_${index}` }),
                function: { ...(part === 0 && { name }), arguments: piece },
              },
            ],
          }));
        });
        if (texts.length > 0) lanes.push(texts.map((text) => ({ content: text })));
        const translator = createChatTranslator({
          messageId: 'msg',
          modelName: 'm',
          estimatedInputTokens: 1,
          fullToolName: (name) => name,
          sign: () => 's',
        });
        const events: MessageEvent[] = [];
        const order: string[] = [];
        while (lanes.some((lane) => lane.length > 0)) {
          const left = lanes.filter((lane) => lane.length > 0);
          const delta = left[pick(left.length)]?.shift() ?? {};
          const id = (delta.tool_calls as { id?: string }[] | undefined)?.[0]?.id;
          if (id !== undefined && !order.includes(id)) order.push(id);
          translator.push({ choices: [{ index: 0, delta, finish_reason: null }] });
          events.push(...translator.take());
        }
        translator.push({ choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] });
        translator.done();
        events.push(...translator.take());
        expect(findOrderError(events)).toBeUndefined();
        const content = collected(events).content as {
          type: string;
          id: string;
          name: string;
          input: unknown;
          text: string;
        }[];
        const tools = content.filter(({ type }) => type === 'tool_use');
        expect(tools.map(({ id }) => id)).toEqual(order);
        for (const { id, name, input } of tools)
          expect({ name, input }).toEqual(JSON.parse(JSON.stringify(calls[Number(id.slice(5))])));
        expect(
          content
            .filter(({ type }) => type === 'text')
            .map(({ text }) => text)
            .join(''),
        ).toBe(texts.join(''));
      }),
      { numRuns: proofRuns(3_000) },
    );
  });
});
