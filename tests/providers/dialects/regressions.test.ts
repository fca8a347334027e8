import { describe, expect, it } from 'vitest';
import type { MessageEvent, MessagesBody } from '../../../lib/domain/messages';
import { chatRequest, type ChatFacts } from '../../../lib/providers/dialects/chat-completions/request';
import { createToolNames } from '../../../lib/providers/dialects/chat-completions/tool-names';
import { createChatTranslator } from '../../../lib/providers/dialects/chat-completions/translator';
import { chatUsage } from '../../../lib/providers/dialects/chat-completions/usage';
import { compatibleRequest, type CompatibleFacts } from '../../../lib/providers/dialects/messages/compatible-request';
import { nativeRequest } from '../../../lib/providers/dialects/messages/native-request';
import { createEventNormalizer } from '../../../lib/providers/dialects/messages/event-normalizer';
import { packToolId, unpackToolId } from '../../../lib/providers/kit/messages/tool-id';
import { recordLog } from '../../support/log';
import { vendorSignature } from '../../support/upstreams/fake-messages-vendor';
import { collected } from '../../support/upstreams/fake-messages-vendor';
import {
  blockDelta,
  blockStart,
  blockStop,
  messageDelta,
  messageStart,
  messageStop,
  textBlock,
  thinkingBlock,
  toolBlock,
} from '../../support/upstreams/message-frames';
import { findOrderError } from '../../support/upstreams/stream-order';
import { askFor, makeMessagesBinding, makeMessagesRequest, readOutcome, thinkingSigner } from '../support/messages';
import { nativeVendor } from '../support/native-vendor';

// Errors that other gateways had in translation, one fact each. Errors about routing, money and HTTP are tested with
// those parts.

type Delta = Record<string, unknown>;

function fromChat(
  deltas: readonly Delta[],
  finish = 'stop',
  usage: unknown = { prompt_tokens: 10, completion_tokens: 5 },
): MessageEvent[] {
  const translator = createChatTranslator({
    messageId: 'msg_1',
    modelName: 'm',
    estimatedInputTokens: 77,
    fullToolName: (name) => name,
    sign: (thinking, original) => thinkingSigner.sign('acme', thinking, original),
  });
  for (const delta of deltas) translator.push({ choices: [{ index: 0, delta, finish_reason: null }] });
  translator.push({ choices: [{ index: 0, delta: {}, finish_reason: finish }], usage });
  translator.done();
  const events = translator.take();
  expect(findOrderError(events)).toBeUndefined();
  return events;
}

function normalized(events: readonly unknown[], native = false): MessageEvent[] {
  const normalizer = createEventNormalizer({
    native,
    messageId: 'msg_1',
    modelName: 'm',
    estimatedInputTokens: 77,
    ...(!native && {
      sign: (thinking: string, original: string) => thinkingSigner.sign('acme', thinking, original),
      packToolId,
    }),
  });
  for (const event of events) normalizer.push(event);
  normalizer.end();
  const taken = normalizer.take();
  expect(findOrderError(taken)).toBeUndefined();
  return taken;
}

const call = (index: number, name: string | undefined, args: string, id?: string): Delta => ({
  tool_calls: [
    { index, ...(id !== undefined && { id }), function: { ...(name !== undefined && { name }), arguments: args } },
  ],
});
const contentOf = (events: readonly MessageEvent[]) => collected(events).content as Record<string, unknown>[];
const start = messageStart();
const end = (reason = 'end_turn') => [messageDelta(reason), messageStop];

const chatFacts: ChatFacts = {
  providerId: 'acme',
  outputLimit: 'max_tokens',
  thinking: 'none',
  efforts: [],
  maxStops: 4,
  systemTurns: false,
  structured: 'none',
};
const binding = makeMessagesBinding({ providerId: 'acme' });
const toChat = (body: Record<string, unknown>, change: Partial<ChatFacts> = {}, bound = binding) =>
  JSON.parse(
    chatRequest(
      { max_tokens: 9, messages: [{ role: 'user', content: 'x' }], ...body } as unknown as MessagesBody,
      bound,
      { ...chatFacts, ...change },
      thinkingSigner,
    ).body,
  ) as Record<string, unknown> & {
    messages: Record<string, unknown>[];
  };
