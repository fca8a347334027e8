import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { MessageEvent } from '../../lib/domain/messages';
import { startServer, type TestServer } from '../support/server';
import { findOrderError } from '../support/upstreams/stream-order';
import { clients, isReached, vendorClients, type Ask } from './clients';
import { eventsOf, sendRaw, userTurn } from './raw';

// The scripted model, as callers of test mode see it: what it does on request, and each failure that a scenario
// triggers.

let server: TestServer;
let key: string;
beforeAll(async () => {
  server = await startServer({ random: () => 0 });
  key = server.firstRun.keys.test;
});
afterAll(() => server.close());

const ask = (more: Partial<Ask> = {}): Ask => ({ model: 'sandbox-text', text: 'Hello', ...more });
const send = (
  text: string,
  more: Readonly<Record<string, unknown>> = {},
  headers: Readonly<Record<string, string>> = {},
) => sendRaw(server.baseUrl, key, userTurn('sandbox-text', text, more), headers);
const tools = [
  {
    name: 'book',
    input_schema: {
      type: 'object',
      properties: {
        seats: { type: 'integer', minimum: 2 },
        class: { enum: ['first', 'second'] },
        to: { type: 'string' },
      },
      required: ['seats', 'class', 'to'],
    },
  },
  { name: 'list', input_schema: { type: 'object', properties: {} } },
];
const message = async (text: string, more: Readonly<Record<string, unknown>> = {}) =>
  JSON.parse((await send(text, { stream: false, ...more })).text) as {
    content: Record<string, unknown>[];
    stop_reason: string;
    stop_sequence: string | null;
    usage: Record<string, number>;
  };

describe('the scripted model', () => {
  it.each(clients.map((client) => [client.name, client] as const))(
    'is read the same streamed and non-streaming by %s',
    async (_name, client) => {
      for (const text of ['Hello', 'Call it', 'Both [[parallel]]']) {
        const streamed = await client.stream(server.baseUrl, key, ask({ text }));
        expect(isReached(streamed), JSON.stringify(streamed)).toBe(true);
        expect(await client.create(server.baseUrl, key, ask({ text }))).toEqual(streamed);
      }
    },
  );

  it('says that it is scripted', async () => {
    expect((await message('Hello')).content[0]?.text).toContain('scripted model, which understands nothing');
  });

  it('streams in order, in more than one chunk, and identically for the same request', async () => {
    const one = eventsOf((await send('Hello')).text);
    expect(findOrderError(one.map(({ data }) => data as unknown as MessageEvent))).toBeUndefined();
    expect(one.filter(({ event }) => event === 'content_block_delta').length).toBeGreaterThan(3);
    const other = eventsOf((await send('Hello')).text);
    expect(other.slice(1)).toEqual(one.slice(1));
  });

  it('calls the first tool with values of its schema', async () => {
    const { content, stop_reason: reason } = await message('Two to Oslo', { tools });
    expect(reason).toBe('tool_use');
    expect(content.at(-1)).toMatchObject({
      type: 'tool_use',
      name: 'book',
      input: { seats: 2, class: 'first', to: expect.any(String) },
    });
  });

  it('calls the tool that tool_choice names, none for "none", and two on request', async () => {
    expect((await message('Go', { tools, tool_choice: { type: 'tool', name: 'list' } })).content.at(-1)).toMatchObject({
      name: 'list',
      input: {},
    });
    expect((await message('Go', { tools, tool_choice: { type: 'none' } })).stop_reason).toBe('end_turn');
    const both = await message('Go [[parallel]]', { tools });
    expect(both.content.filter(({ type }) => type === 'tool_use').map(({ name }) => name)).toEqual(['book', 'list']);
  });

  it('stops at max_tokens and before a stop sequence, and says which', async () => {
    const short = await message('Hello', { max_tokens: 5 });
    expect([short.stop_reason, short.usage.output_tokens]).toEqual(['max_tokens', 5]);
    const stopped = await message('Hello', { stop_sequences: ['scripted'] });
    expect([stopped.stop_reason, stopped.stop_sequence]).toEqual(['stop_sequence', 'scripted']);
    expect(stopped.content[0]?.text).not.toContain('scripted');
  });

  it('thinks on request, and its thinking has a signature', async () => {
    expect((await message('Hello')).content.map(({ type }) => type)).toEqual(['text']);
    const { content } = await message('Hello', { thinking: { type: 'adaptive' } });
    expect(content.map(({ type }) => type)).toEqual(['thinking', 'text']);
    expect(content[0]?.signature).toMatch(/^gw1\.sandbox\./);
  });

  it('refuses a conversation that is longer than its context, in the words that client tools look for', async () => {
    const { status, text } = await send('word '.repeat(200_000), { stream: false });
    expect([status, JSON.parse(text).error.type]).toEqual([400, 'invalid_request_error']);
    expect(JSON.parse(text).error.message).toMatch(/^prompt is too long: \d+ tokens > 200000 maximum$/);
  });

  it('refuses unknown blocks, and a body that is not a message request', async () => {
    const { status, text } = await send('', { messages: [{ role: 'user', content: [{ type: 'zzz' }] }] });
    expect([status, JSON.parse(text).error.message]).toEqual([400, expect.stringContaining("Input tag 'zzz'")]);
    const { text: list } = await sendRaw(server.baseUrl, key, []);
    expect(JSON.parse(list).error.message).toContain('"messages"');
  });

  it('replaces every model of the catalog, at its price and from the test balance', async () => {
    await server.gateway.messages.settled();
    const before = await server.gateway.accounts.credits(await server.caller('test'));
    const live = await server.gateway.accounts.credits(await server.caller('live'));
    const { headers, text } = await sendRaw(
      server.baseUrl,
      key,
      userTurn('claude-opus-5-5', 'Hello', { stream: false }),
    );
    expect(headers['x-patchbay-provider']).toBe('sandbox');
    const answer = JSON.parse(text) as { model: string; usage: { input_tokens: number; output_tokens: number } };
    expect(answer.model).toBe('claude-opus-5-5');
    await server.gateway.messages.settled();
    const after = await server.gateway.accounts.credits(await server.caller('test'));
    // $4 and $20 for a million tokens.
    expect(Number(after.spent) - Number(before.spent)).toBeCloseTo(
      (answer.usage.input_tokens * 4 + answer.usage.output_tokens * 20) / 1e6,
      9,
    );
    expect(await server.gateway.accounts.credits(await server.caller('live'))).toEqual(live);
  });
});

