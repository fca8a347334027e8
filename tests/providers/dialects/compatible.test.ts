import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { MessageEvent } from '../../../lib/domain/messages';
import type { Provider } from '../../../lib/domain/provider';
import {
  compatibleDefinition,
  type CompatibleVendor,
} from '../../../lib/providers/dialects/messages/compatible-provider';
import { recordLog } from '../../support/log';
import { collected } from '../../support/upstreams/fake-messages-vendor';
import {
  defects,
  startFakeCompatibleVendor,
  type CompatibleQuirks,
  type FakeCompatibleVendor,
} from '../../support/upstreams/fake-compatible-vendor';
import { findOrderError } from '../../support/upstreams/stream-order';
import {
  askFor,
  makeMessagesBinding,
  makeProviderDeps,
  readOutcome,
  thinkingSigner,
  type RequestChange,
} from '../support/messages';

const vendorFacts: CompatibleVendor = {
  providerId: 'acme',
  name: 'Acme',
  variables: 'ACME',
  baseUrl: 'https://acme.example',
  path: '/anthropic/v1/messages',
  credential: 'x-api-key',
  thinkingTypes: ['enabled', 'disabled'],
  efforts: ['low', 'high', 'max'],
  statusOfCode: { 1213: 400, 1302: 429 },
};

interface Bench {
  readonly vendor: FakeCompatibleVendor;
  ask(scenario: string, change?: RequestChange): ReturnType<typeof readOutcome>;
  close(): Promise<void>;
}

async function makeBench(
  facts: Partial<CompatibleVendor> = {},
  quirks: CompatibleQuirks = {},
  replay = false,
): Promise<Bench> {
  const vendor = await startFakeCompatibleVendor(quirks);
  const provider: Provider = compatibleDefinition({ ...vendorFacts, ...facts }).create(
    makeProviderDeps({ ACME_API_KEY: vendor.apiKey, ACME_BASE_URL: vendor.baseUrl }),
  );
  const binding = makeMessagesBinding({
    providerId: 'acme',
    modelName: 'acme-large',
    ...(replay && { thinkingReplay: true as const }),
  });
  return {
    vendor,
    ask: (scenario, change = {}) =>
      readOutcome(
        provider.messages!.stream(askFor(scenario, change), binding, {
          signal: new AbortController().signal,
          log: recordLog(),
        }),
      ),
    async close() {
      await provider.close?.();
      await vendor.close();
    },
  };
}

/** What a client reads from the events. */
function read(events: readonly MessageEvent[]) {
  const { content, stop_reason, usage } = collected(events) as {
    content: Record<string, unknown>[];
    stop_reason: string;
    usage: Record<string, number>;
  };
  return { content, stop_reason, usage };
}

const hello = [{ type: 'text', text: 'Hello there' }];
const weather = { type: 'tool_use', id: 'call_1', name: 'get_weather', input: { city: 'Oslo' } };
const thinkingBlock = (text: string, signature: string) => ({
  type: 'thinking',
  thinking: text,
  signature: thinkingSigner.sign('acme', text, signature),
});

