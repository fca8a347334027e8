import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { messagesModel } from '../../lib/catalog/messages-entry';
import { GatewayError, upstreamFailed, type UpstreamOutcome } from '../../lib/domain/errors';
import type { MessageEvent, MessagesProvider } from '../../lib/domain/messages';
import type { Model } from '../../lib/domain/model';
import type { ProviderDefinition } from '../../lib/domain/provider';
import { sandbox } from '../../lib/providers/sandbox/index';
import { startServer, type TestServer } from '../support/server';
import { sendRaw, userTurn } from './raw';

// Which provider answers when some fail, over the real port, with providers that do exactly what a test says.

type Script = MessagesProvider['stream'];

const scripts = new Map<string, Script>();
const calls: string[] = [];

const provider = (id: string): ProviderDefinition => ({
  id,
  name: id,
  capabilities: ['messages'],
  settings: [],
  create: () => ({
    id,
    messages: {
      ...(id === 'north' && { native: true as const }),
      stream(request, binding, call) {
        calls.push(id);
        const script = scripts.get(id);
        if (!script) throw new Error(`${id} has no script.`);
        return script(request, binding, call);
      },
    },
  }),
});

const twin: Model = messagesModel({
  id: 'twin-text',
  name: 'Twin',
  description: 'Served by three.',
  family: 'test',
  created: 1_795_219_200,
  facts: {
    contextTokens: 100_000,
    maxOutputTokens: 10_000,
    tokenizer: { encoding: 'o200k', multiplier: 1 },
    sampling: false,
    forcedTools: true,
    prefill: false,
    thinkingTypes: ['adaptive'],
    efforts: [],
    structuredOutputs: false,
  },
  bindings: ['north', 'south', 'west'].map((providerId, index) => ({
    providerId,
    modelName: `twin-${providerId}`,
    price: { input: String(index + 1), output: String((index + 1) * 10), source: 'A test.', verified: true },
  })),
});

const start: MessageEvent = {
  type: 'message_start',
  message: {
    id: 'msg_x',
    type: 'message',
    role: 'assistant',
    model: 'upstream-name',
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: 10, output_tokens: 1 },
  },
};
const open: MessageEvent = { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } };
const word = (text: string): MessageEvent => ({
  type: 'content_block_delta',
  index: 0,
  delta: { type: 'text_delta', text },
});
const end: readonly MessageEvent[] = [
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 5 } },
  { type: 'message_stop' },
];

const answers = (text: string): Script =>
  async function* () {
    yield { events: [start, open, word(text), ...end] };
  };
const fails = (outcome: Partial<UpstreamOutcome>, code?: 'upstream_timeout' | 'upstream_auth_failed'): Script =>
  async function* () {
    throw upstreamFailed({ retry: 'elsewhere', started: 'no', ...outcome }, 'As the test says.', code);
  };
const throws = (error: () => Error, before: readonly MessageEvent[] = []): Script =>
  async function* () {
    if (before.length > 0) yield { events: before };
    throw error();
  };
const limited = (retryAfterMs?: number) => () =>
  new GatewayError('rate_limit_exceeded', 'Limited.', {
    upstream: { retry: 'elsewhere', started: 'no', ...(retryAfterMs !== undefined && { retryAfterMs }) },
    ...(retryAfterMs !== undefined && { retryAfterSeconds: retryAfterMs / 1_000 }),
  });
const overloaded = () =>
  new GatewayError('upstream_overloaded', 'Overloaded.', { upstream: { retry: 'elsewhere', started: 'no' } });
const refused = () =>
  new GatewayError('upstream_rejected', 'prompt is too long: 9 tokens > 8 maximum', {
    upstream: { retry: 'never', started: 'no' },
  });

let server: TestServer;
beforeAll(async () => {
  server = await startServer({
    providers: [sandbox, provider('north'), provider('south'), provider('west')],
    models: [twin],
    random: () => 0,
  });
});
afterAll(() => server.close());
// Every test begins with healthy providers: one successful answer each clears the failures of earlier tests.
beforeEach(async () => {
  for (const id of ['north', 'south', 'west']) {
    scripts.set(id, answers(id));
    await ask({ model: `${id}/twin-text` });
  }
  calls.length = 0;
  scripts.clear();
});

const ask = (more: Readonly<Record<string, unknown>> = {}, headers: Readonly<Record<string, string>> = {}) =>
  sendRaw(server.baseUrl, server.firstRun.keys.live, userTurn('twin-text', 'Hello', more), headers);

