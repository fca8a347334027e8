import { describe, expect, it } from 'vitest';
import type { MessagesBody } from '../../../lib/domain/messages';
import { chatRequest, type ChatFacts } from '../../../lib/providers/dialects/chat-completions/request';
import { createToolNames } from '../../../lib/providers/dialects/chat-completions/tool-names';
import { makeMessagesBinding, thinkingSigner } from '../support/messages';

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
