import Anthropic from '@anthropic-ai/sdk';
import { createAnthropic } from '@ai-sdk/anthropic';
import { streamText } from 'ai';
import OpenAI from 'openai';
import EarlierAnthropic from 'sdk0';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startFakeChatUpstream, type FakeChatUpstream } from './fake-chat-upstream';
import { scripts, startFakeMessagesVendor, type FakeMessagesVendor } from './fake-messages-vendor';

// The fakes represent the vendors in many tests; here the vendors' own unmodified clients verify them.

describe('the fake of the messages vendor', () => {
  let vendor: FakeMessagesVendor;
  beforeAll(async () => {
    vendor = await startFakeMessagesVendor();
  });
  afterAll(() => vendor.close());

  const body = (scenario: string) => ({
    model: 'claude-x',
    max_tokens: 100,
    messages: [{ role: 'user' as const, content: `[[fake:${scenario}]]` }],
  });
  // A JSON body for a stream and a stream without an end are meant to be refused.
  const names = Object.keys(scripts).filter((name) => !['json-body', 'without-stop-event'].includes(name));

  it.each(names)(
    'is read the same streamed and non-streaming by both generations of the official client: %s',
    async (name) => {
      const later = new Anthropic({ baseURL: vendor.baseUrl, authToken: vendor.apiKey, maxRetries: 0 }).messages;
      const earlier = new EarlierAnthropic({
        baseURL: vendor.baseUrl,
        apiKey: vendor.apiKey,
        authToken: null,
        maxRetries: 0,
      }).messages;
      const [asked, inPieces] = [body(`${name} count=20`), body(`${name} count=20 pad pings chunking=seven`)];
      for (const read of [
        async () => [await later.create(asked), await later.stream(inPieces).finalMessage()] as const,
        async () => [await earlier.create(asked), await earlier.stream(inPieces).finalMessage()] as const,
      ]) {
        const [whole, streamed] = await read();
        expect(streamed.stop_reason).toBe(whole.stop_reason);
        expect(streamed.usage.output_tokens).toBe(whole.usage.output_tokens);
        // The fake's complete answer has no citations, and clients parse a truncated input differently.
        expect(comparable(streamed.content, name)).toEqual(comparable(whole.content, name));
      }
    },
  );

  it('is read by the other official client', async () => {
    const model = createAnthropic({ baseURL: `${vendor.baseUrl}/v1`, apiKey: vendor.apiKey })('claude-x');
    const result = streamText({ model, prompt: '[[fake:text]]' });
    expect(await result.text).toBe('Hello wörld 😀!');
    expect(await result.finishReason).toBe('stop');
  });

  it.each([
    ['unauthorized', 401],
    ['too-long', 400],
    ['too-large', 413],
    ['rate-limit-seconds', 429],
    ['server-error', 500],
    ['overloaded', 529],
  ])('refuses as the vendor does: %s', async (name, status) => {
    const client = new Anthropic({ baseURL: vendor.baseUrl, apiKey: vendor.apiKey, maxRetries: 0 });
    await expect(client.messages.create(body(name))).rejects.toMatchObject({ status });
  });

  it('refuses a second credential, an invented version and a fifth cache marker', async () => {
    const send = (headers: Record<string, string>, more: object = {}) =>
      fetch(`${vendor.baseUrl}/v1/messages`, {
        method: 'POST',
        headers: { 'x-api-key': vendor.apiKey, 'anthropic-version': '2023-06-01', ...headers },
        body: JSON.stringify({ ...body('text'), ...more }),
      }).then((response) => response.status);
    expect(await send({})).toBe(200);
    expect(await send({ authorization: 'Bearer other' })).toBe(401);
    expect(await send({ 'anthropic-version': '2023-06-01, 2023-06-01' })).toBe(400);
    expect(await send({}, { new_field: 1 })).toBe(400);
    const marked = Array.from({ length: 5 }, () => ({ type: 'text', text: 'x', cache_control: { type: 'ephemeral' } }));
    expect(await send({}, { system: marked })).toBe(400);
  });
});

function comparable(content: unknown, scenario: string): unknown {
  const dropped = scenario === 'max-tokens-mid-tool' ? ['citations', 'input'] : ['citations'];
  return JSON.parse(JSON.stringify(content, (key, value: unknown) => (dropped.includes(key) ? undefined : value)));
}

describe('the fake of a chat upstream', () => {
  let upstream: FakeChatUpstream;
  beforeAll(async () => {
    upstream = await startFakeChatUpstream();
  });
  afterAll(() => upstream.close());

  it.each(['text', 'tool', 'parallel-tools', 'content-null'])('is read by the official client: %s', async (name) => {
    const client = new OpenAI({ baseURL: `${upstream.baseUrl}/v1`, apiKey: upstream.apiKey, maxRetries: 0 });
    const completion = await client.chat.completions
      .stream({
        model: 'm',
        messages: [{ role: 'user', content: `[[fake:${name}]]` }],
        stream: true,
        stream_options: { include_usage: true },
      })
      .finalChatCompletion();
    expect(completion.choices[0]?.finish_reason).toBe(name.includes('tool') ? 'tool_calls' : 'stop');
    expect(completion.usage?.total_tokens).toBe(107);
  });
});
