import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startAudioServer, type AudioServer } from '../support/audio-server';

// The traces that a receiver of OpenTelemetry gets from a gateway on real ports.

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SPAN = 'b7ad6b7169203331';
const PROMPT = 'a secret lighthouse in the prompt';

interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly attributes: readonly { readonly key: string; readonly value: Record<string, unknown> }[];
  readonly links?: readonly { readonly traceId: string; readonly spanId: string }[];
  readonly status: { readonly code?: number };
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const bodies: string[] = [];
const collector = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    bodies.push(`${request.url} ${Buffer.concat(parts).toString()}`);
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
});
const webhooks: (string | undefined)[] = [];
const receiver = createServer((request, response) => {
  webhooks.push(request.headers['traceparent'] as string | undefined);
  request.resume().on('end', () => response.end());
});

const spans = () =>
  bodies.flatMap((body) => {
    const sent = JSON.parse(body.slice(body.indexOf(' '))) as {
      resourceSpans: { scopeSpans: { spans: ReceivedSpan[] }[] }[];
    };
    return sent.resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans));
  });
const attributesOf = ({ attributes }: ReceivedSpan) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));

let server: AudioServer;
let unsampledWebhook: string | undefined;
let secrets: string[];

beforeAll(async () => {
  const [endpoint, hook] = [await listen(collector), `${await listen(receiver)}/hook`];
  server = await startAudioServer({
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_SAMPLER_ARG: '0', OUTBOUND_ALLOW: '127.0.0.0/8' },
  });
  const { orgId, keyId } = await server.caller('test');
  secrets = [orgId, keyId, server.firstRun.keys.test, server.firstRun.owner.email, 'lighthouse', '127.0.0.1'];
  const post = (path: string, body: object, traceparent?: string) =>
    fetch(`http://127.0.0.1:${server.port}${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${server.firstRun.keys.test}`,
        'content-type': 'application/json',
        ...(traceparent !== undefined && { traceparent }),
      },
      body: JSON.stringify(body),
    });
  const message = { model: 'sandbox-text', max_tokens: 50, messages: [{ role: 'user', content: PROMPT }] };
  const video = { model: 'sandbox-t2v', prompt: PROMPT, seconds: 3, webhook: hook };
  const sampled = `00-${TRACE}-${SPAN}-01`;
  for (const other of [undefined, `00-${TRACE}-${SPAN}-00`, 'not a traceparent', `00-${'0'.repeat(32)}-${SPAN}-01`])
    await (await post('/v1/messages', message, other)).text();
  await (await post('/v1/videos', video)).text();
  await vi.waitFor(() => expect(webhooks).toHaveLength(1), { timeout: 60_000, interval: 200 });
  [unsampledWebhook] = webhooks;
  await (await post('/v1/messages', { ...message, stream: true }, sampled)).text();
  await (await post('/v1/videos', { model: 'no-such-model', prompt: PROMPT }, sampled)).text();
  await (await post('/v1/videos', video, sampled)).text();
  await vi.waitFor(() => expect(webhooks).toHaveLength(2), { timeout: 60_000, interval: 200 });
  await speak(sampled);
  await speak();
  // Sends the spans that wait.
  await server.close();
}, 180_000);
afterAll(() => {
  collector.close();
  receiver.close();
});

/** Opens a session, speaks a word and closes it. */
async function speak(traceparent?: string): Promise<void> {
  const client = server.speak(traceparent === undefined ? {} : { headers: { traceparent } });
  client.send({ type: 'tts', model: 'sandbox-tts', voice: 'slt', input: 'boat' });
  await client.next(({ type }) => type === 'done');
  client.socket.close();
  await client.closed;
}

describe('traces', () => {
  it('have a span of each sampled request and session, below that of the caller, with its route and status', () => {
    const requests = spans().filter(({ name }) => name === 'request');
    expect(requests.map(({ traceId, parentSpanId }) => [traceId, parentSpanId])).toEqual(
      Array.from({ length: 4 }, () => [TRACE, SPAN]),
    );
    expect(requests.map(attributesOf)).toEqual([
      { 'http.request.method': 'POST', 'http.route': '/v1/messages', 'http.response.status_code': 200 },
      { 'http.request.method': 'POST', 'http.route': '/v1/videos', 'http.response.status_code': 404 },
      { 'http.request.method': 'POST', 'http.route': '/v1/videos', 'http.response.status_code': 202 },
      { 'http.route': '/v1/audio/speech/ws' },
    ]);
  });

  it('have a span of the call of a provider below the request or the session', () => {
    const requests = spans().filter(({ name }) => name === 'request');
    const calls = spans().filter(({ name, traceId }) => name === 'provider call' && traceId === TRACE);
    expect(calls.map(({ parentSpanId }) => parentSpanId)).toEqual([requests[0]!.spanId, requests[3]!.spanId]);
    expect(calls.map(attributesOf)).toEqual(
      ['messages', 'tts'].map((capability) => ({
        'patchbay.provider': 'sandbox',
        'patchbay.capability': capability,
      })),
    );
  });

  it('have a span of each run of a job, in a trace of its own that links to the request', () => {
    const submit = spans()
      .filter(({ name }) => name === 'request')
      .at(-2)!;
    const jobs = spans().filter(({ name }) => name.startsWith('job '));
    expect(new Set(jobs.map(({ name }) => name))).toEqual(
      new Set(['job video.start', 'job video.check', 'job webhook.deliver']),
    );
    for (const { name, traceId, links } of jobs) {
      expect(traceId, name).not.toBe(TRACE);
      expect(links, name).toMatchObject([{ traceId: TRACE, spanId: submit.spanId }]);
    }
    const start = jobs.find(({ name }) => name === 'job video.start')!;
    const call = spans().find(({ parentSpanId }) => parentSpanId === start.spanId)!;
    expect(attributesOf(call)).toEqual({ 'patchbay.provider': 'sandbox', 'patchbay.capability': 'video' });
  });

  it('go on in the receiver of the webhook, and only if the request was sampled', () => {
    const [sent] = spans().filter(({ name }) => name === 'webhook');
    expect(webhooks[1]).toBe(`00-${sent!.traceId}-${sent!.spanId}-01`);
    expect(spans().filter(({ name }) => name === 'webhook')).toHaveLength(1);
    expect(unsampledWebhook).toBeUndefined();
  });

  it('are sent to /v1/traces, with nothing of the organisation, the key, the prompt or an address', () => {
    expect(bodies.length).toBeGreaterThan(0);
    for (const body of bodies) {
      expect(body).toMatch(/^\/v1\/traces /);
      for (const secret of secrets) expect(body).not.toContain(secret);
    }
  });
});