const compatibleFacts: CompatibleFacts = { providerId: 'acme', thinkingTypes: ['enabled', 'disabled'], efforts: [] };
const toCompatible = (body: Record<string, unknown>, change: Partial<CompatibleFacts> = {}) => {
  const { headers, body: text } = compatibleRequest({ ...compatibleFacts, ...change }, thinkingSigner)(
    makeMessagesRequest({ body, betas: ['oauth-2025-04-20', 'claude-code-20250219'] }),
    binding,
    false,
  );
  return {
    headers,
    body: JSON.parse(String(text)) as Record<string, unknown> & { messages: { content: Record<string, unknown>[] }[] },
  };
};
const toNative = (body: Record<string, unknown>) =>
  JSON.parse(nativeRequest(makeMessagesRequest({ body }), binding, false).body.toString()) as Record<string, unknown>;

const user = (content: unknown) => ({ role: 'user', content });
const called = (id: string, blocks: unknown[] = []) => [
  user('x'),
  { role: 'assistant', content: [...blocks, { type: 'tool_use', id, name: 'f', input: { a: 1 } }] },
  user([{ type: 'tool_result', tool_use_id: id, content: 'r' }]),
];

describe('translated answers', () => {
  it('when the first chunk is a tool, the first block is tool_use with index 0 and there is no empty text block', () => {
    const events = fromChat([{ role: 'assistant', content: '', ...call(0, 'f', '{"a":1}', 'c') }], 'tool_calls');
    expect(events[1]).toMatchObject({ type: 'content_block_start', index: 0, content_block: { type: 'tool_use' } });
    expect(contentOf(events)).toHaveLength(1);
  });

  it('name and arguments in one chunk at the change of a block keep the arguments', () => {
    expect(contentOf(fromChat([{ content: 'A' }, call(0, 'f', '{"a":1}', 'c')], 'tool_calls'))[1]).toMatchObject({
      input: { a: 1 },
    });
  });

  it('chunks with only reasoning_content become a thinking block', () => {
    expect(contentOf(fromChat([{ reasoning_content: 'Hm.' }]))).toEqual([
      { type: 'thinking', thinking: 'Hm.', signature: thinkingSigner.sign('acme', 'Hm.', '') },
    ]);
  });

  it('message_start carries the estimate and message_delta the real count', () => {
    const events = fromChat([{ content: 'A' }]);
    expect(events[0]).toMatchObject({ message: { usage: { input_tokens: 77 } } });
    expect(events.at(-2)).toMatchObject({ usage: { input_tokens: 10, output_tokens: 5 } });
  });

  it('a second segment of reasoning becomes a second thinking block, and none of it leaks into arguments', () => {
    const events = fromChat(
      [
        { reasoning_content: 'One.' },
        call(0, 'f', '{"a":', 'c'),
        { reasoning_content: 'Two.' },
        call(0, undefined, '1}'),
      ],
      'tool_calls',
    );
    expect(contentOf(events).map(({ type, thinking, input }) => [type, thinking ?? input])).toEqual([
      ['thinking', 'One.'],
      ['tool_use', { a: 1 }],
      ['thinking', 'Two.'],
    ]);
  });

  it.each([
    ['stop', [{ content: 'A' }], 'end_turn'],
    ['length', [{ content: 'A' }], 'max_tokens'],
    ['tool_calls', [call(0, 'f', '{}', 'c')], 'tool_use'],
    ['tool_calls', [{ content: 'A' }], 'end_turn'],
    ['content_filter', [{ content: 'A' }], 'refusal'],
    ['something_new', [{ content: 'A' }], 'end_turn'],
  ])('finish reason %s of %j is %s', (finish, deltas, reason) => {
    expect(fromChat(deltas, finish).at(-2)).toMatchObject({ delta: { stop_reason: reason } });
  });

  it('all parallel calls arrive, one block at a time, including those without arguments', () => {
    const events = fromChat(
      [call(0, 'f', '', 'a'), call(1, 'g', '{"b"', 'b'), call(2, 'h', '', 'c'), call(1, undefined, ':2}')],
      'tool_calls',
    );
    expect(contentOf(events)).toMatchObject([
      { name: 'f', input: {} },
      { name: 'g', input: { b: 2 } },
      { name: 'h', input: {} },
    ]);
  });

  it('the start of a tool has no input, and the arguments come as deltas', () => {
    const events = fromChat([call(0, 'f', '{"a":1}', 'c')], 'tool_calls');
    expect(events[1]).toMatchObject({ content_block: { input: {} } });
    expect(events[2]).toMatchObject({ delta: { type: 'input_json_delta', partial_json: '' } });
  });

  it('a thinking block always has a signature', () => {
    for (const { type, signature } of contentOf(fromChat([{ reasoning: 'Hm.' }, { content: 'A' }])))
      if (type === 'thinking') expect(signature).not.toBe('');
  });

  it('prompt tokens are the sum of input, read and written, and none is negative', () => {
    for (const [prompt, cached, written] of [
      [100, 60, 0],
      [100, 0, 30],
      [100, 150, 0],
      [100, 60, 60],
      [1, 0, 0],
    ] as const) {
      const usage = chatUsage(
        {
          prompt_tokens: prompt,
          completion_tokens: 1,
          prompt_tokens_details: { cached_tokens: cached, cache_write_tokens: written },
        },
        { inputTokens: 0, outputTokens: 0 },
      );
      const counts = [
        usage.input_tokens ?? 0,
        usage.cache_read_input_tokens ?? 0,
        usage.cache_creation_input_tokens ?? 0,
      ];
      expect(counts.reduce((sum, count) => sum + count, 0)).toBe(prompt);
      expect(Math.min(...counts)).toBeGreaterThanOrEqual(0);
    }
  });

  it('"stop" after a tool call is tool_use', () => {
    expect(fromChat([call(0, 'f', '{}', 'c')], 'stop').at(-2)).toMatchObject({ delta: { stop_reason: 'tool_use' } });
  });

  it('the bytes after the arguments’ object are dropped', () => {
    expect(
      contentOf(fromChat([call(0, 'f', '{"a":1}', 'c'), call(0, undefined, '{"a":2}')], 'tool_calls'))[0],
    ).toMatchObject({ input: { a: 1 } });
  });
});