describe('a scenario', () => {
  const sentWith = [
    ['the header', (word: string, more: object) => send('Hello', { ...more }, { 'x-test-scenario': word })],
    ['a marker', (word: string, more: object) => send(`Hello [[${word}]]`, { ...more })],
  ] as const;

  describe.each(sentWith)('given by %s', (_how, sendWord) => {
    it.each([
      ['fail', 502, 'api_error'],
      ['error-first', 529, 'overloaded_error'],
      ['moderated-input', 400, 'invalid_request_error'],
    ])('%s comes before the first word, with a status of its own: %i %s', async (word, status, type) => {
      for (const stream of [true, false]) {
        const { status: given, headers, text } = await sendWord(word, { stream });
        expect(headers['retry-after'], word).toBe(status === 529 ? '2' : undefined);
        expect([given, JSON.parse(text).error.type], String(stream)).toEqual([status, type]);
        expect(JSON.parse(text).request_id).toBe(headers['request-id']);
      }
    });

    it.each([
      ['error-mid', 'overloaded_error', 529],
      ['cut', 'api_error', 502],
      ['drop', 'api_error', 502],
    ])(
      '%s breaks the answer in the middle: as an event in a stream, as a status otherwise',
      async (word, type, status) => {
        const streamed = await sendWord(word, {});
        expect(streamed.status).toBe(200);
        const events = eventsOf(streamed.text);
        expect(events.some(({ event }) => event === 'content_block_delta')).toBe(true);
        expect(events.at(-1)).toMatchObject({ event: 'error', data: { error: { type } } });
        expect(streamed.text).not.toContain('message_stop');
        const whole = await sendWord(word, { stream: false });
        expect([whole.status, JSON.parse(whole.text).error.type]).toEqual([status, type]);
      },
    );

    it('moderated-output ends as a refusal', async () => {
      const { status, text } = await sendWord('moderated-output', { stream: false });
      expect([status, JSON.parse(text).stop_reason, JSON.parse(text).stop_details.type]).toEqual([
        200,
        'refusal',
        'refusal',
      ]);
    });

    it('slow:1 takes one second, and sends something meanwhile', async () => {
      const startedAt = performance.now();
      const { text } = await sendWord('slow:1', {});
      expect(performance.now() - startedAt).toBeGreaterThan(800);
      expect(eventsOf(text).at(-1)?.event).toBe('message_stop');
    });

    it.each(['nourl', 'expired', 'weird', 'poll500:2'])('%s has no effect on messages', async (word) => {
      expect((await sendWord(word, { stream: false })).status).toBe(200);
    });
  });

  it('that does not exist is refused in the header and part of the text in a marker', async () => {
    const refused = await send('Hello', { stream: false }, { 'x-test-scenario': 'nonsense' });
    expect([refused.status, JSON.parse(refused.text).error]).toEqual([
      400,
      {
        type: 'invalid_request_error',
        message: expect.stringContaining('The test scenario "nonsense" is not known. Use fail, '),
      },
    ]);
    expect((await send('Hello [[nonsense]]', { stream: false })).status).toBe(200);
  });

  it('ratelimit:2 refuses twice with a Retry-After, then answers', async () => {
    const statuses: number[] = [];
    for (let times = 0; times < 3; times += 1) {
      const { status, headers } = await send('Limited', { stream: false }, { 'x-test-scenario': 'ratelimit:2' });
      statuses.push(status);
      if (status === 429) expect(headers['retry-after']).toBe('1');
    }
    expect(statuses).toEqual([429, 429, 200]);
  });

  it('hang sends nothing until the client disconnects, and costs nothing', async () => {
    const controller = new AbortController();
    const answer = fetch(`${server.baseUrl}/v1/messages`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': key, 'x-test-scenario': 'hang' },
      body: JSON.stringify(userTurn('sandbox-text', 'Hello')),
      signal: controller.signal,
    });
    const first = await Promise.race([
      answer.then(
        () => 'answered',
        () => 'refused',
      ),
      new Promise((resolve) => setTimeout(() => resolve('silent'), 300)),
    ]);
    expect(first).toBe('silent');
    controller.abort();
    await expect(answer).rejects.toThrow();
    await expect
      .poll(async () => {
        await server.gateway.messages.settled();
        return (
          await server.db.query(
            `select outcome, code, cost_nano_usd::text as cost from messages where code = 'caller_left'`,
          )
        ).rows;
      })
      .toEqual([{ outcome: 'failed', code: 'caller_left', cost: '0' }]);
  });

  it('of the header takes precedence over the marker', async () => {
    expect((await send('Hello [[fail]]', { stream: false }, { 'x-test-scenario': 'error-first' })).status).toBe(529);
  });

  it('makes official clients throw, streamed and non-streaming', async () => {
    for (const client of vendorClients) {
      for (const word of ['fail', 'error-first', 'error-mid', 'cut', 'drop']) {
        for (const send of [client.stream, client.create])
          expect(
            isReached(await send(server.baseUrl, key, ask({ headers: { 'x-test-scenario': word } }))),
            `${client.name}, ${word}`,
          ).toBe(false);
      }
    }
  });
});

