import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { afterEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../../lib/domain/clock';
import { createUpstream, readableOf, readText, type Upstream } from '../../../../lib/providers/kit/http/http';
import { certificate } from '../../../support/certificate';
import { createTestClock } from '../../../support/clock';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

async function startServer(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  open.push({
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function openUpstream(baseUrl: string, clock = systemClock): Upstream {
  const upstream = createUpstream({ baseUrl, clock });
  open.push(upstream);
  return upstream;
}

const post = (signal = new AbortController().signal) => ({
  method: 'POST' as const,
  path: '/v1/x',
  headers: { authorization: 'Bearer secret' },
  body: '{}',
  headersMs: 1_000,
  signal,
});
const soon = () => new Promise((resolve) => setTimeout(resolve, 30));

describe('createUpstream', () => {
  it('calls paths below its base URL', async () => {
    let path: string | undefined;
    const url = await startServer((request, response) => {
      path = request.url;
      response.end('ok');
    });
    const answer = await openUpstream(`${url}/api/anthropic/`).send(post());
    answer.body.stop();
    expect(path).toBe('/api/anthropic/v1/x');
  });

  it('sends a request on a connection of its own, which closes after the response', async () => {
    const sockets: Socket[] = [];
    const url = await startServer((request, response) => {
      sockets.push(request.socket);
      response.end('ok');
    });
    const upstream = openUpstream(url);
    for (const ownConnection of [false, true, true, false]) {
      const { body } = await upstream.send({ ...post(), ...(ownConnection && { ownConnection }) });
      expect(await readText(body, 10)).toBe('ok');
      await soon();
    }
    expect(new Set(sockets).size).toBe(3);
    expect(sockets[0]).toBe(sockets[3]);
    await expect.poll(() => sockets.map(({ destroyed }) => destroyed)).toEqual([false, true, true, false]);
  });

  it('closes the connection of a request that is not answered', async () => {
    let socket: Socket | undefined;
    const url = await startServer((request) => {
      socket = request.socket;
    });
    const stop = new AbortController();
    const pending = openUpstream(url).send({ ...post(stop.signal), headersMs: 60_000, ownConnection: true });
    await expect.poll(() => socket).toBeDefined();
    stop.abort(new Error('enough'));
    await expect(pending).rejects.toThrow('enough');
    await expect.poll(() => socket?.destroyed).toBe(true);
  });

  it.each(['GET', 'HEAD', 'PUT', 'DELETE'] as const)('sends %s', async (method) => {
    let seen: string | undefined;
    const url = await startServer((request, response) => {
      seen = request.method;
      response.end();
    });
    const { path, headers, headersMs, signal } = post();
    const answer = await openUpstream(url).send({ method, path, headers, headersMs, signal });
    expect(await answer.body.read()).toBeUndefined();
    expect(seen).toBe(method);
  });

  it('a redirect is an answer, and no credential goes anywhere else', async () => {
    let visits = 0;
    const elsewhere = await startServer((_request, response) => {
      visits++;
      response.end();
    });
    const url = await startServer((_request, response) => void response.writeHead(307, { location: elsewhere }).end());
    const answer = await openUpstream(url).send(post());
    answer.body.stop();
    expect(answer.status).toBe(307);
    expect(visits).toBe(0);
  });

  it('an unreachable server was never called: the request may be repeated elsewhere', async () => {
    const url = await startServer(() => {});
    await open.pop()?.close();
    await expect(openUpstream(url).send(post())).rejects.toMatchObject({
      code: 'upstream_invalid_response',
      extra: { upstream: { retry: 'later', started: 'no' } },
    });
  });

  it.each<[string, () => Server]>([
    ['whose certificate is not trusted', () => createTlsServer(certificate)],
    ['that closes the connection before it is encrypted', () => createTcpServer((socket) => socket.destroy())],
    [
      'that does not speak TLS',
      () => createTcpServer((socket) => socket.resume().end('HTTP/1.1 400 Bad Request\r\n\r\n')),
    ],
  ])('a server %s has received no request', async (_title, makeServer) => {
    const server = makeServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    open.push({ close: () => new Promise((resolve) => server.close(() => resolve())) });
    const { port } = server.address() as AddressInfo;
    const pending = openUpstream(`https://localhost:${port}`).send({ ...post(), ownConnection: true });
    await expect(pending).rejects.toMatchObject({
      code: 'upstream_invalid_response',
      extra: { upstream: { retry: 'later', started: 'no' } },
    });
  });

  it('a server that closes the connection without an answer may have received the request', async () => {
    const url = await startServer((request) => request.socket.destroy());
    await expect(openUpstream(url).send({ ...post(), ownConnection: true })).rejects.toMatchObject({
      extra: { upstream: { retry: 'later', started: 'maybe' } },
    });
  });

  it.each<[string, object]>([
    ['a line break in a header', { headers: { authorization: 'Bearer a\r\nb: c' } }],
    ['other characters than Latin-1 in a header', { headers: { authorization: 'Bearer ключ' } }],
    ['a space in the path', { path: '/v1/a b' }],
  ])('a request with %s is never sent', async (_title, change) => {
    let visits = 0;
    const url = await startServer((_request, response) => {
      visits++;
      response.end();
    });
    const pending = openUpstream(url).send({ ...post(), ...change, ownConnection: true });
    await expect(pending).rejects.toMatchObject({ extra: { upstream: { started: 'no' } } });
    expect(visits).toBe(0);
  });

  it('headers that do not arrive in time are a timeout', async () => {
    const clock = createTestClock();
    const url = await startServer(() => {});
    const asked = openUpstream(url, clock).send(post());
    asked.catch(() => {});
    await soon();
    await clock.advance(1_001);
    await expect(asked).rejects.toMatchObject({
      code: 'upstream_timeout',
      extra: { upstream: { retry: 'elsewhere' } },
    });
  });

  it('the deadline of the headers does not end the body', async () => {
    const clock = createTestClock();
    const url = await startServer((_request, response) => {
      response.write('first');
      setTimeout(() => response.end('second'), 50);
    });
    const answer = await openUpstream(url, clock).send(post());
    await clock.advance(10_000);
    expect(await readText(answer.body, 1_000)).toBe('firstsecond');
  });
});

describe('pathOf', () => {
  it.each([
    [
      'https://queue.vendor.example',
      'https://queue.vendor.example/app/requests/1/status?logs=0',
      '/app/requests/1/status?logs=0',
    ],
    [
      'https://api.vendor.example/v1beta',
      'https://api.vendor.example/v1beta/files/x:download?alt=media',
      '/files/x:download?alt=media',
    ],
    ['https://api.vendor.example/v1/', 'https://api.vendor.example/v1/v1/x', '/v1/x'],
    ['https://api.vendor.example/v1', 'https://api.vendor.example/v10/x', '/v10/x'],
    ['http://proxy.example/fal', 'https://queue.vendor.example/app/requests/1', '/app/requests/1'],
    ['http://proxy.example/google/v1beta', 'https://api.vendor.example/v1beta/files/x', '/files/x'],
    ['https://api.vendor.example/v1', 'https://user:word@evil.example/v1/../../etc#hash', '/etc'],
  ])('below %s, of %s, is %s', (baseUrl, url, path) => {
    expect(openUpstream(baseUrl).pathOf(url)).toBe(path);
  });

  it('leads a request for a URL of another origin to the configured one', async () => {
    let path: string | undefined;
    const url = await startServer((request, response) => {
      path = request.url;
      response.end('ok');
    });
    const upstream = openUpstream(`${url}/proxy`);
    const answer = await upstream.send({ ...post(), path: upstream.pathOf('https://evil.example/steal?key=1') });
    answer.body.stop();
    expect(path).toBe('/proxy/steal?key=1');
  });

  it.each(['', '/requests/1', 'no URL', 'data:text/plain,x', 'ftp://vendor.example/x'])('refuses %j', (text) => {
    expect(() => openUpstream('https://api.vendor.example').pathOf(text)).toThrow(
      expect.objectContaining({
        code: 'upstream_invalid_response',
        extra: expect.objectContaining({ upstream: { retry: 'later', started: 'maybe' } }),
      }),
    );
  });
});

describe('the body of an answer', () => {
  it('is read as it arrives, and a read takes everything that has arrived before it', async () => {
    let response: ServerResponse | undefined;
    const url = await startServer((_request, given) => {
      response = given;
      given.write('one ');
    });
    const { body } = await openUpstream(url).send(post());
    expect(String(await body.read())).toBe('one ');
    const next = body.read();
    response?.write('two ');
    expect(String(await next)).toBe('two ');
    response?.write('three ');
    await soon();
    response?.end('four');
    await soon();
    expect(String(await body.read())).toBe('three four');
    expect(await body.read()).toBeUndefined();
  });

  it('that breaks off rejects after the bytes that had arrived', async () => {
    const url = await startServer((_request, response) => {
      response.write('half', () => response.destroy());
    });
    const { body } = await openUpstream(url).send(post());
    await soon();
    expect(String(await body.read())).toBe('half');
    await expect(body.read()).rejects.toMatchObject({
      code: 'upstream_invalid_response',
      extra: { upstream: { retry: 'later', started: 'maybe' } },
    });
  });

  it('rejects with the reason of the signal, and closes the connection', async () => {
    let isClosed = false;
    const url = await startServer((_request, response) => {
      response.once('close', () => (isClosed = true));
      response.write('first');
    });
    const stop = new AbortController();
    const { body } = await openUpstream(url).send(post(stop.signal));
    await body.read();
    const next = body.read();
    const reason = new Error('The caller is gone.');
    stop.abort(reason);
    await expect(next).rejects.toBe(reason);
    await expect.poll(() => isClosed).toBe(true);
  });

  it('that is drained leaves the connection open for the next request, and is cut off after a second', async () => {
    const clock = createTestClock();
    const ports = new Set<number | undefined>();
    const responses: ServerResponse[] = [];
    const url = await startServer((request, response) => {
      ports.add(request.socket.remotePort);
      responses.push(response);
      response.write('wanted');
    });
    const upstream = openUpstream(url, clock);
    for (let count = 0; count < 2; count += 1) {
      const { body } = await upstream.send(post());
      await body.read();
      body.drain();
      responses.at(-1)?.end('unwanted');
      await soon();
    }
    expect(ports.size).toBe(1);
    const { body } = await upstream.send(post());
    await body.read();
    body.drain();
    const closed = new Promise((resolve) => responses.at(-1)?.once('close', resolve));
    await clock.advance(1_001);
    await closed;
  });

  it('that is not read slows the upstream down', async () => {
    let written = 0;
    const url = await startServer((_request, response) => {
      const block = Buffer.alloc(64 * 1024);
      const fill = () => {
        while (!response.destroyed && written < 200_000_000) {
          written += block.length;
          if (!response.write(block)) return void response.once('drain', fill);
        }
        response.end();
      };
      fill();
    });
    const { body } = await openUpstream(url, createTestClock()).send(post());
    await body.read();
    await new Promise((resolve) => setTimeout(resolve, 300));
    const held = written;
    await new Promise((resolve) => setTimeout(resolve, 300));
    // At most what the sockets of both ends buffer.
    expect(written).toBe(held);
    expect(written).toBeLessThan(20_000_000);
    // Reading continues where it stopped.
    while (written === held) await body.read();
    body.stop();
  });

  it('can be converted to a Readable', async () => {
    const url = await startServer((_request, response) => void response.end('x'.repeat(1_000_000)));
    const { body } = await openUpstream(url).send(post());
    let length = 0;
    for await (const chunk of readableOf(body)) length += (chunk as Buffer).length; // Safe: it yields what `read` does.
    expect(length).toBe(1_000_000);
  });

  it('of a destroyed Readable closes the connection', async () => {
    let isClosed = false;
    const url = await startServer((_request, response) => {
      response.once('close', () => (isClosed = true));
      response.write('first');
    });
    const { body } = await openUpstream(url).send(post());
    const readable = readableOf(body);
    for await (const chunk of readable) if (chunk) break;
    await expect.poll(() => isClosed).toBe(true);
    expect(readable.destroyed).toBe(true);
  });
});