describe('translated requests', () => {
  it('a thinking setting reaches the upstream as its effort or its switch', () => {
    expect(
      toChat(
        { thinking: { type: 'enabled', budget_tokens: 10_000 } },
        { thinking: 'effort', efforts: ['low', 'high'] },
      ),
    ).toMatchObject({ reasoning_effort: 'high' });
    expect(toChat({ thinking: { type: 'enabled', budget_tokens: 10_000 } }, { thinking: 'switch' })).toMatchObject({
      thinking: { type: 'enabled' },
    });
    expect(toCompatible({ thinking: { type: 'adaptive' } }).body).toMatchObject({ thinking: { type: 'enabled' } });
  });

  it('split turns are merged and each call has one result', () => {
    const { messages } = toChat({
      messages: [...called('a'), user([{ type: 'tool_result', tool_use_id: 'a', content: 'newer' }]), user('go on')],
    });
    expect(messages.map(({ role, content }) => [role, content])).toEqual([
      ['user', 'x'],
      ['assistant', null],
      ['tool', 'newer'],
      ['user', 'go on'],
    ]);
  });

  it('ids with any characters are encoded for the upstream and restored in the answer', () => {
    for (const id of ['functions.f:0', 'a b', 'ü', 'x'.repeat(90), 'tux_ab', 'call_1']) {
      expect(packToolId(id)).toMatch(/^[A-Za-z0-9_-]+$/);
      expect(unpackToolId(packToolId(id))).toBe(id);
    }
    expect(toChat({ messages: called(packToolId('functions.f:0')) }).messages[2]).toMatchObject({
      tool_call_id: 'functions.f:0',
    });
  });

  it('names of tools are shortened for the upstream, restored in the answer, and stay unique', () => {
    const names = [`a${'b'.repeat(80)}`, `a${'b'.repeat(81)}`, 'with.dot', 'with_dot'];
    const map = createToolNames(names);
    expect(new Set(names.map((name) => map.short(name))).size).toBe(4);
    for (const name of names) {
      expect(map.short(name)).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
      expect(map.full(map.short(name))).toBe(name);
    }
  });

  it('reasoning is replayed on tool turns for the vendor that requires it, never empty, and for no other', () => {
    const wants = makeMessagesBinding({ providerId: 'acme', thinkingReplay: true });
    const own = called('a', [{ type: 'thinking', thinking: 'T', signature: thinkingSigner.sign('acme', 'T', '') }]);
    expect(toChat({ messages: own }, {}, wants).messages[1]).toMatchObject({ reasoning_content: 'T' });
    expect(toChat({ messages: called('a') }, {}, wants).messages[1]?.reasoning_content).toBe(' ');
    expect(toChat({ messages: own }).messages[1]).not.toHaveProperty('reasoning_content');
  });

  it('a thinking block that is left out takes no tool call with it', () => {
    const messages = called('a', [{ type: 'thinking', thinking: '', signature: 'EqQB' }]);
    expect(toChat({ messages }).messages[1]).toMatchObject({ tool_calls: [{ id: 'a' }] });
    expect(toCompatible({ messages }).body.messages[1]?.content).toMatchObject([{ type: 'tool_use', id: 'a' }]);
  });

  it('tool_choice without tools is dropped', () => {
    expect(toChat({ tools: [], tool_choice: { type: 'any' } })).not.toHaveProperty('tool_choice');
    expect(toCompatible({ tools: [], tool_choice: { type: 'any' } }).body).not.toHaveProperty('tool_choice');
  });

  it('empty texts of the history are left out', () => {
    const messages = [
      user([
        { type: 'text', text: '' },
        { type: 'text', text: 'a' },
      ]),
      { role: 'assistant', content: [{ type: 'text', text: '' }] },
      user('b'),
    ];
    expect(toChat({ messages }).messages).toEqual([{ role: 'user', content: 'a\n\nb' }]);
    expect(toNative({ messages }).messages).toEqual([user([{ type: 'text', text: 'a' }]), user('b')]);
  });

  it('betas of the vendor’s own sign-in reach no other vendor', () => {
    expect(toCompatible({}).headers).toEqual({ 'anthropic-version': '2023-06-01' });
  });

  it('a result repeats its id and is never an empty array, for vendors that require it', () => {
    const messages = [...called('a').slice(0, 2), user([{ type: 'tool_result', tool_use_id: 'a', content: [] }])];
    expect(toCompatible({ messages }, { repeatsResultId: true }).body.messages[2]?.content[0]).toEqual({
      id: 'a',
      type: 'tool_result',
      tool_use_id: 'a',
      content: '',
    });
  });
});

