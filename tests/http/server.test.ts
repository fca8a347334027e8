import { once } from 'node:events';
import { request as httpsRequest } from 'node:https';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { createConnection, type AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { Agent, request } from 'undici';
import { afterEach, describe, expect, it } from 'vitest';
import type { GatewayError } from '../../lib/domain/errors';
import { createNodeContext } from '../../server/node-context';
import { createTestClock } from '../support/clock';
import { DONE, fileContent, startEdge, type RunningEdge } from '../support/edge';
import { certificate } from '../support/certificate';

const open: RunningEdge[] = [];
async function start(...args: Parameters<typeof startEdge>): Promise<RunningEdge> {
  const edge = await startEdge(...args);
  open.push(edge);
  return edge;
}
afterEach(async () => {
  for (const edge of open.splice(0)) await edge.close();
});

describe('close', () => {
  it('finishes running requests, tells their connections to close, and accepts none', async () => {
    const edge = await start();
    let opened: () => void = () => {};
    let go: () => void = () => {};
    const running = new Promise<void>((resolve) => (opened = resolve));
    const released = new Promise<void>((resolve) => (go = resolve));
    const { get } = edge.gateway.videos;
    Object.assign(edge.gateway.videos, {
      async get(...args: Parameters<typeof get>) {
        opened();
        await released;
        return get(...args);
      },
    });
    const answer = edge.fetch(`/v1/videos/${DONE}`, { headers: edge.authorized });
    await running;
    let closed = false;
    const closing = edge.close().then(() => (closed = true));
    await expect(edge.connect()).rejects.toThrow(/ECONNREFUSED/);
    expect(closed).toBe(false);
    go();
    const response = await answer;
    expect([response.status, response.headers.get('connection')]).toEqual([200, 'close']);
    await response.text();
    await closing;
  });

  it('does not wait for idle connections, and may be called twice', async () => {
    const edge = await start();
    const agent = new Agent({ keepAliveTimeout: 60_000 });
    await (await request(`${edge.url}/livez`, { dispatcher: agent })).body.text();
    const silent = await edge.connect();
    const before = performance.now();
    await Promise.all([edge.close(), edge.close()]);
    expect(performance.now() - before).toBeLessThan(5_000);
    silent.destroy();
    await agent.close();
  });

  it('listen rejects when the port is taken', async () => {
    const edge = await start();
    const { createHttpServer } = await import('../../server/http');
    const second = createHttpServer({ gateway: edge.gateway, nextHandler: () => {} });
    await expect(second.listen(edge.port, '127.0.0.1')).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });
});

describe('a body that comes too slowly', () => {
  it('has 60 s, and a second more for every 128 kB received', async () => {
    const clock = createTestClock();
    const seen: string[] = [];
    const deps = {
      clock,
      readAddress: () => '',
      spareControllers: new WeakMap(),
      onClose: () => {},
      onError: () => {},
    };
    let received = 0;
    const server = createServer((req, res) => {
      req.on('data', (chunk: Buffer) => (received += chunk.length));
      createNodeContext(req, res, { path: '/', search: '', expectsContinue: false }, deps)
        .request.readBody(10 ** 7)
        .then(
          () => seen.push('read'),
          (error: GatewayError) => seen.push(error.code),
        )
        .finally(() => res.destroy());
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const socket = createConnection(port, '127.0.0.1').on('error', () => {});
    socket.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n${'x'.repeat(640_000)}`);
    await expect.poll(() => received).toBe(640_000);
    await clock.advance(64_900);
    expect(seen).toEqual([]);
    await clock.advance(200);
    expect(seen).toEqual(['request_timeout']);
    socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
});

describe('an answer 408', () => {
  it('ends its connection, although the rest of the body is short', async () => {
    const deps = {
      clock: createTestClock(),
      readAddress: () => '',
      spareControllers: new WeakMap(),
      onClose: () => {},
      onError: () => {},
    };
    const server = createServer((req, res) =>
      createNodeContext(req, res, { path: '/', search: '', expectsContinue: false }, deps).send(
        { status: 408, headers: {}, body: 'late' },
        true,
      ),
    );
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const socket = createConnection(port, '127.0.0.1').on('error', () => {});
    let text = '';
    socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
    socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n{');
    await expect.poll(() => text.toLowerCase()).toContain('connection: close');
    socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
});

/** No limits of organisations and keys. */
const noLimits = { key: {}, organization: {}, installation: {} };

describe('large bodies', () => {
  const MIB = 1024 * 1024;
  const head = (path: string, length: number) =>
    `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer live-key\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;

  it('together are limited: the one above the limit is 503 with a retry, small ones pass', async () => {
    const edge = await start({}, { limits: { ...noLimits, installation: { body_mebibytes: 10 } } });
    const slow = await edge.connect();
    slow.resume();
    slow.write(head('/v1/videos', 12 * MIB) + 'x'.repeat(8 * MIB));
    await new Promise((resolve) => setTimeout(resolve, 300));
    const refused = await edge.raw(head('/v1/videos', 12 * MIB) + 'x'.repeat(8 * MIB), 1_000);
    expect(refused).toMatch(/^HTTP\/1\.1 503 /);
    expect([refused.includes('"code":"overloaded"'), refused.includes('retry-after: 1')]).toEqual([true, true]);
    expect(await edge.raw(`${head('/v1/videos', 13)}{"model":"m"}`)).toMatch(/^HTTP\/1\.1 202 /);
    slow.destroy();
    await expect
      .poll(() => edge.raw(`${head('/v1/videos', 8 * MIB)}{"model":"data:${'A'.repeat(8 * MIB - 17)}"}`, 500), {
        timeout: 10_000,
      })
      .toMatch(/^HTTP\/1\.1 202 /);
  });

  it('of one organisation together are limited with 429, until their responses have ended', async () => {
    const edge = await start({}, { limits: { ...noLimits, organization: { body_mebibytes: 10 } } });
    const slow = await edge.connect();
    slow.resume();
    slow.write(head('/v1/videos', 12 * MIB) + 'x'.repeat(8 * MIB));
    const caller = await edge.gateway.accounts.authenticate(
      { authorization: edge.authorized['authorization'] },
      '127.0.0.1',
    );
    const used = async () =>
      (await edge.gateway.limits.use(caller)).find(({ name }) => name === 'body_mebibytes')?.used;
    // Until it has arrived.
    await expect.poll(used, { timeout: 30_000 }).toBe(8);
    const refused = await edge.raw(head('/v1/videos', 12 * MIB) + 'x'.repeat(8 * MIB), 3_000);
    expect(refused).toMatch(/^HTTP\/1\.1 429 /);
    expect(refused).toContain('Your organisation reached its limit of 10 MiB of request bodies at the same time.');
    slow.destroy();
    await expect.poll(used, { timeout: 30_000 }).toBe(0);
    await expect
      .poll(() => edge.raw(`${head('/v1/videos', 8 * MIB)}{"model":"data:${'A'.repeat(8 * MIB - 17)}"}`, 500), {
        timeout: 10_000,
      })
      .toMatch(/^HTTP\/1\.1 202 /);
  });

  it('that come at the same time do not all refuse one another', async () => {
    const edge = await start({}, { limits: { ...noLimits, installation: { body_mebibytes: 10 } } });
    const body = `{"model":"data:${'A'.repeat(6 * MIB - 17)}"}`;
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => edge.raw(head('/v1/videos', 6 * MIB) + body, 1_000)),
    );
    const statuses = answers.map((answer) => answer.slice(9, 12));
    expect(statuses.filter((status) => status === '202').length).toBeGreaterThan(0);
    expect(statuses.every((status) => status === '202' || status === '503')).toBe(true);
  });
});

describe('trusted proxies', () => {
  const ask = (edge: RunningEdge) =>
    edge.fetch('/v1/credits', { headers: { ...edge.authorized, 'x-forwarded-for': '9.9.9.9, 1.2.3.4' } });

  it('are trusted', async () => {
    const edge = await start({}, { trustedProxies: ['127.0.0.0/8'] });
    await ask(edge);
    expect(edge.addresses).toEqual(['1.2.3.4']);
  });

  it('do not include other peers', async () => {
    const edge = await start();
    await ask(edge);
    expect(edge.addresses).toEqual(['127.0.0.1']);
  });
});

describe('Next', () => {
  it('that fails before its answer leads to a plain 500', async () => {
    const edge = await start({ nextHandler: () => Promise.reject(new Error('a secret')) });
    const response = await edge.fetch('/console');
    expect([response.status, (await response.text()).includes('secret')]).toEqual([500, false]);
    expect(edge.log.lines).toContainEqual(expect.objectContaining({ level: 'error', message: 'a page failed' }));
  });

  // As Next does on the first request that it handles.
  function nextWithListener() {
    const upgrades: (string | undefined)[] = [];
    let attached = false;
    return {
      upgrades,
      nextHandler(req: IncomingMessage, res: { end(text: string): void }) {
        const { server } = req.socket as typeof req.socket & { server: Server };
        if (!attached) {
          server.on('upgrade', (upgrade: IncomingMessage, socket: Duplex) => {
            upgrades.push(upgrade.url);
            if (upgrade.url?.startsWith('/_next/hmr')) socket.end('HTTP/1.1 101 Switching Protocols\r\n\r\n');
          });
        }
        attached = true;
        res.end('a page');
      },
    };
  }
  const upgrade = (target: string) =>
    `GET ${target} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`;

  it('gets the upgrades of its own paths in development, once each, and no others', async () => {
    const next = nextWithListener();
    const edge = await start(next, { production: false });
    expect(await edge.raw(upgrade('/_next/hmr?id=1'))).toContain(' 404 ');
    await edge.fetch('/console');
    expect(await edge.raw(upgrade('/_next/hmr?id=1'))).toContain(' 101 ');
    expect(await edge.raw(upgrade('/v1/audio/speech/ws?token=secret'))).toContain(' 404 ');
    expect(await edge.raw(upgrade('http://169.254.169.254/'))).toContain(' 400 ');
    expect(await edge.raw(upgrade('/_next/hmr?id=2').replace('127.0.0.1', 'evil.example'))).toContain(' 404 ');
    expect(next.upgrades).toEqual(['/_next/hmr?id=1']);
  });

  it('that does not answer an upgrade does not delay the 404', { timeout: 20_000 }, async () => {
    const edge = await start(nextWithListener(), { production: false });
    await edge.fetch('/console');
    expect(await edge.raw(upgrade('/_next/nothing'), 2_000)).toContain(' 404 ');
  });

  it('gets none in production', async () => {
    const next = nextWithListener();
    const edge = await start(next, { production: true });
    await edge.fetch('/console');
    expect(await edge.raw(upgrade('/_next/hmr'))).toContain(' 404 ');
    expect(next.upgrades).toEqual([]);
  });
});

describe('a session', () => {
  it('that is registered handles the sockets of its path, with the token removed from the URL', async () => {
    const seen: [string | undefined, string | null][] = [];
    const edge = await start({
      sessions: {
        '/v1/audio/speech/ws': (req, socket, _head, query) => {
          seen.push([req.url, query.get('token')]);
          socket.end('HTTP/1.1 101 Switching Protocols\r\n\r\n');
        },
      },
    });
    const text =
      'GET /v1/audio/speech/ws?token=secret%20key HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n';
    await edge.raw(text);
    expect(seen).toEqual([['/v1/audio/speech/ws', 'secret key']]);
    edge.phase = 'draining';
    await edge.raw(text);
    expect(seen).toHaveLength(2);
    edge.phase = 'closing';
    expect(await edge.raw(text)).toContain('"code":"shutting_down"');
  });
});

describe('an instance that only runs jobs', () => {
  it('answers its probes, and refuses everything else with the reason', async () => {
    const edge = await start({}, { role: 'worker' });
    for (const path of ['/livez', '/readyz']) expect([path, (await edge.fetch(path)).status]).toEqual([path, 200]);
    for (const path of ['/', '/api/hello', '/v1/models', '/v1/videos', '/console', '/console/api/keys', '/nothing']) {
      const response = await edge.fetch(path, { headers: edge.authorized });
      expect([path, response.status]).toEqual([path, 421]);
      expect(await response.json()).toMatchObject({
        error: { code: 'wrong_host', message: expect.stringContaining('only runs jobs') as string },
      });
    }
    expect(
      await edge.raw(
        'GET /v1/audio/speech/ws HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
      ),
    ).toContain('route_not_found');
  });
});

describe('TLS', () => {
  it('sets HSTS for a year, on pages and on the API, and never for localhost', async () => {
    const edge = await start({ tls: certificate });
    const hstsOf = async (path: string, host: string) => {
      const ask = httpsRequest({
        port: edge.port,
        host: '127.0.0.1',
        path,
        headers: { host },
        rejectUnauthorized: false,
      }).end();
      const [response] = (await once(ask, 'response')) as [IncomingMessage];
      response.resume();
      return response.headers['strict-transport-security'];
    };
    for (const path of ['/console', '/v1/models', '/livez'])
      expect(await hstsOf(path, '127.0.0.1')).toBe('max-age=31536000');
    expect(await hstsOf('/console', 'localhost:3000')).toBeUndefined();
    const plain = await start();
    expect((await plain.fetch('/livez')).headers.get('strict-transport-security')).toBeNull();
  });

  it('serves https directly, streams included', async () => {
    const edge = await start({ tls: certificate });
    edge.openBody = (range) => fileContent(Buffer.alloc(300_000, 7), range);
    const ask = httpsRequest({
      port: edge.port,
      host: '127.0.0.1',
      path: `/v1/videos/${DONE}/content`,
      headers: edge.authorized,
      rejectUnauthorized: false,
    }).end();
    const [response] = (await once(ask, 'response')) as [IncomingMessage];
    let bytes = 0;
    for await (const chunk of response) bytes += (chunk as Buffer).length;
    expect([response.statusCode, bytes]).toEqual([200, 300_000]);
  });
});
