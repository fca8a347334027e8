import { describe, expect, it } from 'vitest';
import { anthropic } from '../../../lib/providers/anthropic/index';
import { scripts, startFakeMessagesVendor, vendorSignature } from '../../support/upstreams/fake-messages-vendor';
import { messageStart } from '../../support/upstreams/message-frames';
import { recordLog } from '../../support/log';
import { messagesContract } from '../contract/messages';
import { has, makeMessagesSubject } from '../support/messages-subject';
import { askFor, makeMessagesBinding, makeMessagesRequest, readOutcome, type RequestChange } from '../support/messages';
import { nativeVendor } from '../support/native-vendor';

const native = nativeVendor();
const binding = makeMessagesBinding({ providerId: 'anthropic', modelName: 'claude-upstream' });

const call = (signal = new AbortController().signal) => ({ signal, log: recordLog() });
const ask = (scenario: string, change: RequestChange = {}) =>
  readOutcome(native.provider.messages!.stream(askFor(scenario, change), binding, call()));

describe('the vendor of the dialect', () => {
  for (const [name, script] of Object.entries(scripts)) {
    if (['json-body', 'two-deltas', 'without-stop-event', 'long'].includes(name)) continue;
    it(`is passed through event by event: ${name}`, async () => {
      const { events, error } = await ask(name);
      expect(error).toBeUndefined();
      expect(events).toEqual(script(messageStart({ model: 'claude-upstream' })));
    });
  }

  it('gives the same events wherever its stream is cut', async () => {
    const whole = await ask('tool pad pings');
    const bytes = 3_200;
    for (let cut = 1; cut < bytes; cut += 97)
      expect((await ask(`tool pad pings cut=${cut}`)).events, `cut at ${cut}`).toEqual(whole.events);
    for (const chunking of ['byte', 'seven', 'whole'])
      expect((await ask(`web-search pad crlf chunking=${chunking}`)).events).toEqual((await ask('web-search')).events);
  });

  it('one upstream read becomes one batch', async () => {
    expect((await ask('long count=50 chunking=whole')).chunks).toBe(1);
  });

  it('uses connections that stay open', async () => {
    await ask('text');
    const before = native.vendor.connections();
    for (let request = 0; request < 10; request++) expect((await ask('text chunking=whole')).error).toBeUndefined();
    expect(native.vendor.connections() - before).toBeLessThan(5);
  });

  it('gets the bytes that the caller sent, except for the model and the stream', async () => {
    const source = Buffer.from(
      '{ "max_tokens": 10,\n "model":"anthropic/claude-x", "messages":[{"role":"user","content":[{"type":"text","text":"[[fake:text]] 1.0e0 \\u00e9"}]}], "metadata" : {"user_id":"u"} }',
    );
    const request = { ...makeMessagesRequest(), body: JSON.parse(source.toString()), source };
    expect((await readOutcome(native.provider.messages!.stream(request, binding, call()))).error).toBeUndefined();
    expect(native.vendor.last().raw.toString()).toBe(
      source.toString().replace('"anthropic/claude-x"', '"claude-upstream"').replace('"u"} }', '"u"},"stream":true }'),
    );
  });

  it('gets our credential, one version and the betas as the caller listed them', async () => {
    await ask('text', {
      version: '2026-10-21',
      betas: ['claude-code-20250219', 'context-management-2025-06-27'],
      body: { context_management: { edits: [] } },
    });
    const { headers, body } = native.vendor.last();
    expect(headers).toMatchObject({
      'x-api-key': 'fake-key',
      'anthropic-version': '2026-10-21',
      'anthropic-beta': 'claude-code-20250219,context-management-2025-06-27',
    });
    expect(headers.authorization).toBeUndefined();
    expect(body?.context_management).toEqual({ edits: [] });
  });

  it('gets its own thinking back unchanged, and none of another provider', async () => {
    const history = (signature: string) => [
      { role: 'user', content: 'Weather?' },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'hm', signature },
          { type: 'tool_use', id: 'toolu_1', name: 'f', input: {} },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'toolu_1', content: 'sun' },
          { type: 'text', text: '[[fake:text]]' },
        ],
      },
    ];
    expect((await ask('text', { body: { messages: history(vendorSignature) } })).error).toBeUndefined();
    expect(native.vendor.last().body?.messages).toEqual(history(vendorSignature));
    const before = native.vendor.requests.length;
    expect((await ask('text', { body: { messages: history('gw1.moonshot.') } })).error).toBeUndefined();
    expect(native.vendor.requests.length - before).toBe(1);
    expect((native.vendor.last().body!.messages as { content: unknown[] }[])[1]?.content).toEqual([
      { type: 'tool_use', id: 'toolu_1', name: 'f', input: {} },
    ]);
  });

  it('a signature that it refuses is left out, once, and the answer arrives', async () => {
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
    expect(
      (await ask('text', { body: { messages, thinking: { type: 'enabled', budget_tokens: 1_024 } } })).error,
    ).toBeUndefined();
    expect(native.vendor.requests.length - before).toBe(2);
    expect(native.vendor.last().body).toMatchObject({
      thinking: { type: 'disabled' },
      messages: [{}, { content: [{ type: 'text', text: 'Hello' }] }, {}],
    });
  });

  it('a thinking setting that it refuses is the caller’s error: nothing is retried', async () => {
    const strict = makeMessagesBinding({ providerId: 'anthropic', modelName: 'claude-opus-5-5' });
    const messages = [
      { role: 'user', content: 'Hi' },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'hm', signature: vendorSignature },
          { type: 'text', text: 'Hello' },
        ],
      },
      { role: 'user', content: '[[fake:text]]' },
    ];
    const before = native.vendor.requests.length;
    const request = askFor('text', { body: { messages, thinking: { type: 'enabled', budget_tokens: 1_024 } } });
    expect((await readOutcome(native.provider.messages!.stream(request, strict, call()))).error).toMatchObject({
      code: 'upstream_rejected',
    });
    expect(native.vendor.requests.length - before).toBe(1);
  });

  it('empty texts of the history do not reach it', async () => {
    const messages = [
      {
        role: 'user',
        content: [
          { type: 'text', text: '' },
          { type: 'text', text: '[[fake:text]]' },
        ],
      },
    ];
    expect((await ask('text', { body: { messages } })).error).toBeUndefined();
    expect(native.vendor.last().body?.messages).toEqual([
      { role: 'user', content: [{ type: 'text', text: '[[fake:text]]' }] },
    ]);
  });

  const failures: readonly (readonly [string, Record<string, unknown>])[] = [
    [
      'rate-limit-seconds',
      {
        code: 'rate_limit_exceeded',
        extra: { retryAfterSeconds: 7, upstream: { retry: 'elsewhere', started: 'no', retryAfterMs: 7_000 } },
      },
    ],
    ['spend-cap', { code: 'upstream_auth_failed', extra: { upstream: { retry: 'elsewhere' } } }],
    ['overloaded', { code: 'upstream_overloaded', extra: { upstream: { retry: 'elsewhere' } } }],
    ['server-error', { code: 'upstream_invalid_response', extra: { upstream: { retry: 'later' } } }],
    ['unavailable', { code: 'upstream_invalid_response', extra: { upstream: { retry: 'later' } } }],
    ['gateway-timeout', { code: 'upstream_timeout', extra: { upstream: { retry: 'later' } } }],
    ['too-large', { code: 'request_too_large', extra: { upstream: { retry: 'never' } } }],
    ['unauthorized', { code: 'upstream_auth_failed', extra: { upstream: { retry: 'elsewhere' } } }],
    ['billing', { code: 'upstream_auth_failed' }],
    ['billing-legacy', { code: 'upstream_auth_failed' }],
    ['forbidden', { code: 'upstream_auth_failed' }],
    ['unknown-model', { code: 'provider_model_not_found', extra: { upstream: { retry: 'elsewhere' } } }],
    [
      'too-long',
      {
        code: 'upstream_rejected',
        message: 'prompt is too long: 205000 tokens > 200000 maximum',
        extra: { upstream: { retry: 'never' } },
      },
    ],
    ['reset', { code: 'upstream_invalid_response', extra: { upstream: { retry: 'later', started: 'maybe' } } }],
    ['html-ok', { code: 'upstream_invalid_response' }],
    ['json-body', { code: 'upstream_invalid_response' }],
    ['text errorAt=0', { code: 'upstream_overloaded', extra: { upstream: { retry: 'elsewhere' } } }],
  ];
  for (const [scenario, expected] of failures) {
    it(`answers ${scenario} with ${String(expected.code)} and nothing before it`, async () => {
      const { events, error } = await ask(scenario);
      expect(events).toEqual([]);
      expect(error).toMatchObject(expected);
    });
  }

  it('an error in the middle comes after everything before it', async () => {
    const { events, error } = await ask('text errorAt=4 chunking=whole');
    expect(events.map((event) => event.type)).toEqual([
      'message_start',
      'content_block_start',
      'content_block_delta',
      'content_block_delta',
    ]);
    expect(error).toMatchObject({ code: 'upstream_overloaded' });
  });

  it('a stream that ends before its stop reason is an error, wherever it ends', async () => {
    const whole = await ask('tool');
    const total = whole.events.length;
    for (const clean of ['', ' clean']) {
      for (let drop = 1; drop < total - 1; drop++) {
        const { events, error } = await ask(`tool drop=${drop}${clean}`);
        expect(error, `after ${drop}`).toMatchObject({ code: 'upstream_invalid_response' });
        expect(whole.events.slice(0, events.length)).toEqual(events);
      }
    }
  });

  it('a stream that lacks only message_stop is complete', async () => {
    const { events, error } = await ask('without-stop-event');
    expect(error).toBeUndefined();
    expect(events.at(-1)).toEqual({ type: 'message_stop' });
  });

  it('counts tokens with the fields that its counter takes', async () => {
    const request = askFor('text', {
      body: {
        temperature: 0.5,
        stream: true,
        stop_sequences: ['x'],
        metadata: { user_id: 'u' },
        tools: [],
        system: 'S',
      },
    });
    const tokens = await native.provider.messages!.countTokens!(request, binding, call());
    expect(tokens).toBeGreaterThan(5);
    expect(Object.keys(native.vendor.last().body ?? {}).sort()).toEqual(['messages', 'model', 'system', 'tools']);
  });

  it('a count that fails rejects', async () => {
    await expect(
      native.provider.messages!.countTokens!(askFor('unknown-model'), binding, call()),
    ).rejects.toMatchObject({ code: 'provider_model_not_found' });
  });
});

messagesContract('anthropic', () => makeMessagesSubject(anthropic, 'ANTHROPIC', () => startFakeMessagesVendor()), {
  has,
  errors: {
    overloaded: 'elsewhere',
    'server-error': 'later',
    unavailable: 'later',
    'html-ok': 'later',
    unauthorized: 'elsewhere',
    'too-long': 'never',
    reset: 'later',
    'text drop=4': 'later',
    'text errorAt=4': 'elsewhere',
  },
});
