import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { WebSocketServer } from 'ws';
import type { WebSocket } from 'ws';
import { systemClock } from '../../../../lib/domain/clock';
import type { UpstreamSocket } from '../../../../lib/providers/kit/http/socket';
import { connectSocket, describeEnd } from '../../../../lib/providers/kit/http/socket';
import { hurriedClock } from '../../../support/hurried-clock';

describe('connectSocket', () => {
  let server: Server | undefined;
  let sockets: WebSocketServer | undefined;
  const lines = new Set<Socket>();
  afterEach(() => {
    for (const line of lines) line.destroy();
    lines.clear();
    sockets?.close();
    server?.close();
  });

  async function listen(on: {
    connection?(socket: WebSocket): void;
    refusal?: string;
    autoPong?: boolean;
    delayMs?: number;
  }): Promise<string> {
    const peers = new WebSocketServer({ noServer: true, autoPong: on.autoPong ?? true });
    const http = createServer(
      (_request, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'),
    );
    http.on('connection', (line) => void lines.add(line));
    http.on('upgrade', (request, line: Socket, head) => {
      line.on('error', () => {});
      if (on.refusal) return line.end(on.refusal);
      setTimeout(() => {
        if (line.destroyed) return;
        peers.handleUpgrade(request, line, head, (socket) => {
          socket.on('error', () => {});
          on.connection?.(socket);
        });
      }, on.delayMs ?? 0);
    });
    server = http;
    sockets = peers;
    await new Promise<void>((resolve) => void http.listen(0, '127.0.0.1', resolve));
    const address = http.address();
    return `ws://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/`;
  }
  const connect = (url: string, clock = systemClock) => connectSocket({ url }, { clock });
  async function readAll(socket: UpstreamSocket): Promise<(string | Buffer)[]> {
    const all: (string | Buffer)[] = [];
    for await (const message of socket.messages) all.push(message);
    return all;
  }
  async function takeAll(socket: UpstreamSocket): Promise<(string | Buffer)[]> {
    const all: (string | Buffer)[] = [];
    // Every third message takes some time.
    await socket.flow((message) =>
      all.push(message) % 3 === 0 ? new Promise((resolve) => setImmediate(resolve)) : undefined,
    );
    return all;
  }
  const ways = [
    ['iterated', readAll],
    ['taken', takeAll],
  ] as const;

  it.each(ways)(
    '%s: every message comes in order, including the last ones before the close, and the end is reported',
    async (_way, all) => {
      const url = await listen({
        connection(socket) {
          for (let index = 0; index < 500; index++)
            socket.send(index % 2 === 0 ? String(index) : Buffer.from([index & 0xff]));
          socket.close(4321, 'so-long');
        },
      });
      const socket = connect(url);
      const came = await all(socket);
      expect(came).toHaveLength(500);
      expect(
        came.every((message, index) =>
          index % 2 === 0 ? message === String(index) : Buffer.isBuffer(message) && message[0] === (index & 0xff),
        ),
      ).toBe(true);
      expect(socket.end).toEqual({ code: 4321, reason: 'so-long' });
      expect(describeEnd(socket.end)).toBe('The socket was closed with 4321 so-long.');
      expect(describeEnd({ code: 4000, reason: 'quota of account 12 (Ann) exceeded' })).toBe(
        'The socket was closed with 4000.',
      );
    },
  );

  it.each(ways)('%s: a flood is slowed down instead of buffered, and nothing of it is lost', async (_way, all) => {
    const count = 3_000;
    let peer: WebSocket | undefined;
    const url = await listen({
      connection(socket) {
        peer = socket;
        for (let index = 0; index < count; index++) socket.send('x'.repeat(10_000));
        socket.close(1000);
      },
    });
    const socket = connect(url);
    await socket.opened;
    await systemClock.sleep(400);
    // Thirty megabytes were sent; what does not fit into the kernel stays with the sender.
    expect(peer?.bufferedAmount).toBeGreaterThan(10_000_000);
    expect(await all(socket)).toHaveLength(count);
  });

  it("reports a failure to its reader after the last message, and the reader's own error too", async () => {
    const url = await listen({ connection: (socket) => void socket.send('one') });
    const failing = connect(url);
    const taken: unknown[] = [];
    const ended = failing.flow((message) => {
      taken.push(message);
      failing.fail(new Error('enough'));
      return undefined;
    });
    await expect(ended).rejects.toThrow('enough');
    expect(taken).toEqual(['one']);
    const throwing = connect(url);
    await expect(
      throwing.flow(() => {
        throw new Error('mine');
      }),
    ).rejects.toThrow('mine');
    throwing.close();
  });

  it('makes its writer wait while the peer does not read', async () => {
    let peer: WebSocket | undefined;
    const url = await listen({
      connection(socket) {
        peer = socket;
        socket.pause();
      },
    });
    const socket = connect(url);
    await socket.opened;
    let isOut = false;
    const sent = (async () => {
      for (let index = 0; index < 200; index++) await socket.send(new Uint8Array(100_000));
      isOut = true;
    })();
    await systemClock.sleep(200);
    expect(isOut).toBe(false);
    peer?.resume();
    await sent;
    socket.close();
  });

  it('releases its writer when the socket ends', async () => {
    const url = await listen({ connection: (socket) => socket.pause() });
    const socket = connect(url);
    await socket.opened;
    const sent = (async () => {
      for (let index = 0; index < 200; index++) await socket.send(new Uint8Array(100_000));
    })();
    await systemClock.sleep(50);
    socket.fail(new Error('enough'));
    await sent;
    await expect(readAll(socket)).rejects.toThrow('enough');
  });

  it('can be closed while it connects: no error, no socket at the peer', async () => {
    let peers = 0;
    const url = await listen({ delayMs: 60, connection: () => void peers++ });
    const socket = connect(url);
    socket.close();
    expect(await socket.opened).toBe(false);
    expect(await readAll(socket)).toEqual([]);
    await systemClock.sleep(100);
    expect(peers).toBe(0);
  });

  it('distinguishes refusals: credentials, a busy upstream with its pause, a page of HTML, an end without an answer', async () => {
    const cases = [
      ['HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n', { code: 'upstream_auth_failed' }],
      [
        'HTTP/1.1 429 Too Many\r\nRetry-After: 9\r\nContent-Length: 0\r\n\r\n',
        { code: 'upstream_invalid_response', extra: { upstream: { retryAfterMs: 9_000 } } },
      ],
      ['HTTP/1.1 504 Late\r\nContent-Length: 0\r\n\r\n', { code: 'upstream_timeout' }],
      [
        'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 6\r\n\r\n<html>',
        { code: 'upstream_invalid_response' },
      ],
      [
        'HTTP/1.1 301 Moved\r\nLocation: ws://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n',
        { code: 'upstream_invalid_response' },
      ],
      ['nonsense', { code: 'upstream_invalid_response' }],
    ] as const;
    for (const [refusal, expected] of cases) {
      const socket = connect(await listen({ refusal }));
      await expect(readAll(socket)).rejects.toMatchObject(expected);
      await expect(socket.opened).rejects.toMatchObject({ extra: { upstream: { started: 'no', retry: 'elsewhere' } } });
    }
  });

  it('reports that nothing has begun if the upstream is unreachable, or uses TLS', async () => {
    const url = await listen({});
    await expect(readAll(connect('ws://127.0.0.1:9/'))).rejects.toMatchObject({
      code: 'upstream_invalid_response',
      extra: { upstream: { started: 'no' } },
    });
    await expect(readAll(connect(url.replace('ws:', 'wss:')))).rejects.toMatchObject({
      code: 'upstream_invalid_response',
      extra: { upstream: { started: 'no' } },
    });
  });

  it('reports a header that cannot be sent, such as a key with a line break', async () => {
    const socket = connectSocket(
      { url: await listen({}), headers: { authorization: 'Bearer key\n' } },
      { clock: systemClock },
    );
    const failure = {
      code: 'upstream_invalid_response',
      extra: { upstream: { retry: 'elsewhere', started: 'no' }, connectionError: 'ERR_INVALID_CHAR' },
    };
    await expect(socket.opened).rejects.toMatchObject(failure);
    await expect(readAll(socket)).rejects.toMatchObject(failure);
    await expect(takeAll(socket)).rejects.toMatchObject(failure);
    expect([socket.isOpen, socket.end, socket.send('a')]).toEqual([false, undefined, undefined]);
    socket.close();
  });

  it('notices within two pings that the peer is gone', async () => {
    const url = await listen({ autoPong: false });
    const socket = connect(url, hurriedClock(300));
    await expect(readAll(socket)).rejects.toMatchObject({ code: 'upstream_timeout' });
  });

  it('keeps a quiet connection that answers its pings', async () => {
    const url = await listen({ connection: (socket) => void setTimeout(() => socket.close(1000), 700) });
    const socket = connect(url, hurriedClock(300));
    expect(await readAll(socket)).toEqual([]);
    expect(socket.end?.code).toBe(1000);
  });

  it('cuts off a peer that does not answer its close', async () => {
    const url = await listen({ connection: (socket) => socket.pause() });
    const socket = connect(url, hurriedClock(20));
    await socket.opened;
    socket.close();
    expect(socket.isOpen).toBe(false);
    const line = [...lines][0]!;
    for (let tries = 0; tries < 100 && !line.destroyed; tries++) {
      // The peer sees the end only when it reads.
      line.resume();
      await systemClock.sleep(10);
    }
    expect(line.destroyed).toBe(true);
  });

  it('ends, and does not crash, when one message is larger than any upstream sends', async () => {
    const url = await listen({ connection: (socket) => socket.send(Buffer.alloc(9 * 1024 * 1024)) });
    const socket = connect(url);
    expect(await readAll(socket)).toEqual([]);
    expect(socket.end?.code).toBeGreaterThan(1_000);
  });

  it('sends nothing, without an error, once it is closed', async () => {
    const socket = connect(await listen({}));
    await socket.opened;
    socket.close();
    socket.close();
    await socket.send('late');
    socket.fail(new Error('late'));
    expect(await readAll(socket)).toEqual([]);
  });
});
