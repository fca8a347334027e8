import type { RequestListener } from 'node:http';
import { Socket } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Clock } from '../../../lib/domain/clock';
import { systemClock } from '../../../lib/domain/clock';
import { postWebhook } from '../../../lib/webhooks/post-webhook';
import { newWebhookSecret } from '../../../lib/accounts/webhook-secret';
import { hurriedClock } from '../../support/hurried-clock';
import { makeOutbound } from '../../support/make-outbound';
import type { Sentinel } from '../../support/sentinel';
import { startSentinel } from '../../support/sentinel';

const sentinels: Sentinel[] = [];
async function serve(answer?: RequestListener): Promise<Sentinel> {
  const sentinel = await startSentinel(answer);
  sentinels.push(sentinel);
  return sentinel;
}
afterEach(async () => {
  await Promise.all(sentinels.splice(0).map((sentinel) => sentinel.close()));
});

const secret = newWebhookSecret();
const parts = {
  id: 'msg_1',
  event: 'video.completed',
  attempt: 3,
  body: '{"id":"video_1","prompt":"ein Käfer 🪲"}',
  secrets: [secret],
};

function post(
  url: string,
  options: { clock?: Clock; names?: Record<string, string[][]>; now?: Date; signal?: AbortSignal } = {},
) {
  const { clock = systemClock, names = {}, now = new Date(), signal } = options;
  const outbound = makeOutbound(names, { allow: ['127.0.0.0/8'], clock });
  return postWebhook(outbound, { ...parts, url, now, ...(signal === undefined ? {} : { signal }) });
}

const answerWith = async (status: number, headers: Record<string, string> = {}, body: Buffer | string = '') => {
  const { port } = await serve((_request, response) => void response.writeHead(status, headers).end(body));
  return `http://127.0.0.1:${port}/hook?token=word`;
};

describe('postWebhook', () => {
  it('sends the body byte for byte, signed so that the official library verifies it', async () => {
    const receiver = await serve((_request, response) => void response.writeHead(204).end());
    const answer = await post(`http://127.0.0.1:${receiver.port}/hook?token=word`);
    expect(answer).toEqual({ outcome: 'delivered', status: 204, address: '127.0.0.1', latencyMs: expect.any(Number) });
    const [seen] = receiver.requests;
    expect(seen).toMatchObject({
      method: 'POST',
      url: '/hook?token=word',
      body: parts.body,
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Patchbay/test',
        'webhook-id': 'msg_1',
        'x-patchbay-event': 'video.completed',
        'x-patchbay-attempt': '3',
      },
    });
    expect(new Webhook(secret).verify(seen?.body ?? '', seen?.headers as Record<string, string>)).toEqual(
      JSON.parse(parts.body),
    );
  });

  it.each([200, 201, 299])('counts %i as delivered', async (status) => {
    expect(await post(await answerWith(status, {}, 'thanks'))).toMatchObject({
      outcome: 'delivered',
      status,
      snippet: 'thanks',
    });
  });

  it.each([400, 401, 404, 500])('counts %i as failed', async (status) => {
    expect(await post(await answerWith(status))).toMatchObject({ outcome: 'failed', status, error: 'status' });
  });

  it('counts 410 as a request to stop', async () => {
    expect(await post(await answerWith(410))).toMatchObject({ outcome: 'gone', status: 410 });
  });

  it('does not follow a redirect', async () => {
    const inside = await serve();
    expect(await post(await answerWith(302, { location: `http://127.0.0.1:${inside.port}/` }))).toMatchObject({
      outcome: 'failed',
      status: 302,
      error: 'redirect',
    });
    expect(inside.connections()).toBe(0);
  });

  it.each([
    [429, '30', 30_000],
    [503, '7200', 3_600_000],
    [503, 'Tue, 01 Jan 2030 00:01:00 GMT', 60_000],
    [503, 'Tue, 01 Jan 2019 00:00:00 GMT', 0],
    [503, 'soon', undefined],
    [500, '30', undefined],
  ])('reads the Retry-After of %i: %s', async (status, text, retryAfterMs) => {
    const answer = await post(await answerWith(status, { 'retry-after': text }), {
      now: new Date('2030-01-01T00:00:00Z'),
    });
    expect(answer.retryAfterMs).toBe(retryAfterMs);
  });

  it('reads little more than 64 KiB of an answer of 10 MB, and keeps 1 KiB of it', async () => {
    const url = await answerWith(200, {}, Buffer.alloc(10_000_000, 'a'));
    const connect = vi.spyOn(Socket.prototype, 'connect');
    expect(await post(url)).toMatchObject({ outcome: 'delivered', snippet: 'a'.repeat(1_024) });
    // Safe: `connect` was called on one socket. The buffers of the socket and the parser come on top of the 64 KiB.
    const socket = connect.mock.contexts[0] as Socket;
    expect(socket.bytesRead).toBeLessThan(4 * 65_536);
  });

  it('keeps only printable characters', async () => {
    const body = Buffer.concat([Buffer.from('a\0b\x1b[31m\r\nÄ 漢\u202e\u2028'), Buffer.from([0xff, 0xfe])]);
    expect((await post(await answerWith(500, {}, body))).snippet).toBe('a?b?[31m?\nÄ 漢????');
    const long = (await post(await answerWith(500, {}, Buffer.alloc(5_000, 0xff)))).snippet ?? '';
    expect(Buffer.byteLength(long)).toBe(1_024);
  });

  it('waits 10 s in all for an answer', async () => {
    const { port } = await serve(() => {});
    const answer = await post(`http://127.0.0.1:${port}/`, { clock: hurriedClock(50) });
    expect(answer).toMatchObject({ outcome: 'failed', error: 'timeout', address: '127.0.0.1' });
    expect(answer.latencyMs).toBeGreaterThanOrEqual(190);
  });

  it('counts a 200 whose body never ends as delivered', async () => {
    const { port } = await serve((_request, response) => void response.writeHead(200).write('begun'));
    expect(await post(`http://127.0.0.1:${port}/`, { clock: hurriedClock(50) })).toMatchObject({
      outcome: 'delivered',
      snippet: 'begun',
    });
  });

  it.each([
    ['not_allowed', 'https://10.0.0.1/'],
    ['not_allowed', 'https://private.example/'],
    ['not_allowed', 'not a URL'],
    ['dns', 'https://nowhere.example/'],
    ['refused', 'http://127.0.0.1:1/'],
  ])('fails with %s for %s', async (error, url) => {
    const answer = await post(url, { names: { 'private.example': [['10.0.0.1']] } });
    expect(answer).toMatchObject({ outcome: 'failed', error });
    expect(answer.status).toBeUndefined();
    expect(answer.address).toBe(error === 'refused' ? '127.0.0.1' : undefined);
  });

  it('rejects when the process stops, so that the attempt does not count', async () => {
    const { port } = await serve(() => {});
    const controller = new AbortController();
    const pending = post(`http://127.0.0.1:${port}/`, { signal: controller.signal });
    controller.abort(new Error('stopping'));
    await expect(pending).rejects.toThrow('stopping');
  });
});