/** The meaning of each defective stream: its blocks, and other relevant facts. */
const meanings: Readonly<Record<string, { content: unknown; stopReason?: string; usage?: Record<string, unknown> }>> = {
  text: { content: hello },
  'no-event-lines': { content: hello },
  'done-data': { content: hello },
  'done-event': { content: hello },
  'no-block-start': { content: hello },
  'no-block-stop': { content: hello },
  'no-stop-between': { content: [{ type: 'text', text: 'Hello' }, weather], stopReason: 'tool_use' },
  'stop-unopened': { content: hello },
  'index-gaps': {
    content: [
      { type: 'text', text: 'Hello' },
      { ...weather, caller: { type: 'direct' } },
    ],
    stopReason: 'tool_use',
  },
  'index-repeated': {
    content: [
      { type: 'text', text: 'Hello' },
      { ...weather, caller: { type: 'direct' } },
    ],
    stopReason: 'tool_use',
  },
  'two-starts': { content: hello },
  'no-start': { content: hello },
  'no-message-stop': { content: hello },
  'chat-reason': { content: hello },
  'reason-then-usage': { content: hello, usage: { input_tokens: 50, output_tokens: 8 } },
  'no-usage-in-delta': { content: hello, usage: { input_tokens: 12, output_tokens: 3, estimated: true } },
  'no-usage-in-start': { content: hello, usage: { input_tokens: 12, output_tokens: 30 } },
  'zero-input': { content: hello, usage: { input_tokens: 99, output_tokens: 5, estimated: true } },
  'text-on-tool': { content: [weather, { type: 'text', text: 'Hello there' }], stopReason: 'tool_use' },
  'no-input-in-start': { content: [weather], stopReason: 'tool_use' },
  'input-in-start': { content: [weather], stopReason: 'tool_use' },
  'input-in-both': { content: [weather], stopReason: 'tool_use' },
  'empty-object-first': { content: [weather], stopReason: 'tool_use' },
  'two-objects': { content: [weather], stopReason: 'tool_use' },
  'empty-text-first': { content: [{ ...weather, caller: { type: 'direct' } }], stopReason: 'tool_use' },
  'thinking-without-signature': { content: [thinkingBlock('Hm.', ''), ...hello] },
  'two-thinking': {
    content: [
      thinkingBlock('First.', 'sig-1'),
      { type: 'text', text: 'Hello' },
      thinkingBlock('Second.', 'sig-2'),
      { type: 'text', text: ' there' },
    ],
  },
  'tool-with-end-turn': { content: [{ ...weather, caller: { type: 'direct' } }], stopReason: 'tool_use' },
  // The text arrived after both calls had started.
  overlapping: {
    content: [weather, { ...weather, id: 'call_2', input: { city: 'Rome' } }, { type: 'text', text: 'Hello' }],
    stopReason: 'tool_use',
  },
  'odd-ids': {
    content: [
      {
        ...weather,
        id: `tux_${Buffer.from('functions.get_weather:0').toString('base64url')}`,
        caller: { type: 'direct' },
      },
    ],
    stopReason: 'tool_use',
  },
  'unknown-event': { content: hello },
};

