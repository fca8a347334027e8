import type { RequestListener, ServerResponse } from 'node:http';
import { Socket, createServer } from 'node:net';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createOutbound } from '../../../lib/net/safe-fetch';
import { hurriedClock } from '../../support/hurried-clock';
import { recordLog } from '../../support/log';
import { makeOutbound } from '../../support/make-outbound';
import type { Sentinel } from '../../support/sentinel';
import { startSentinel } from '../../support/sentinel';

const loopback = ['127.0.0.0/8'];
const request = { purpose: 'media', maxBytes: 100_000, totalMs: 5_000, redirects: 3 } as const;

const sentinels: Sentinel[] = [];
async function serve(answer?: RequestListener): Promise<Sentinel> {
  const sentinel = await startSentinel(answer);
  sentinels.push(sentinel);
  return sentinel;
}
afterEach(async () => {
  await Promise.all(sentinels.splice(0).map((sentinel) => sentinel.close()));
});

const send =
  (headers: Record<string, string>, body: Buffer | string): RequestListener =>
  (_request, response) =>
    void response.writeHead(200, headers).end(body);
const redirectTo =
  (location: string, status = 302): RequestListener =>
  (_request, response) =>
    void response.writeHead(status, { location }).end();

describe('exemptions', () => {
  it('reach an http URL on an odd port, and report which address answered', async () => {
    const { port, requests } = await serve();
    const answer = await makeOutbound({}, { allow: loopback }).fetch(`http://127.0.0.1:${port}/a%20b?c=d#e`, request);
    expect(answer).toMatchObject({ status: 200, address: '127.0.0.1' });
    expect(requests[0]).toMatchObject({
      method: 'GET',
      url: '/a%20b?c=d',
      headers: { host: `127.0.0.1:${port}`, 'user-agent': 'Patchbay/test', 'accept-encoding': 'identity' },
    });
  });

  it('cover a name by what it resolves to, with the Host header unchanged', async () => {
    const { port, requests } = await serve();
    const outbound = makeOutbound({ 'hooks.example': [['127.0.0.1']] }, { allow: loopback });
    const url = outbound.checkUrl(`http://hooks.example:${port}/`, request);
    await outbound.checkName(url, { purpose: 'media', withinMs: 300 });
    await outbound.fetch(url, request);
    expect(requests[0]?.headers.host).toBe(`hooks.example:${port}`);
  });

  it('cover localhost without a DNS lookup, even if ::1 is not listed', async () => {
    const { port } = await serve();
    const outbound = makeOutbound({}, { allow: loopback });
    expect((await outbound.fetch(`http://localhost:${port}/`, request)).address).toBe('127.0.0.1');
    expect(outbound.lookups).toEqual([]);
  });

  it('cover our own host', async () => {
    const { port } = await serve();
    const outbound = makeOutbound(
      { 'gateway.example': [['127.0.0.1']] },
      { allow: loopback, ownHosts: ['gateway.example'] },
    );
    expect((await outbound.fetch(`http://gateway.example:${port}/`, request)).status).toBe(200);
  });

  it.each([
    [
      'http://10.0.0.1/',
      'does not lead to a public address. Use a URL that can be reached from the internet, or have the operator permit this address with OUTBOUND_ALLOW.',
    ],
    ['http://private.example/', 'does not lead to a public address'],
    ['http://public.example/', 'must start with https://'],
    ['https://public.example:9999/', 'may use port 80, 443, 8080, or 8443; got 9999'],
    ['https://gateway.example/', 'leads back to this service'],
    ['https://half.example/', 'does not lead to a public address'],
    ['http://exempt-and-public.example/', 'must start with https://'],
  ])('do not cover %s', async (url, sentence) => {
    const names = {
      'private.example': [['10.0.0.1']],
      'public.example': [['93.184.215.14']],
      'gateway.example': [['93.184.215.14']],
      'half.example': [['127.0.0.1', '10.0.0.1']],
      'exempt-and-public.example': [['127.0.0.1', '93.184.215.14']],
    };
    await expect(
      makeOutbound(names, { allow: loopback, ownHosts: ['gateway.example'] }).fetch(url, request),
    ).rejects.toThrow(sentence);
  });
});

