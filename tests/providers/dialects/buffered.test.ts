import { describe, expect, it } from 'vitest';
import { anthropic } from '../../../lib/providers/anthropic/index';
import { recordLog } from '../../support/log';
import { startFakeUpstream, type FakeReply } from '../../support/upstreams/fake-upstream';
import {
  askFor,
  makeMessagesBinding,
  makeMessagesRequest,
  makeProviderDeps,
  type RequestChange,
} from '../support/messages';
import { nativeVendor } from '../support/native-vendor';

const native = nativeVendor();
const binding = makeMessagesBinding({ providerId: 'anthropic', modelName: 'claude-upstream' });

const ask = (scenario: string, change: RequestChange = {}, signal = new AbortController().signal) =>
  native.provider.messages!.complete!(askFor(scenario, change), binding, {
    signal,
    log: recordLog(),
  });

describe('a non-streaming answer', () => {
  it("is the vendor's answer, including signatures", async () => {
    const { text, message } = await ask('thinking');
    expect(JSON.parse(text)).toEqual(message);
    expect(message.content).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ type: 'thinking', signature: expect.stringMatching(/^FAKESIG:/) }),
      ]),
    );
  });

  it('is requested with the bytes that the caller sent, except for the model', async () => {
    const source = Buffer.from(
      '{ "max_tokens": 10,\n "model":"anthropic/claude-x", "stream" : false, "messages":[{"role":"user","content":[{"type":"text","text":"[[fake:text]] 1.0e0 \\u00e9"}]}] }',
    );
    const request = { ...makeMessagesRequest(), body: JSON.parse(source.toString()), source };
    await native.provider.messages!.complete!(request, binding, {
      signal: new AbortController().signal,
      log: recordLog(),
    });
    expect(native.vendor.last().raw.toString()).toBe(
      source.toString().replace('"anthropic/claude-x"', '"claude-upstream"'),
    );
  });

  it.each([
    ['rate-limit-seconds', 'rate_limit_exceeded'],
    ['overloaded', 'upstream_overloaded'],
    ['server-error', 'upstream_invalid_response'],
    ['unauthorized', 'upstream_auth_failed'],
    ['too-long', 'upstream_rejected'],
    ['unknown-model', 'provider_model_not_found'],
    ['reset', 'upstream_invalid_response'],
    ['html-ok', 'upstream_invalid_response'],
  ])('answers %s with %s', async (scenario, code) => {
    await expect(ask(scenario)).rejects.toMatchObject({ code });
  });

  it('omits a signature that the vendor refuses, once', async () => {
    const messages = [
      { role: 'user', content: 'Hi' },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'hm', signature: 'foreign' },
          { type: 'text', text: 'Hello' },
        ],
      },
      { role: 'user', content: '[[fake:text]]' },
    ];
    const before = native.vendor.requests.length;
    await ask('text', { body: { messages } });
    expect(native.vendor.requests.length - before).toBe(2);
  });

  it('that is aborted closes the connection, and rejects with the reason of the signal', async () => {
    const stop = new AbortController();
    const reason = new Error('The caller is gone.');
    const answer = ask('hang', {}, stop.signal);
    setTimeout(() => stop.abort(reason), 50);
    await expect(answer).rejects.toBe(reason);
    expect((await native.vendor.last('hang').closed).early).toBe(true);
  });

  it.each([
    ['invalid JSON', '{"type":"message"', 'upstream_invalid_response'],
    [
      'a message without usage',
      '{"type":"message","id":"m","content":[],"stop_reason":"end_turn"}',
      'upstream_invalid_response',
    ],
    [
      'a message without its stop reason',
      '{"type":"message","id":"m","content":[],"stop_reason":null,"usage":{"output_tokens":1}}',
      'upstream_invalid_response',
    ],
    [
      'an error under the status of success',
      '{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}',
      'upstream_overloaded',
    ],
  ])('refuses %s', async (_what, body, code) => {
    const reply: FakeReply = { kind: 'body', status: 200, body };
    const upstream = await startFakeUpstream(() => reply);
    const other = anthropic.create(makeProviderDeps({ ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: upstream.baseUrl }));
    try {
      await expect(
        other.messages!.complete!(askFor('text'), binding, { signal: new AbortController().signal, log: recordLog() }),
      ).rejects.toMatchObject({ code });
    } finally {
      await other.close?.();
      await upstream.close();
    }
  });
});