describe('a vendor that imitates the dialect', () => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await makeBench();
  });
  afterAll(() => bench.close());

  const broken = ['no-message-delta', 'error-event', 'garbage', 'long', 'tool'];

  it('has an expected meaning for every defect of the fake', () => {
    expect(Object.keys(meanings).sort()).toEqual(
      Object.keys(defects)
        .filter((name) => !broken.includes(name))
        .sort(),
    );
  });

  for (const [name, { content, stopReason = 'end_turn', usage }] of Object.entries(meanings)) {
    it(`is made well-formed: ${name}`, async () => {
      const { events, error } = await bench.ask(name);
      expect(error).toBeUndefined();
      expect(findOrderError(events)).toBeUndefined();
      const message = read(events);
      expect(message.stop_reason).toBe(stopReason);
      // A text may be split in two; a client shows the concatenation.
      expect(joinTexts(message.content)).toEqual(content);
      if (usage) expect(message.usage).toMatchObject(usage);
    });

    it(`reads the same wherever it is cut: ${name}`, async () => {
      const whole = await bench.ask(name);
      for (const chunking of ['byte', 'whole'])
        expect((await bench.ask(`${name} chunking=${chunking} crlf`)).events).toEqual(whole.events);
      for (let cut = 1; cut < 1_600; cut += 53)
        expect((await bench.ask(`${name} cut=${cut}`)).events, `cut at ${cut}`).toEqual(whole.events);
    });
  }

  it.each([
    ['error-in-ok', 'upstream_rejected', 'The prompt is empty.'],
    ['rate-limit-in-ok', 'rate_limit_exceeded', 'The provider is limiting'],
    ['error-coded', 'upstream_rejected', 'The prompt is empty.'],
    ['context-window', 'upstream_rejected', 'prompt is too long: The model has reached its context window limit.'],
    ['html', 'upstream_invalid_response', 'The provider gave an answer'],
    ['garbage', 'upstream_invalid_response', 'The provider gave an answer'],
    ['no-message-delta', 'upstream_invalid_response', 'The provider gave an answer'],
    ['text drop=3', 'upstream_invalid_response', 'The provider gave an answer'],
  ])('answers %s with %s', async (scenario, code, message) => {
    const { events, error } = await bench.ask(scenario);
    expect(error).toMatchObject({ code, message: expect.stringContaining(message) });
    expect(findOrderError(events, { mayBreakOff: true })).toBeUndefined();
  });

  it('an error without a type in the middle of a stream ends it', async () => {
    const { events, error } = await bench.ask('error-event');
    expect(events).not.toEqual([]);
    expect(error).toMatchObject({ code: 'rate_limit_exceeded' });
  });

  it('a connection that breaks after the stop reason loses nothing', async () => {
    const { events, error } = await bench.ask('text drop=6');
    expect(error).toBeUndefined();
    expect(findOrderError(events)).toBeUndefined();
  });

  it('gets no parameter that it does not support, and no foreign thinking', async () => {
    const { error } = await bench.ask('text', {
      betas: ['claude-code-20250219'],
      body: {
        system: [
          { type: 'text', text: 'x-anthropic-billing-header: session=7' },
          { type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } },
        ],
        messages: [
          {
            role: 'user',
            content: [
              { type: 'text', text: '' },
              { type: 'text', text: 'Hi' },
            ],
          },
          {
            role: 'assistant',
            content: [
              { type: 'thinking', thinking: 'Not yours', signature: 'EqQBCgIYAhIM' },
              { type: 'redacted_thinking', data: 'x' },
              { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} },
              { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [] },
              { type: 'text', text: 'Hello', citations: [] },
            ],
          },
          { role: 'user', content: 'And' },
          { role: 'system', content: 'Be kind.' },
          { role: 'user', content: '[[fake:text]]' },
        ],
        tools: [
          { type: 'web_search_20250305', name: 'web_search' },
          { type: 'bash_20250124', name: 'bash' },
          { name: 'f', input_schema: { type: 'object' }, defer_loading: true, cache_control: { type: 'ephemeral' } },
        ],
        tool_choice: { type: 'any' },
        thinking: { type: 'adaptive' },
        output_config: { effort: 'medium' },
        context_management: { edits: [] },
        service_tier: 'auto',
        metadata: { user_id: 'u' },
      },
    });
    expect(error).toBeUndefined();
    const { body, headers } = bench.vendor.last();
    expect(headers['anthropic-beta']).toBeUndefined();
    expect(body).toEqual({
      model: 'acme-large',
      max_tokens: 1_000,
      system: [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }],
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'Hi' }] },
        { role: 'assistant', content: [{ type: 'text', text: 'Hello' }] },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'And' },
            { type: 'text', text: '<system>\nBe kind.\n</system>' },
            { type: 'text', text: '[[fake:text]]' },
          ],
        },
      ],
      stream: true,
      tools: [
        {
          name: 'bash',
          description: expect.any(String),
          input_schema: { type: 'object', properties: expect.objectContaining({ command: expect.anything() }) },
        },
        { name: 'f', input_schema: { type: 'object', properties: {} }, cache_control: { type: 'ephemeral' } },
      ],
      tool_choice: { type: 'any' },
      thinking: { type: 'enabled', budget_tokens: 1_024 },
      output_config: { effort: 'high' },
      metadata: { user_id: 'u' },
    });
  });

  it('sends no tool_choice when no tool is left', async () => {
    await bench.ask('text', {
      body: { tools: [{ type: 'web_search_20250305', name: 'web_search' }], tool_choice: { type: 'auto' } },
    });
    expect(bench.vendor.last().body).not.toHaveProperty('tool_choice');
    expect(bench.vendor.last().body).not.toHaveProperty('tools');
  });

  it('is not sent a sampling parameter that is null, whatever its limits', async () => {
    const strict = await makeBench({ positiveTemperature: true });
    await strict.ask('text', { body: { temperature: null, top_p: null, top_k: null } });
    for (const name of ['temperature', 'top_p', 'top_k']) expect(strict.vendor.last().body).not.toHaveProperty(name);
    await strict.close();
  });

  it('every call has one result, whatever the client sent', async () => {
    const { error } = await bench.ask('text', {
      body: {
        messages: [
          {
            role: 'assistant',
            content: [
              { type: 'tool_use', id: 'a', name: 'f', input: {} },
              { type: 'tool_use', id: 'b', name: 'f', input: {} },
            ],
          },
          {
            role: 'user',
            content: [
              { type: 'text', text: 'There you are.' },
              { type: 'tool_result', tool_use_id: 'b', content: 'old' },
              { type: 'tool_result', tool_use_id: 'nobody', content: 'lost' },
            ],
          },
          {
            role: 'user',
            content: [
              { type: 'tool_result', tool_use_id: 'b', content: [] },
              { type: 'text', text: '[[fake:text]]' },
            ],
          },
        ],
      },
    });
    expect(error).toBeUndefined();
    expect((bench.vendor.last().body!.messages as unknown[])[2]).toEqual({
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'a', content: '[no result]' },
        { type: 'tool_result', tool_use_id: 'b', content: '' },
        { type: 'text', text: 'There you are.' },
        { type: 'text', text: '[result of an earlier tool call]' },
        { type: 'text', text: 'lost' },
        { type: 'text', text: '[[fake:text]]' },
      ],
    });
  });

  it('a document that it cannot read is refused before the call', async () => {
    const before = bench.vendor.requests.length;
    const { error } = await bench.ask('text', {
      body: {
        messages: [
          {
            role: 'user',
            content: [
              { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0=' } },
            ],
          },
        ],
      },
    });
    expect(error).toMatchObject({ code: 'unsupported_value', extra: { upstream: { retry: 'never' } } });
    expect(bench.vendor.requests.length).toBe(before);
  });
});