describe('a name', () => {
  it('that was public at submission and is private now is never connected to', async () => {
    const { port, connections } = await serve();
    const outbound = makeOutbound({ 'flips.example': [['93.184.215.14'], ['127.0.0.1']] }, { ports: [port] });
    const url = outbound.checkUrl(`https://flips.example:${port}/`, request);
    await outbound.checkName(url, { purpose: 'webhook', withinMs: 300 });
    await expect(outbound.fetch(url, request)).rejects.toMatchObject({ code: 'url_not_allowed' });
    expect(connections()).toBe(0);
  });

  it('is resolved once for a request, so that a second answer has no effect', async () => {
    const { port } = await serve();
    const outbound = makeOutbound({ 'flips.example': [['127.0.0.1'], ['10.0.0.1']] }, { allow: loopback });
    expect((await outbound.fetch(`http://flips.example:${port}/`, request)).status).toBe(200);
    expect(outbound.lookups).toEqual(['flips.example']);
  });

  it('is checked again for the next request, which finds no connection to reuse', async () => {
    const { port, connections } = await serve();
    const outbound = makeOutbound({ 'flips.example': [['127.0.0.1'], ['10.0.0.1']] }, { allow: loopback });
    await outbound.fetch(`http://flips.example:${port}/`, request);
    await expect(outbound.fetch(`http://flips.example:${port}/`, request)).rejects.toMatchObject({
      code: 'url_not_allowed',
    });
    expect(connections()).toBe(1);
  });

  it('is sent in the TLS handshake, although the connection goes to the checked address', async () => {
    let greeting = Buffer.alloc(0);
    const server = createServer((socket) =>
      socket
        .on('error', () => {})
        .once('data', (bytes) => {
          greeting = bytes;
          socket.destroy();
        }),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : 0;
    await expect(
      makeOutbound({ 'hooks.example': [['127.0.0.1']] }, { allow: loopback }).fetch(
        `https://hooks.example:${port}/`,
        request,
      ),
    ).rejects.toMatchObject({ reason: 'reset' });
    expect(greeting.includes('hooks.example')).toBe(true);
    server.close();
  });

  it('that does not resolve is accepted at submission and unreachable later', async () => {
    const outbound = makeOutbound();
    const url = outbound.checkUrl('https://nowhere.example/', request);
    await outbound.checkName(url, { purpose: 'media', withinMs: 300 });
    await expect(outbound.fetch(url, request)).rejects.toMatchObject({ code: 'media_unreachable', reason: 'dns' });
  });

  it('whose resolver is silent delays a submission for no longer than allowed', async () => {
    let stopped = false;
    const outbound = createOutbound({
      allow: [],
      userAgent: 'Patchbay/test',
      log: recordLog(),
      clock: hurriedClock(10),
      lookup: (_host, signal) => new Promise(() => signal.addEventListener('abort', () => void (stopped = true))),
    });
    await outbound.checkName(new URL('https://silent.example/'), { purpose: 'media', withinMs: 300 });
    expect(stopped).toBe(true);
    await expect(outbound.fetch('https://silent.example/', request)).rejects.toMatchObject({ reason: 'dns' });
  });
});

describe('redirects', () => {
  it('are followed, at most three of them, including relative ones', async () => {
    const { port, requests } = await serve((incoming, response) => {
      const step = Number(incoming.url?.slice(1));
      if (step < 3) redirectTo(String(step + 1), step === 1 ? 307 : 302)(incoming, response);
      else response.end('there');
    });
    const answer = await makeOutbound({}, { allow: loopback }).fetch(`http://127.0.0.1:${port}/0`, request);
    expect(answer.body.toString()).toBe('there');
    expect(answer.url.pathname).toBe('/3');
    expect(requests).toHaveLength(4);
  });

  it('beyond the third are an error', async () => {
    const { port, requests } = await serve(redirectTo('/again'));
    await expect(
      makeOutbound({}, { allow: loopback }).fetch(`http://127.0.0.1:${port}/`, request),
    ).rejects.toMatchObject({ code: 'media_unreachable', reason: 'redirect' });
    expect(requests).toHaveLength(4);
  });

  // 127.0.0.1 alone is exempt and stands for public addresses; the rest of loopback stands for private ones.
  it.each([
    'http://127.0.0.2:PORT/',
    'http://127.2:PORT/',
    '//2130706434:PORT/',
    'http://[::1]:PORT/',
    'http://169.254.169.254/latest/meta-data/',
    'https://private.example:PORT/',
    'https://mixed.example:PORT/',
    'http://public.example/',
    'https://a:b@outside.example/',
    'file:///etc/passwd',
    'http://',
  ])('to %s are refused before anything is sent', async (location) => {
    const { port } = await serve((incoming, response) =>
      redirectTo(location.replace('PORT', String(port)))(incoming, response),
    );
    const names = {
      'outside.example': [['127.0.0.1']],
      'private.example': [['10.0.0.1']],
      'mixed.example': [['127.0.0.1', '10.0.0.1']],
      'public.example': [['93.184.215.14']],
    };
    const outbound = makeOutbound(names, { allow: ['127.0.0.1/32'] });
    const connect = vi.spyOn(Socket.prototype, 'connect');
    await expect(outbound.fetch(`http://outside.example:${port}/`, request)).rejects.toMatchObject({
      code: 'url_not_allowed',
    });
    expect(connect).toHaveBeenCalledTimes(1);
  });

  it('are returned as the answer when none may be followed', async () => {
    const inside = await serve();
    const { port } = await serve(redirectTo(`http://127.0.0.1:${inside.port}/`));
    const answer = await makeOutbound({}, { allow: loopback }).fetch(`http://127.0.0.1:${port}/`, {
      ...request,
      redirects: 0,
    });
    expect(answer.status).toBe(302);
    expect(inside.connections()).toBe(0);
  });

  it('drop the headers of the first request', async () => {
    const { port, requests } = await serve((incoming, response) =>
      incoming.url === '/' ? redirectTo('/next')(incoming, response) : void response.end(),
    );
    await makeOutbound({}, { allow: loopback }).fetch(`http://127.0.0.1:${port}/`, {
      ...request,
      headers: { authorization: 'Bearer word', cookie: 'a=b' },
    });
    expect(requests.map((seen) => [seen.headers.authorization, seen.headers.cookie])).toEqual([
      ['Bearer word', 'a=b'],
      [undefined, undefined],
    ]);
  });
});

describe('answers', () => {
  const zeros = Buffer.alloc(20_000_000);
  const get = async (
    answer: RequestListener,
    overrides: { maxBytes?: number; totalMs?: number; whenLonger?: 'cut' } = {},
  ) => {
    const { port } = await serve(answer);
    return makeOutbound({}, { allow: loopback }).fetch(`http://127.0.0.1:${port}/`, { ...request, ...overrides });
  };

  it('are decoded once', async () => {
    expect((await get(send({ 'content-encoding': 'gzip' }, gzipSync('words')))).body.toString()).toBe('words');
    expect((await get(send({ 'content-encoding': 'BR' }, brotliCompressSync('words')))).body.toString()).toBe('words');
  });

  it('that fit exactly are complete', async () => {
    expect((await get(send({}, Buffer.alloc(1_000)), { maxBytes: 1_000 })).body).toHaveLength(1_000);
    await expect(get(send({}, Buffer.alloc(1_001)), { maxBytes: 1_000 })).rejects.toMatchObject({
      code: 'media_too_large',
    });
  });

  it('of gzip and brotli are measured decoded', async () => {
    for (const [encoding, body] of [
      ['gzip', gzipSync(zeros)],
      ['br', brotliCompressSync(zeros)],
    ] as const) {
      expect(body.length).toBeLessThan(request.maxBytes);
      await expect(get(send({ 'content-encoding': encoding }, body))).rejects.toMatchObject({
        code: 'media_too_large',
      });
    }
  });

  it('with gzip inside gzip are decoded once only, and refused when both are declared', async () => {
    const twice = gzipSync(gzipSync(zeros));
    expect((await get(send({ 'content-encoding': 'gzip' }, twice))).body).toEqual(gzipSync(zeros));
    await expect(get(send({ 'content-encoding': 'gzip, gzip' }, twice))).rejects.toMatchObject({
      code: 'media_invalid',
      reason: 'encoding',
    });
  });

  it('in an unknown encoding, or not in the declared one, are refused', async () => {
    await expect(get(send({ 'content-encoding': 'zstd' }, 'words'))).rejects.toMatchObject({ code: 'media_invalid' });
    await expect(get(send({ 'content-encoding': 'constructor' }, 'words'))).rejects.toMatchObject({
      code: 'media_invalid',
    });
    await expect(get(send({ 'content-encoding': 'gzip' }, 'words'))).rejects.toMatchObject({ code: 'media_invalid' });
  });

  it('that declare 5 GB are refused by their Content-Length', async () => {
    const stalled = (_request: unknown, response: ServerResponse) =>
      void response.writeHead(200, { 'content-length': '5000000000' }).flushHeaders();
    await expect(get(stalled)).rejects.toMatchObject({ code: 'media_too_large' });
  });

  it('without an end are cut off, and the sender is disconnected', async () => {
    let closed: () => void = () => {};
    const noticed = new Promise<void>((resolve) => (closed = resolve));
    const endless: RequestListener = (_request, response) => {
      response.on('close', closed);
      const chunk = Buffer.alloc(10_000);
      const more = () => {
        while (!response.destroyed && response.write(chunk));
      };
      response.on('drain', more);
      more();
    };
    await expect(get(endless)).rejects.toMatchObject({ code: 'media_too_large' });
    await noticed;
  });

  it('of one byte now and then end at the total deadline', async () => {
    const drip: RequestListener = (_request, response) => {
      const timer = setInterval(() => response.write('x'), 20);
      response.on('close', () => clearInterval(timer));
    };
    const startedAt = performance.now();
    await expect(get(drip, { totalMs: 200 })).rejects.toMatchObject({ code: 'media_unreachable', reason: 'timeout' });
    expect(performance.now() - startedAt).toBeLessThan(10_000);
  });

  it('that never begin end at the total deadline', async () => {
    await expect(get(() => {}, { totalMs: 100 })).rejects.toMatchObject({ reason: 'timeout' });
  });

  it('that break off are incomplete, or what came so far if that is enough', async () => {
    const broken: RequestListener = (_request, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('begun', () => void setImmediate(() => response.destroy()));
    };
    await expect(get(broken)).rejects.toMatchObject({ code: 'media_unreachable', reason: 'reset' });
    expect((await get(broken, { whenLonger: 'cut' })).body.toString()).toBe('begun');
  });

  it('that are not HTTP have an error of their own', async () => {
    const server = createServer((socket) => void socket.on('error', () => {}).end('220 mail.example ESMTP\r\n'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : 0;
    await expect(
      makeOutbound({}, { allow: loopback }).fetch(`http://127.0.0.1:${port}/`, request),
    ).rejects.toMatchObject({ reason: 'protocol' });
    server.close();
  });
});

describe('failures', () => {
  it('of the connection name no address in their message', async () => {
    const { port } = await startSentinel().then(async (sentinel) => (await sentinel.close(), sentinel));
    const failing = makeOutbound({ 'hooks.example': [['127.0.0.1']] }, { allow: loopback }).fetch(
      `http://hooks.example:${port}/`,
      { ...request, param: 'image_url' },
    );
    await expect(failing).rejects.toMatchObject({
      code: 'media_unreachable',
      reason: 'refused',
      address: '127.0.0.1',
      extra: { param: 'image_url' },
      message: 'image_url refused the connection. Check that the server is running.',
    });
  });

  it('of TLS have an error of their own', async () => {
    const { port } = await serve();
    await expect(
      makeOutbound({}, { allow: loopback }).fetch(`https://127.0.0.1:${port}/`, request),
    ).rejects.toMatchObject({ reason: 'tls' });
  });

  it('are logged by host, never with path or query', async () => {
    const outbound = makeOutbound({ 'private.example': [['10.0.0.1']] });
    await expect(outbound.fetch('https://private.example/path?token=word', request)).rejects.toThrow();
    expect(outbound.log.lines).toEqual([
      {
        level: 'warn',
        message: 'request to a customer URL failed',
        fields: { code: 'not_allowed', host: 'private.example' },
      },
    ]);
  });

  it('after an abort are the reason of the abort', async () => {
    const { port } = await serve(() => {});
    const controller = new AbortController();
    const outbound = makeOutbound({}, { allow: loopback });
    const pending = outbound.fetch(`http://127.0.0.1:${port}/`, { ...request, signal: controller.signal });
    controller.abort(new Error('the caller disconnected'));
    await expect(pending).rejects.toThrow('the caller disconnected');
    expect(outbound.log.lines).toEqual([]);
  });

  it('end running requests when the outbound is closed, and every later one', async () => {
    const outbound = makeOutbound({}, { allow: loopback });
    const { port, connections } = await serve(() => void outbound.close());
    await expect(outbound.fetch(`http://127.0.0.1:${port}/`, request)).rejects.toMatchObject({ reason: 'reset' });
    await expect(outbound.fetch(`http://127.0.0.1:${port}/`, request)).rejects.toMatchObject({ reason: 'reset' });
    expect(connections()).toBe(1);
  });
});
