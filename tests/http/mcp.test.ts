import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { wavFile } from '../../lib/io/wav';
import { startAudioServer, type AudioServer } from '../support/audio-server';
import { hurriedClock } from '../support/hurried-clock';

// The tools for agents, with the official client.

let server: AudioServer;
let baseUrl: string;
beforeAll(async () => {
  server = await startAudioServer({ clock: hurriedClock(0.2) });
  baseUrl = `http://127.0.0.1:${server.port}`;
});
afterAll(() => server.close());

async function connect(key: string, more: Readonly<Record<string, string>> = {}): Promise<Client> {
  const client = new Client({ name: 'a-test', version: '1' });
  const headers = { authorization: `Bearer ${key}`, ...more };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${baseUrl}/mcp`), { requestInit: { headers } }));
  return client;
}

type Content = readonly {
  readonly type: string;
  readonly text?: string;
  readonly data?: string;
  readonly mimeType?: string;
}[];

async function call(client: Client, name: string, args: Record<string, unknown> = {}) {
  const { content, structuredContent, isError } = await client.callTool({ name, arguments: args });
  return {
    content: content as Content,
    value: structuredContent as Record<string, unknown>,
    error: isError ? (content as Content)[0]?.text : undefined,
  };
}

/** A key of this organisation, with a policy. */
async function makeKey(fields: Record<string, unknown>): Promise<string> {
  const response = await fetch(`${baseUrl}/console/api/keys`, {
    method: 'POST',
    headers: { authorization: `Bearer ${server.firstRun.keys.live}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'A key', mode: 'test', ...fields }),
  });
  return ((await response.json()) as { key: string }).key;
}

const boat = { model: 'sandbox-t2v', prompt: 'A paper boat', seconds: 1, size: '640x360' };