describe('the adaptations for single vendors', () => {
  it('results repeat the id of their call, and contain no empty array', async () => {
    const bench = await makeBench({ repeatsResultId: true }, { strictResults: true });
    const messages = [
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'tux_Zi46MA', name: 'f', input: {} }] },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'tux_Zi46MA', content: [] },
          { type: 'text', text: '[[fake:text]]' },
        ],
      },
    ];
    expect((await bench.ask('text', { body: { messages } })).error).toBeUndefined();
    expect((bench.vendor.last().body!.messages as { content: unknown[] }[])[2]?.content[0]).toEqual({
      id: 'f.:0',
      type: 'tool_result',
      tool_use_id: 'f.:0',
      content: '',
    });
    await bench.close();
  });

  it('a vendor that requires thinking gets its own back, and a blank where one is lost', async () => {
    const bench = await makeBench({}, { replay: true }, true);
    const { events } = await bench.ask('two-thinking');
    const { content } = read(events);
    const turn = (blocks: unknown[]) => [
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: [...blocks, { type: 'tool_use', id: 'a', name: 'f', input: {} }] },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'a', content: 'x' },
          { type: 'text', text: '[[fake:text]]' },
        ],
      },
    ];
    const sent = () => (bench.vendor.last().body!.messages as { content: unknown[] }[])[1]?.content[0];
    expect((await bench.ask('text', { body: { messages: turn([content[0]]) } })).error).toBeUndefined();
    expect(sent()).toEqual({ type: 'thinking', thinking: 'First.', signature: 'sig-1' });
    expect((await bench.ask('text', { body: { messages: turn([]) } })).error).toBeUndefined();
    expect(sent()).toEqual({ type: 'thinking', thinking: ' ', signature: '' });
    await bench.close();
  });

  it('a vendor with bearer keys gets one, and no other header', async () => {
    const bench = await makeBench({ credential: 'bearer' }, { bearer: true });
    expect((await bench.ask('text')).error).toBeUndefined();
    expect(bench.vendor.last().headers['x-api-key']).toBeUndefined();
    await bench.close();
  });
});

function joinTexts(content: readonly Record<string, unknown>[]): Record<string, unknown>[] {
  const joined: Record<string, unknown>[] = [];
  for (const block of content) {
    const last = joined.at(-1);
    if (block.type === 'text' && last?.type === 'text') last.text = String(last.text) + String(block.text);
    else joined.push({ ...block });
  }
  return joined;
}