describe('before the first content', () => {
  it('an ordinary answer is one attempt at the first provider', async () => {
    scripts.set('north', answers('north'));
    const { status, headers, text } = await ask();
    expect([status, headers['x-patchbay-provider'], headers['x-patchbay-attempts'], calls]).toEqual([
      200,
      'north',
      '1',
      ['north'],
    ]);
    expect(text).toContain('"model":"twin-text"');
  });

  it.each([
    ['a failure that allows another provider', fails({}), ['north', 'south']],
    ['a temporary failure, after one retry', fails({ retry: 'later' }), ['north', 'north', 'south']],
    ['an error event as the first event', throws(overloaded), ['north', 'south']],
    ['an error after message_start', throws(overloaded, [start]), ['north', 'south']],
    ['an error after the start of an empty block', throws(overloaded, [start, open]), ['north', 'south']],
    ['our credential being refused', fails({}, 'upstream_auth_failed'), ['north', 'south']],
    ['a rate limit with a long pause', throws(limited(60_000)), ['north', 'south']],
  ] as const)('the next provider is called after %s', async (_what, script, asked) => {
    scripts.set('north', script);
    scripts.set('south', answers('south'));
    const { status, headers, text } = await ask();
    expect(status).toBe(200);
    expect(calls).toEqual(asked);
    expect(headers['x-patchbay-provider']).toBe('south');
    expect(text).toContain('south');
    expect(text.match(/event: message_start/g)).toHaveLength(1);
  });

  it.each([
    ['a pinned provider that fails twice', 'north/twin-text', { retry: 'later' }, 'The provider failed (2 attempts).'],
    ['three providers', 'twin-text', {}, 'All providers of this model failed (3 attempts).'],
  ] as const)('the error after %s says so', async (_what, model, outcome, sentence) => {
    for (const id of ['north', 'south', 'west']) scripts.set(id, fails(outcome));
    const { status, text } = await ask({ model });
    expect([status, JSON.parse(text).error.message]).toEqual([502, `${sentence} Try again in a moment.`]);
  });

  it('every attempt is recorded, and the price is that of the provider that answered', async () => {
    scripts.set('north', fails({}));
    scripts.set('south', answers('south'));
    const { headers } = await ask({ stream: false });
    await server.gateway.messages.settled();
    const { rows } = await server.db.query(
      'select provider, attempts, prices, cost_nano_usd::text as cost from messages where request_id = $1',
      [headers['x-request-id']],
    );
    expect(rows[0]).toMatchObject({
      provider: 'south',
      attempts: [{ provider: 'north', code: 'upstream_invalid_response' }, { provider: 'south' }],
    });
    expect(rows[0]?.attempts).toMatchObject([{}, { startMs: expect.any(Number) as number }]);
    expect(rows[0]?.prices).toEqual({ input: '2000000000000', output: '20000000000000' });
    // 10 × $2 and 5 × $20 for a million tokens.
    expect(rows[0]?.cost).toBe('120000');
  });

  it('a non-streaming answer that breaks off is requested from the next provider', async () => {
    scripts.set('north', throws(overloaded, [start, open, word('half')]));
    scripts.set('south', answers('south'));
    const { status, text } = await ask({ stream: false });
    expect(status).toBe(200);
    expect(JSON.parse(text).content).toEqual([{ type: 'text', text: 'south' }]);
  });

  it('an error that the caller must correct is returned at once, and no other provider is called', async () => {
    scripts.set('north', throws(refused));
    const { status, text } = await ask();
    expect([status, JSON.parse(text).error]).toEqual([
      400,
      { type: 'invalid_request_error', message: 'prompt is too long: 9 tokens > 8 maximum' },
    ]);
    expect(calls).toEqual(['north']);
  });

  it('a pinned provider is the only one that is called', async () => {
    scripts.set('south', fails({ retry: 'later' }));
    const { status } = await ask({ model: 'south/twin-text' });
    expect([status, calls]).toEqual([502, ['south', 'south']]);
  });

  it('a client with its own retries gets one attempt at each provider', async () => {
    for (const id of ['north', 'south', 'west']) scripts.set(id, fails({ retry: 'later' }));
    await ask({}, { 'x-stainless-retry-count': '1' });
    expect(calls).toHaveLength(3);
    expect(new Set(calls).size).toBe(3);
  });

  it('no more than three calls are made', async () => {
    for (const id of ['north', 'south', 'west']) scripts.set(id, fails({ retry: 'later' }));
    const { status, text } = await ask();
    expect([status, JSON.parse(text).error.type, calls.length]).toEqual([502, 'api_error', 3]);
  });
});

describe('when every provider fails', () => {
  it.each([
    ['all are too slow', fails({}, 'upstream_timeout'), 504, 'timeout_error'],
    ['all are overloaded', throws(overloaded), 529, 'overloaded_error'],
    ['our credentials are refused', fails({}, 'upstream_auth_failed'), 502, 'api_error'],
    ['they fail', fails({}), 502, 'api_error'],
  ] as const)('%s: the caller gets this error', async (_what, script, status, type) => {
    for (const id of ['north', 'south', 'west']) scripts.set(id, script);
    const answer = await ask();
    expect([answer.status, JSON.parse(answer.text).error.type]).toEqual([status, type]);
  });

  it('the longest pause of the rate limits is passed on', async () => {
    scripts.set('north', throws(limited(5_000)));
    scripts.set('south', throws(limited(7_000)));
    scripts.set('west', fails({}));
    const { status, headers } = await ask();
    expect([status, headers['retry-after']]).toEqual([429, '7']);
  });
});

describe('after the first content', () => {
  it('no other provider is called, and the answer ends with the error', async () => {
    for (const id of ['north', 'south', 'west']) scripts.set(id, throws(overloaded, [start, open, word('half')]));
    const { status, text } = await ask();
    expect([status, calls.length]).toEqual([200, 1]);
    expect(text).toContain('half');
    expect(text.trimEnd().split('\n\n').at(-1)).toMatch(
      /^event: error\ndata: \{"type":"error","error":\{"type":"overloaded_error"/,
    );
    expect(text).not.toContain('message_stop');
  });
});

describe('a conversation with thinking', () => {
  const history = (signature: string) => ({
    messages: [
      { role: 'user', content: 'a' },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'T', signature },
          { type: 'text', text: 'b' },
        ],
      },
      { role: 'user', content: 'c' },
    ],
  });

  it.each([
    ['gw1.south.c2ln', 'south'],
    ['gw1.west.c2ln', 'west'],
    ['EqQBCgIYAhIM', 'north'],
  ])('goes to the provider that wrote the thinking: %s to %s', async (signature, expected) => {
    for (const id of ['north', 'south', 'west']) scripts.set(id, answers(id));
    const { headers } = await ask(history(signature));
    expect(headers['x-patchbay-provider']).toBe(expected);
  });
});