describe('the tools for agents', () => {
  it('are listed with their inputs', async () => {
    const client = await connect(server.firstRun.keys.test);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'find_models',
      'quote_video',
      'create_video',
      'get_video',
      'list_videos',
      'cancel_video',
      'speak',
      'transcribe',
      'read_credits',
    ]);
    const create = tools.find(({ name }) => name === 'create_video');
    expect(create?.inputSchema.required).toEqual(['model', 'prompt']);
    expect(Object.keys(create?.inputSchema.properties ?? {})).toContain('image_url');
    expect(Object.keys(create?.inputSchema.properties ?? {})).toContain('webhook');
    expect(client.getInstructions()).toContain('find_models');
  });

  it('find a model, quote, make, wait for and list a video', { timeout: 120_000 }, async () => {
    const client = await connect(server.firstRun.keys.test);
    const found = await call(client, 'find_models', { type: 'video', search: 'SANDBOX t2v' });
    expect((found.value.models as { id: string }[]).map(({ id }) => id)).toEqual(['sandbox-t2v']);
    const quote = await call(client, 'quote_video', { ...boat, prompt: undefined });
    expect(quote.value).toMatchObject({ object: 'quote', model: 'sandbox-t2v', total: '0.01' });

    const made = await call(client, 'create_video', { ...boat, seed: null, negative_prompt: '' });
    expect(made.value).toMatchObject({ object: 'video', status: 'queued', mode: 'test' });
    let video = made.value;
    for (let look = 0; look < 10 && video.status !== 'completed'; look += 1)
      video = (await call(client, 'get_video', { id: made.value.id, wait_seconds: 10 })).value;
    expect(video).toMatchObject({ status: 'completed', video_url: expect.stringContaining('/content') as string });
    const list = await call(client, 'list_videos', { limit: 1 });
    expect((list.value.data as { id: string }[])[0]?.id).toBe(made.value.id);
    const credits = await call(client, 'read_credits');
    expect(JSON.parse(credits.content[0]?.text ?? '')).toEqual(credits.value);
    expect(credits.value).toMatchObject({ object: 'credits', mode: 'test', spent: '0.01' });
  });

  it('name the fields of a video that had no effect', { timeout: 60_000 }, async () => {
    const client = await connect(server.firstRun.keys.test);
    const made = await call(client, 'create_video', { ...boat, fps: 30, mood: 'calm' });
    expect(made.error).toBeUndefined();
    expect(made.value.ignored_params).toEqual(expect.arrayContaining(['mood']));
    expect((await call(client, 'create_video', boat)).value).not.toHaveProperty('ignored_params');
    const quote = await call(client, 'quote_video', { ...boat, mood: 'calm' });
    expect(quote.value).toMatchObject({ total: '0.01', ignored_params: ['mood'] });
    expect((await call(client, 'quote_video', boat)).value).not.toHaveProperty('ignored_params');
  });

  it('take a webhook, under the rules of the API', { timeout: 60_000 }, async () => {
    const client = await connect(server.firstRun.keys.test);
    const { error } = await call(client, 'create_video', { ...boat, webhook: 'ftp://example.com' });
    expect(error).toMatch(/^webhook .*\(url_not_allowed\)$/s);
  });

  it('cancel a video', { timeout: 60_000 }, async () => {
    const client = await connect(server.firstRun.keys.test);
    const { value } = await call(client, 'create_video', { ...boat, prompt: 'A boat [[hang]]' });
    expect((await call(client, 'cancel_video', { id: value.id })).error).toBeUndefined();
  });

  it('speak a text, and transcribe what was spoken', { timeout: 180_000 }, async () => {
    const client = await connect(server.firstRun.keys.test);
    const spoken = await call(client, 'speak', {
      model: 'sandbox-tts',
      voice: 'rms',
      input: 'I would like to walk in the park with my dog.',
    });
    expect(spoken.error).toBeUndefined();
    const [{ type, mimeType, data = '' } = { type: '' }] = spoken.content;
    expect([type, mimeType]).toEqual(['audio', 'audio/wav']);
    const heard = await call(client, 'transcribe', { model: 'sandbox-stt', audio: data, language: 'en' });
    expect(heard.error).toBeUndefined();
    expect(String(heard.value.text)).toMatch(/park|dog/i);
    expect(heard.value.duration_seconds).toBeGreaterThan(1);
  });
});

