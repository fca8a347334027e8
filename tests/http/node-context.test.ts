import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { createConnection, type AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises';
import { Client } from 'undici';
import { afterEach, describe, expect, it } from 'vitest';
import { RelayBody } from '../../lib/io/relay-body';
import type { GatewayRequest } from '../../lib/http/handler';
import { createNodeContext } from '../../server/node-context';
import { createTestClock } from '../support/clock';

/** More than the kernel buffers for a client that does not read. */
const CHUNKS = 12_000;
/** Short ones, and now and then (as the first) one that is too long to be copied; all bytes occur. */
const chunkOf = (index: number) =>
  Buffer.alloc(index % 50 === 0 ? 40_000 : 1 + ((index * 37) % 900), Buffer.from([index % 256, (index * 7) % 256]));
const whole = createHash('sha256');
for (let index = 0; index < CHUNKS; index += 1) whole.update(chunkOf(index));
const digest = whole.digest('hex');

interface Source {
  readonly body: Readable;
  readonly isOver: () => boolean;
}

/** A source that its reader pulls. */
function pulled(): Source {
  let index = 0;
  let isOver = false;
  const body = new Readable({
    read() {
      this.push(index < CHUNKS ? chunkOf(index++) : null);
    },
    destroy(error, done) {
      isOver = true;
      done(error);
    },
  });
  return { body, isOver: () => isOver };
}

/** Pushed in small groups while the reader wants more, as an upstream's chunks are. */
function passed(): Source {
  let index = 0;
  let isWanted = true;
  let isOver = false;
  const body = new RelayBody(
    () => void (isWanted = true),
    () => void (isOver = true),
  );
  void (async () => {
    while (!isOver && index < CHUNKS) {
      // A single chunk arrives as a single chunk, wanted or not.
      for (let each = 0, go = isWanted; go && each < 7 && index < CHUNKS; each += 1)
        isWanted = body.pass(chunkOf(index++));
      await turn();
    }
    body.push(null);
  })();
  return { body, isOver: () => isOver };
}

const open: Server[] = [];
afterEach(() => {
  for (const server of open.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function serve(
  make: () => Source,
  headers: Readonly<Record<string, string>> = {},
): Promise<{
  readonly port: number;
  readonly sources: Source[];
  readonly answers: ServerResponse[];
  readonly requests: GatewayRequest[];
  readonly signals: AbortSignal[];
}> {
  const sources: Source[] = [];
  const requests: GatewayRequest[] = [];
  const signals: AbortSignal[] = [];
  const answers: ServerResponse[] = [];
  const deps = {
    clock: createTestClock(),
    readAddress: () => '',
    spareControllers: new WeakMap(),
    onClose: () => {},
    onError: () => {},
  };
  const server = createServer((req, res) => {
    const source = make();
    sources.push(source);
    answers.push(res);
    const context = createNodeContext(req, res, { path: '/', search: '', expectsContinue: false }, deps);
    requests.push(context.request);
    signals.push(context.request.signal);
    context.send(
      { status: 200, headers: { 'content-type': 'application/octet-stream', ...headers }, body: source.body },
      true,
    );
  });
  open.push(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { port: (server.address() as AddressInfo).port, sources, answers, requests, signals };
}

describe.each([
  ['pulled', pulled],
  ['passed on', passed],
])('a body that is %s', (_name, make) => {
  it('arrives complete and in order, and so does the next on the same connection', async () => {
    const { port } = await serve(make);
    const client = new Client(`http://127.0.0.1:${port}`);
    for (let time = 0; time < 2; time += 1) {
      const { body } = await client.request({ method: 'GET', path: '/' });
      const read = createHash('sha256');
      for await (const chunk of body) read.update(chunk as Buffer);
      expect(read.digest('hex')).toBe(digest);
    }
    await client.close();
  });

  it('waits for a reader that does not read, and is complete in the end', async () => {
    const { port, answers } = await serve(make);
    const socket = createConnection(port, '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    await expect.poll(() => answers[0]?.writableNeedDrain || answers[0]?.socket?.writableNeedDrain).toBe(true);
    await pause(200);
    expect(answers[0]?.writableLength).toBeLessThan(200_000);
    const received: Buffer[] = [];
    for await (const chunk of socket) received.push(chunk as Buffer);
    expect(
      createHash('sha256')
        .update(bodyOf(Buffer.concat(received).toString('latin1')), 'latin1')
        .digest('hex'),
    ).toBe(digest);
  });

  it('is answered after the one before it when both are requested at once', async () => {
    const { port } = await serve(make);
    const socket = createConnection(port, '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\nGET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    const received: Buffer[] = [];
    for await (const chunk of socket) received.push(chunk as Buffer);
    const bodies = Buffer.concat(received).toString('latin1').split('HTTP/1.1 200 OK\r\n').slice(1).map(bodyOf);
    expect(bodies.map((body) => createHash('sha256').update(body, 'latin1').digest('hex'))).toEqual([digest, digest]);
  });

  it('ends when its client disconnects', async () => {
    const { port, sources } = await serve(make);
    const socket = createConnection(port, '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await once(socket, 'data');
    socket.destroy();
    await expect.poll(() => sources[0]?.isOver()).toBe(true);
  });
});

describe('a body with a length', () => {
  const LONG = Buffer.alloc(64 * 1024);

  it('pauses its source only if the kernel does not take a chunk', async () => {
    const body = new RelayBody(
      () => {},
      () => {},
    );
    const { port, answers } = await serve(() => ({ body, isOver: () => body.destroyed }), {
      'content-length': String(1e9),
    });
    const socket = createConnection(port, '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await expect.poll(() => answers[0]?.headersSent).toBe(true);
    // The response is corked for the rest of this turn, and the first chunk goes out with the headers.
    await turn();
    body.pass(LONG);
    await turn();
    // The client does not read, so the kernel takes no more at some time.
    let passed = 0;
    while (body.pass(LONG)) {
      passed += 1;
      expect(passed).toBeLessThan(10_000);
      await turn();
    }
    expect(passed).toBeGreaterThan(1);
    expect(answers[0]?.writableLength).toBeGreaterThan(0);
    socket.destroy();
  });

  it.each([
    ['pulled', pulled],
    ['passed on', passed],
  ])('that is %s arrives complete and in order, also if its reader waits, and twice at once', async (_name, make) => {
    let length = 0;
    for (let index = 0; index < CHUNKS; index += 1) length += chunkOf(index).length;
    const { port, answers } = await serve(make, { 'content-length': String(length) });
    const socket = createConnection(port, '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\nGET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    await expect.poll(() => answers[0]?.writableNeedDrain || answers[0]?.socket?.writableNeedDrain).toBe(true);
    const received: Buffer[] = [];
    for await (const chunk of socket) received.push(chunk as Buffer);
    const bodies = Buffer.concat(received).toString('latin1').split('HTTP/1.1 200 OK\r\n').slice(1);
    const digests = bodies.map((answer) =>
      createHash('sha256')
        .update(answer.slice(answer.indexOf('\r\n\r\n') + 4), 'latin1')
        .digest('hex'),
    );
    expect(digests).toEqual([digest, digest]);
  });
});

describe('a body that breaks off', () => {
  it('does not look complete', async () => {
    const { port } = await serve(() => {
      const body = new RelayBody(
        () => {},
        () => {},
      );
      body.pass(Buffer.from('the beginning'));
      setTimeout(() => body.pass(Buffer.from(', more')), 20);
      setTimeout(() => body.destroy(new Error('the source failed')), 40);
      return { body, isOver: () => body.destroyed };
    });
    const socket = createConnection(port, '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    const received: Buffer[] = [];
    for await (const chunk of socket) received.push(chunk as Buffer);
    const text = Buffer.concat(received).toString();
    expect(text).toMatch(/the beginning\r\n6\r\n, more\r\n$/);
  });
});

/** With chunked transfer encoding. */
function bodyOf(answer: string): string {
  const pieces: string[] = [];
  for (let from = answer.indexOf('\r\n\r\n') + 4; ;) {
    const line = answer.indexOf('\r\n', from);
    const length = Number.parseInt(answer.slice(from, line), 16);
    if (length === 0) return pieces.join('');
    pieces.push(answer.slice(line + 2, line + 2 + length));
    from = line + 2 + length + 2;
  }
}

describe('the signal of a request', () => {
  it('does not abort when its response ends, and aborts when it is cut, although the connection is the same', async () => {
    const { port, signals } = await serve(pulled);
    const client = new Client(`http://127.0.0.1:${port}`);
    await (await client.request({ method: 'GET', path: '/' })).body.arrayBuffer();
    const { body } = await client.request({ method: 'GET', path: '/' });
    body.on('error', () => {});
    await once(body, 'data');
    expect(signals.map(({ aborted }) => aborted)).toEqual([false, false]);
    await client.destroy();
    await expect.poll(() => signals[1]?.aborted).toBe(true);
  });

  it('that its handler has aborted is not given to the next request', async () => {
    const { port, requests, signals } = await serve(pulled);
    const client = new Client(`http://127.0.0.1:${port}`);
    const { body } = await client.request({ method: 'GET', path: '/' });
    requests[0]?.abort(new Error('The answer is over.'));
    await body.arrayBuffer();
    await (await client.request({ method: 'GET', path: '/' })).body.arrayBuffer();
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
    await client.close();
  });

  it('is its own while requests of one connection run at the same time', async () => {
    const { port, signals } = await serve(pulled);
    const socket = createConnection(port, '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\nGET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await expect.poll(() => signals.length).toBe(2);
    expect(signals[0]).not.toBe(signals[1]);
    socket.destroy();
  });
});