describe('native requests', () => {
  const marked = (count: number) =>
    Array.from({ length: count }, (_, index) => ({
      type: 'text',
      text: `s${index}`,
      cache_control: { type: 'ephemeral' },
    }));

  it('the gateway adds no cache marks of its own, so that four of the caller’s stay four', () => {
    const tools = [{ name: 'f', input_schema: { type: 'object' }, cache_control: { type: 'ephemeral' } }];
    const body = { tools, system: marked(3), messages: called('a') };
    expect(JSON.stringify(toNative(body)).match(/cache_control/g)).toHaveLength(4);
    expect(JSON.stringify(toCompatible(body).body).match(/cache_control/g)).toHaveLength(4);
  });

  it('the gateway never marks a thinking block or an empty text', () => {
    const body = {
      system: marked(1),
      messages: called('a', [
        { type: 'thinking', thinking: 'T', signature: vendorSignature },
        { type: 'text', text: '' },
      ]),
    };
    const sent = [toNative(body), toCompatible(body).body].flatMap(({ messages }) =>
      (messages as { content: unknown }[]).flatMap(({ content }) => content),
    ) as Record<string, unknown>[];
    for (const block of sent)
      if (block.type === 'thinking' || block.text === '') expect(block).not.toHaveProperty('cache_control');
    expect(JSON.stringify(sent)).not.toContain('cache_control');
  });

  it('the assistant’s history goes back byte for byte', () => {
    const history =
      '[ {"role":"user","content":"x"}, {"role":"assistant","content":[{"signature":"FAKESIG:\\u00e9","type":"thinking","thinking":"1.0 \\/ é"}]},{"role":"user","content":"y"}]';
    const source = Buffer.from(`{"max_tokens":5,"messages":${history},"model":"m"}`);
    const request = { ...makeMessagesRequest(), body: JSON.parse(source.toString()) as MessagesBody, source };
    expect(nativeRequest(request, binding, false).body.toString()).toContain(history);
  });
});

