import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GatewayError } from '../../../lib/domain/errors';
import type { MessageEvent } from '../../../lib/domain/messages';
import type { Provider } from '../../../lib/domain/provider';
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

const kimi = makeMessagesBinding({ providerId: 'moonshot', modelName: 'kimi-k2.6', thinkingReplay: true });
const user = (content: unknown) => ({ role: 'user', content });

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
