import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startMetricsServer, type MetricsServer } from '../../server/metrics-server';
import { startAudioServer, type AudioServer } from '../support/audio-server';
import { promtool, promtoolMissing } from '../support/promtool';
import { makeSound } from '../support/upstreams/script';

// What /metrics says of a gateway on real ports after real traffic: messages, a video, and speech in both directions.

const PROMPT = 'a secret lighthouse in the prompt';
let server: AudioServer;
let metrics: MetricsServer;
let text: string;
const receiver = createServer((request, response) => request.resume().on('end', () => response.end()));

const scrape = async () => (await fetch(`http://127.0.0.1:${metrics.port}/metrics`)).text();

/** The sum of the series of a metric whose labels include these. */
function sumOf(name: string, labels: Readonly<Record<string, string>> = {}, from = text): number {
  const wanted = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
  return from
    .split('\n')
    .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
    .filter((line) => wanted.every((label) => line.includes(label)))
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0);
}

beforeAll(async () => {
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  server = await startAudioServer({ env: { METRICS_PORT: '0', OUTBOUND_ALLOW: '127.0.0.0/8' } });
  metrics = await startMetricsServer({ port: 0, host: '127.0.0.1' }, () => server.prometheus!.registry.metrics());
  await sendTraffic();
  // The charge of a message and the end of a session follow their last bytes.
  await vi.waitFor(
    async () => {
      text = await scrape();
      expect([
        sumOf('patchbay_messages_total'),
        sumOf('patchbay_audio_total'),
        sumOf('patchbay_audio_sessions'),
        sumOf('patchbay_jobs_total', { kind: 'webhook.deliver' }),
        sumOf('patchbay_jobs_waiting') + sumOf('patchbay_jobs_running'),
        sumOf('patchbay_open_holds'),
      ]).toEqual([3, 2, 0, 1, 0, 0]);
    },
    { timeout: 30_000, interval: 500 },
  );
}, 120_000);
afterAll(async () => {
  await metrics.close();
  await server.close();
  receiver.close();
});