describe('what a tool may not do', () => {
  it('is reported to the model in the sentences of the API', async () => {
    const client = await connect(server.firstRun.keys.test);
    const size = await call(client, 'create_video', { ...boat, size: '1x1' });
    expect(size.error).toMatch(/^size .*\(\w+\)$/s);
    for (const id of ['video_00000000000000000000000000000000', 'the newest video', '../credits', 'a\nb', '']) {
      expect((await call(client, 'get_video', { id })).error, id).toMatch(/\(video_not_found\)$/);
      expect((await call(client, 'cancel_video', { id })).error, id).toMatch(/\(video_not_found\)$/);
    }
    expect((await call(client, 'create_video', { prompt: 'A boat' })).error).toMatch(/model/);
    expect((await call(client, 'transcribe', { model: 'sandbox-stt', audio: 'AAAA' })).error).toMatch(/WAV file/);
    expect((await call(client, 'speak', { model: 'sandbox-tts', voice: 'no-one', input: 'Hi' })).error).toMatch(
      /voice/,
    );
  });

  it('depends on the policy of the key: models, endpoints, scope', async () => {
    const narrow = await connect(await makeKey({ allowed_models: ['sandbox-i2v'], allowed_endpoints: ['/v1/videos'] }));
    expect((await call(narrow, 'create_video', boat)).error).toMatch(/\(model_not_allowed\)$/);
    expect((await call(narrow, 'read_credits')).error).toMatch(/\(endpoint_not_allowed\)$/);
    const speech = { model: 'sandbox-tts', voice: 'rms', input: 'Hi' };
    expect((await call(narrow, 'speak', speech)).error).toMatch(/\(endpoint_not_allowed\)$/);
    expect((await call(narrow, 'list_videos')).error).toBeUndefined();
  });

  it('has the code of the API in the tools for speech too', { timeout: 60_000 }, async () => {
    const speech = { model: 'sandbox-tts', voice: 'rms', input: 'Hi' };
    const sound = {
      model: 'sandbox-stt',
      audio: Buffer.from(wavFile(new Int16Array(1_600), 16_000)).toString('base64'),
    };
    const narrow = await connect(await makeKey({ allowed_models: ['sandbox-t2v'] }));
    expect((await call(narrow, 'speak', speech)).error).toMatch(/\(model_not_allowed\)$/);
    expect((await call(narrow, 'transcribe', sound)).error).toMatch(/\(model_not_allowed\)$/);
    const poor = await connect(await makeKey({ limit: { amount: '0.000001', period: 'total' } }));
    expect((await call(poor, 'speak', speech)).error).toMatch(/\(key_limit_exceeded\)$/);
    expect((await call(poor, 'transcribe', sound)).error).toMatch(/\(key_limit_exceeded\)$/);
    expect((await call(poor, 'speak', { ...speech, model: 'none' })).error).toMatch(/\(model_not_found\)$/);
  });

  it('depends on the scenario of the header too', { timeout: 60_000 }, async () => {
    const refusing = await connect(server.firstRun.keys.test, { 'x-test-scenario': 'moderated-input' });
    const spoken = await call(refusing, 'speak', { model: 'sandbox-tts', voice: 'rms', input: 'Hi' });
    expect(spoken.error).toMatch(/\(content_policy_violation\)$/);
    const odd = await connect(server.firstRun.keys.test, { 'x-test-scenario': 'odd' });
    const audio = Buffer.from(wavFile(new Int16Array(1_600), 16_000)).toString('base64');
    expect((await call(odd, 'transcribe', { model: 'sandbox-stt', audio })).error).toMatch(
      /scenario.*\(unsupported_value\)$/,
    );
  });

  it('includes what is not a message of the protocol, which is not to be sent again', async () => {
    const headers = {
      authorization: `Bearer ${server.firstRun.keys.test}`,
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
    };
    const send = async (body: string, more: Record<string, string> = {}) => {
      const response = await fetch(`${baseUrl}/mcp`, { method: 'POST', headers: { ...headers, ...more }, body });
      return [response.status, response.headers.get('x-should-retry')];
    };
    const ping = '{"jsonrpc": "2.0", "id": 1, "method": "ping"}';
    expect(await send('{}')).toEqual([400, 'false']);
    expect(await send('{')).toEqual([400, 'false']);
    expect(await send(ping, { accept: 'application/json' })).toEqual([406, 'false']);
    expect(await send(ping, { 'content-type': 'text/plain' })).toEqual([415, 'false']);
    expect(await send(ping)).toEqual([200, null]);
  });

  it('includes the quote of a model that makes no videos, which names its own endpoint', async () => {
    const client = await connect(server.firstRun.keys.test);
    expect((await call(client, 'quote_video', { model: 'sandbox-text' })).error).toBe(
      'sandbox-text is a text model. Use it with POST /v1/messages, or name a video model here. (model_not_supported)',
    );
  });

  it('includes to connect without a valid key', async () => {
    await expect(connect('pb_test_wrong')).rejects.toThrow();
    const response = await fetch(`${baseUrl}/mcp`, { method: 'POST', body: '{}' });
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toMatch(/^Bearer/);
    expect((await fetch(`${baseUrl}/mcp`)).status).toBe(405);
  });

  it('is counted against the limits of the key', async () => {
    const key = await makeKey({ limits: { submits_per_minute: 1 } });
    const client = await connect(key);
    expect((await call(client, 'create_video', { ...boat, size: '640x360' })).error).toBeUndefined();
    expect((await call(client, 'create_video', boat)).error).toMatch(/\(rate_limit_exceeded\)$/);
  });
});
