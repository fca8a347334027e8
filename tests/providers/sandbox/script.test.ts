import { describe, expect, it } from 'vitest';
import type { MessagesBody } from '../../../lib/domain/messages';
import { createDice, digestOf, writeScript } from '../../../lib/providers/sandbox/script';

const bodyOf = (text: string, more: Partial<MessagesBody> = {}): MessagesBody => ({
  model: 'sandbox-text',
  max_tokens: 1_000,
  messages: [{ role: 'user', content: text }],
  ...more,
});
const tools = [{ name: 'book', input_schema: { type: 'object', properties: { to: { type: 'string' } } } }];

describe('the script of a request', () => {
  it.each([
    ['a million opening brackets', '['.repeat(1_000_000), {}],
    ['a million opening brackets with a tool', '['.repeat(1_000_000), { tools }],
    ['half a million unclosed markers with a tool', '[[a'.repeat(500_000), { tools }],
    ['a thousand unclosed calls with a tool', '[[call:a {'.repeat(1_000), { tools }],
    [
      'a long answer and a hundred thousand stop sequences',
      'Hello [[words:99999]]',
      { max_tokens: 300_000, stop_sequences: Array.from({ length: 100_000 }, (_, at) => `none${at}`) },
    ],
  ] as const)('with %s is written at once', (_what, text, more) => {
    const startedAt = performance.now();
    writeScript(bodyOf(text, more));
    // Milliseconds; with quadratic work it was minutes.
    expect(performance.now() - startedAt).toBeLessThan(2_000);
  });

  it('gives a tool its words without markers', () => {
    expect(writeScript(bodyOf('To Oslo [[fail]]', { tools })).tools[0]?.input).toEqual({ to: 'To Oslo' });
  });

  const two = [...tools, { name: 'list', input_schema: { type: 'object' } }];
  const callsOf = (text: string, more: Partial<MessagesBody> = {}) =>
    writeScript(bodyOf(text, { tools: two, ...more })).tools.map(({ name, input }) => ({ name, input }));

  it.each([
    ['[[call:list]]', [{ name: 'list', input: {} }]],
    ['Look [[call:list {"page": 2, "of": [[1]]}]]', [{ name: 'list', input: { page: 2, of: [[1]] } }]],
    [
      '[[call:list {"page": 1}]] and [[call:book {"to": "Oslo"}]]',
      [
        { name: 'list', input: { page: 1 } },
        { name: 'book', input: { to: 'Oslo' } },
      ],
    ],
    ['To Oslo [[call:unknown]]', [{ name: 'book', input: { to: 'To Oslo' } }]],
    ['[[call:list {broken}]]', [{ name: 'list', input: {} }]],
  ])('%s calls what it names', (text, expected) => {
    expect(callsOf(text)).toEqual(expected);
  });

  it('calls one tool of the markers where the request allows no more', () => {
    const both = '[[call:list]] [[call:book {"to": "Oslo"}]]';
    expect(callsOf(both)).toHaveLength(2);
    expect(callsOf(both, { tool_choice: { type: 'auto', disable_parallel_tool_use: true } })).toHaveLength(1);
    expect(callsOf(both, { tool_choice: { type: 'none' } })).toEqual([]);
    expect(callsOf(both, { tool_choice: { type: 'tool', name: 'book' } })).toMatchObject([{ name: 'book' }]);
  });
});

describe('the digest of a conversation', () => {
  const messages = bodyOf('Hello').messages;

  it('is the same for the same conversation, and different for a longer one or another last text', () => {
    expect(digestOf(messages)).toEqual(digestOf(bodyOf('Hello').messages));
    expect(digestOf(messages)).not.toEqual(digestOf(bodyOf('Hallo').messages));
    expect(digestOf(messages)).not.toEqual(digestOf([{ role: 'user', content: 'Hi' }, ...messages]));
    const result = (id: string): MessagesBody['messages'] => [
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: id }] },
    ];
    expect(digestOf(result('a'))).not.toEqual(digestOf(result('b')));
  });

  it('has 32 bytes, however long the conversation is', () => {
    expect(digestOf(bodyOf('x'.repeat(10_000_000)).messages)).toHaveLength(32);
  });

  it('gives the dice the same throws', () => {
    const throws = (seed: Buffer) => Array.from({ length: 20 }, createDiceOf(seed));
    expect(throws(digestOf(messages))).toEqual(throws(digestOf(messages)));
  });
});

function createDiceOf(seed: Buffer): () => number {
  const dice = createDice(seed);
  return () => dice(24);
}