describe('repaired streams', () => {
  it('a block without its start or its stop gets them, and no delta is lost', () => {
    const events = normalized([
      start,
      blockDelta(0, { type: 'text_delta', text: 'A' }),
      blockStart(1, { type: 'tool_use', id: 'c', name: 'f' }),
      blockDelta(1, { type: 'input_json_delta', partial_json: '{"a":1}' }),
      ...end('tool_use'),
    ]);
    expect(events.filter(({ type }) => type === 'content_block_start')).toHaveLength(2);
    expect(events.filter(({ type }) => type === 'content_block_stop')).toHaveLength(2);
    expect(contentOf(events)).toMatchObject([
      { type: 'text', text: 'A' },
      { type: 'tool_use', input: { a: 1 } },
    ]);
  });

  it('gaps in the numbering are closed, and only open blocks are stopped', () => {
    const events = normalized([
      start,
      blockStop(7),
      ...textBlock(1, ['A']),
      ...toolBlock(3, 'c', 'f', ['{}']),
      blockStop(3),
      ...end('tool_use'),
    ]);
    expect(
      events.flatMap((event) =>
        event.type === 'content_block_start' || event.type === 'content_block_stop' ? [[event.type, event.index]] : [],
      ),
    ).toEqual([
      ['content_block_start', 0],
      ['content_block_stop', 0],
      ['content_block_start', 1],
      ['content_block_stop', 1],
    ]);
  });

  it('a second message_start is dropped', () => {
    expect(
      normalized([start, start, ...textBlock(0, ['A']), ...end()]).filter(({ type }) => type === 'message_start'),
    ).toHaveLength(1);
  });

  it('a text in a tool’s block gets a block of its own', () => {
    const events = normalized([
      start,
      blockStart(0, { type: 'tool_use', id: 'c', name: 'f' }),
      blockDelta(0, { type: 'input_json_delta', partial_json: '{}' }),
      blockDelta(0, { type: 'text_delta', text: 'A' }),
      blockStop(0),
      ...end(),
    ]);
    expect(contentOf(events)).toMatchObject([{ type: 'tool_use' }, { type: 'text', text: 'A' }]);
  });

  it('a tool without input starts with an empty one', () => {
    expect(
      normalized([start, blockStart(0, { type: 'tool_use', id: 'c', name: 'f' }), blockStop(0), ...end()])[1],
    ).toMatchObject({ content_block: { input: {} } });
  });

  it('no end marker of another dialect is passed on', () => {
    expect(normalized([start, ...textBlock(0, ['A']), ...end(), { type: 'done' }]).at(-1)).toEqual({
      type: 'message_stop',
    });
  });

  it('an input that the last event corrects is the one that counts', () => {
    const events = normalized(
      [
        start,
        ...textBlock(0, ['A']),
        messageDelta('end_turn', { usage: { input_tokens: 61, output_tokens: 3 } }),
        messageStop,
      ],
      true,
    );
    expect(events.at(-2)).toMatchObject({ usage: { input_tokens: 61 } });
  });

  it('a refusal without blocks and a prefilled start pass unchanged', () => {
    const refusal = [
      start,
      messageDelta('refusal', { stopDetails: { type: 'refusal', category: 'bio', explanation: null } }),
      messageStop,
    ];
    expect(normalized(refusal, true)).toEqual(refusal);
    const prefilled = [
      messageStart({
        more: { content: [{ type: 'tool_use', id: 't', name: 'f', input: { a: 1 } }], stop_reason: 'tool_use' },
      }),
      messageStop,
    ];
    expect(normalized(prefilled, true)).toEqual(prefilled);
  });

  it('what the vendor reports besides the stop reason, and totals before it, are passed on', () => {
    const events = [
      start,
      ...textBlock(0, ['A']),
      { type: 'message_delta', delta: { stop_reason: null, stop_sequence: null }, usage: { output_tokens: 3 } },
      { ...messageDelta('end_turn'), context_management: { applied_edits: [] } },
      messageStop,
    ];
    expect(normalized(events, true)).toEqual(events);
  });

  it('a stream in order passes unchanged', () => {
    const events = [
      start,
      ...thinkingBlock(0, ['a', 'b'], vendorSignature),
      ...textBlock(1, ['c']),
      ...toolBlock(2, 'toolu_1', 'f', ['{"a"', ':1}']),
      ...end('tool_use'),
    ];
    expect(normalized(events, true)).toEqual(events);
  });
});

describe('over the wire', () => {
  const native = nativeVendor();
  const ask = (scenario: string, body: Record<string, unknown> = {}) =>
    readOutcome(
      native.provider.messages!.stream(askFor(scenario, { body }), makeMessagesBinding({ providerId: 'anthropic' }), {
        signal: new AbortController().signal,
        log: recordLog(),
      }),
    );

  it('events that arrive byte by byte are the same events', async () => {
    const { events } = await ask('tool');
    expect((await ask('tool chunking=byte')).events).toEqual(events);
  });

  it('blanks before the closing brace and in the ping change nothing', async () => {
    const { events } = await ask('tool');
    expect((await ask('tool pad pings')).events).toEqual(events);
  });

  it('the upstream sees exactly one version', async () => {
    await ask('text');
    expect(native.vendor.last().headers['anthropic-version']).toBe('2023-06-01');
  });

  it('a foreign signature is stripped and the request repeated once', async () => {
    const before = native.vendor.requests.length;
    const messages = [
      user('x'),
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'T', signature: 'other' },
          { type: 'text', text: 'A' },
        ],
      },
      user('[[fake:text]]'),
    ];
    expect((await ask('text', { messages })).error).toBeUndefined();
    expect(native.vendor.requests.length - before).toBe(2);
  });
});