describe('a model of another vendor, in test mode', () => {
  // Anthropic gets messages as they are; DeepSeek imitates its API, and Moonshot has chat completions.
  const [native, imitator, chat] = ['claude-haiku-4-5', 'deepseek-flash', 'kimi-k3'];
  const ask = async (model: string, more: Readonly<Record<string, unknown>>) => {
    const { status, headers, text } = await sendRaw(server.baseUrl, key, userTurn(model, 'Hello', more));
    return [status, headers['x-ignored-params'] ?? (status === 200 ? '' : text)];
  };
  const pdf = { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0=' } };

  it('refuses the documents that its provider refuses', async () => {
    const messages = [{ role: 'user', content: [pdf, { type: 'text', text: 'What does it say?' }] }];
    expect(await ask(native!, { messages })).toEqual([200, '']);
    for (const model of [imitator!, chat!])
      expect(await ask(model, { messages })).toEqual([400, expect.stringContaining('document')]);
  });

  it('refuses to continue an answer, and a tool of another vendor that must be used', async () => {
    const unfinished = [
      { role: 'user', content: 'Hello' },
      { role: 'assistant', content: 'Hello,' },
    ];
    const search = { tools: [{ type: 'web_search_20260209', name: 'web_search' }], tool_choice: { type: 'any' } };
    for (const model of [imitator!, chat!]) {
      expect(await ask(model, { messages: unfinished })).toEqual([400, expect.stringContaining('cannot continue one')]);
      expect(await ask(model, search)).toEqual([400, expect.stringContaining('only its vendor can run')]);
    }
  });

  it('names what its provider would ignore', async () => {
    expect(await ask(native!, { top_k: 5 })).toEqual([200, '']);
    expect(await ask(imitator!, { top_k: 5, service_tier: 'auto' })).toEqual([200, 'service_tier']);
    expect(await ask(chat!, { top_k: 5 })).toEqual([200, 'top_k']);
  });
});