async function sendTraffic(): Promise<void> {
  const baseUrl = `http://127.0.0.1:${server.port}`;
  const { test: key } = server.firstRun.keys;
  const post = (path: string, body: object, headers = {}) =>
    fetch(baseUrl + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  const message = { model: 'sandbox-text', max_tokens: 50, messages: [{ role: 'user', content: PROMPT }] };
  await (await post('/v1/messages', message)).text();
  await (await post('/v1/messages', { ...message, stream: true })).text();
  const refused = await post('/v1/messages', message, { 'x-test-scenario': 'ratelimit:5' });
  expect(refused.status).toBe(429);
  await refused.text();
  await (await post('/v1/nothing', {})).text();

  const submitted = await post('/v1/videos', {
    model: 'sandbox-t2v',
    prompt: PROMPT,
    seconds: 3,
    webhook: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`,
  });
  expect(submitted.status).toBe(202);
  const { id } = (await submitted.json()) as { id: string };
  const video = async () =>
    (await (await fetch(`${baseUrl}/v1/videos/${id}`, { headers: { authorization: `Bearer ${key}` } })).json()) as {
      status: string;
    };
  await vi.waitFor(async () => expect((await video()).status).toBe('completed'), { timeout: 60_000, interval: 500 });

  const speaking = server.speak();
  speaking.send({ type: 'tts', model: 'sandbox-tts', input: 'Hello there.', voice: 'rms' });
  await speaking.next(({ type }) => type === 'done');
  expect(sumOf('patchbay_audio_sessions', { kind: 'speech' }, await scrape())).toBe(1);
  speaking.socket.close();
  await speaking.closed;

  const listening = server.transcribe();
  listening.send({ type: 'configure', model: 'sandbox-stt', language: 'en' });
  await listening.next(({ type }) => type === 'session_started');
  listening.send(makeSound(2));
  listening.send({ type: 'stop' });
  await listening.closed;
}

describe('/metrics', () => {
  it('counts answered requests by route, method and status', () => {
    const messages = { route: '/v1/messages', method: 'POST' };
    expect(sumOf('patchbay_http_requests_total', { ...messages, status: '200' })).toBe(2);
    expect(sumOf('patchbay_http_requests_total', { ...messages, status: '429' })).toBe(1);
    expect(sumOf('patchbay_http_requests_total', { route: 'unknown', status: '404' })).toBe(1);
    expect(sumOf('patchbay_http_request_duration_seconds_count', messages)).toBe(3);
  });

  it('counts messages, their tokens and their first tokens, and the calls of providers', () => {
    expect(sumOf('patchbay_messages_total', { model: 'sandbox-text', provider: 'sandbox', result: 'completed' })).toBe(
      2,
    );
    expect(sumOf('patchbay_messages_total', { provider: 'none', result: 'rate_limit_exceeded' })).toBe(1);
    expect(sumOf('patchbay_tokens_total', { kind: 'input' })).toBeGreaterThan(0);
    expect(sumOf('patchbay_tokens_total', { kind: 'output' })).toBeGreaterThan(0);
    expect(sumOf('patchbay_message_first_token_seconds_count', { model: 'sandbox-text' })).toBeGreaterThan(0);
    expect(
      sumOf('patchbay_provider_attempts_total', { capability: 'messages', provider: 'sandbox', result: 'ok' }),
    ).toBe(2);
    expect(
      sumOf('patchbay_provider_attempts_total', { capability: 'messages', result: 'rate_limit_exceeded' }),
    ).toBeGreaterThan(0);
    for (const capability of ['video', 'stt', 'tts'])
      expect(sumOf('patchbay_provider_attempt_duration_seconds_count', { capability }), capability).toBe(1);
  });

  it('counts the video with its length, its jobs and its webhook', () => {
    expect(sumOf('patchbay_videos_submitted_total', { model: 'sandbox-t2v', mode: 'test' })).toBe(1);
    const made = { model: 'sandbox-t2v', provider: 'sandbox', mode: 'test' };
    expect(sumOf('patchbay_videos_total', { ...made, result: 'completed' })).toBe(1);
    expect(sumOf('patchbay_video_seconds_total', made)).toBe(3);
    expect(sumOf('patchbay_video_duration_seconds_count', { provider: 'sandbox' })).toBe(1);
    expect(sumOf('patchbay_jobs_total', { kind: 'video.start', result: 'done' })).toBe(1);
    expect(sumOf('patchbay_jobs_total', { kind: 'video.check', result: 'done' })).toBe(1);
    expect(sumOf('patchbay_webhook_attempts_total', { result: 'delivered' })).toBe(1);
  });

  it('counts both sessions of speech with their amounts and their first results', () => {
    expect(sumOf('patchbay_audio_total', { kind: 'speech', model: 'sandbox-tts', provider: 'sandbox' })).toBe(1);
    expect(sumOf('patchbay_speech_characters_total', { model: 'sandbox-tts' })).toBe('Hello there.'.length);
    expect(sumOf('patchbay_audio_first_result_seconds_count', { kind: 'speech' })).toBe(1);
    expect(sumOf('patchbay_audio_total', { kind: 'transcription', model: 'sandbox-stt' })).toBe(1);
    expect(sumOf('patchbay_audio_seconds_total', { model: 'sandbox-stt' })).toBeGreaterThan(1.9);
  });

  it('shows the pools, the event loop and the memory', () => {
    expect(sumOf('patchbay_database_connections_max', { pool: 'all' })).toBeGreaterThan(0);
    expect(sumOf('patchbay_ready')).toBe(1);
    expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds \d/m);
    expect(text).toMatch(/^process_resident_memory_bytes \d/m);
  });

  it('has nothing of the organisation, the key, the prompt or an address in it', async () => {
    const { orgId, keyId } = await server.caller('test');
    for (const secret of [
      orgId,
      keyId,
      server.firstRun.keys.test,
      server.firstRun.owner.email,
      PROMPT,
      'lighthouse',
      '127.0.0.1',
    ])
      expect(text).not.toContain(secret);
    expect(text).not.toMatch(/(?:org|key|video|req|session|hold|meter|cred)_[0-9A-Za-z]{20}/);
  });

  it('is well-formed and named as Prometheus recommends', ({ skip }) => {
    if (promtoolMissing !== undefined) return skip(promtoolMissing);
    const { output } = promtool(['check', 'metrics'], text);
    expect(output).not.toContain('error');
    // The names of the others are those of prom-client.
    expect(output.split('\n').filter((line) => line.startsWith('patchbay_'))).toEqual([]);
  });

  it('is the only path of its port, and only for reading', async () => {
    const at = `http://127.0.0.1:${metrics.port}`;
    expect((await fetch(`${at}/`)).status).toBe(404);
    expect((await fetch(`${at}/v1/models`)).status).toBe(404);
    const posted = await fetch(`${at}/metrics`, { method: 'POST' });
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    const head = await fetch(`${at}/metrics`, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-type')]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8']);
  });
});
