import { once } from 'node:events';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import type { Clock } from '../../../lib/domain/clock';
import { systemClock } from '../../../lib/domain/clock';
import type { ByteRange, ContentPart } from '../../../lib/domain/files';
import { parseCidrs } from '../../../lib/net/public-address';
import type { ClosableRemoteFiles } from '../../../lib/net/remote-files';
import { createRemoteFiles } from '../../../lib/net/remote-files';
import { hurriedClock } from '../../support/hurried-clock';
import { recordLog } from '../../support/log';
import { mp4Bytes } from '../../support/media-bytes';
import type { Sentinel } from '../../support/sentinel';
import { startSentinel } from '../../support/sentinel';

/** Each byte differs from its neighbours, so that a part from the wrong place is noticed. */
const file = mp4Bytes(300_000).map((byte, at) => (at < 32 ? byte : (at * 7) % 251));

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
});

async function serve(answer: RequestListener): Promise<Sentinel & { readonly url: string }> {
  const sentinel = await startSentinel(answer);
  open.push(sentinel);
  return { ...sentinel, url: `http://127.0.0.1:${sentinel.port}/file.mp4?signature=word` };
}

function makeFiles(change: { allow?: string; clock?: Clock } = {}): ClosableRemoteFiles {
  const files = createRemoteFiles({
    allow: parseCidrs([change.allow ?? '127.0.0.0/8']),
    userAgent: 'Patchbay/test',
    clock: change.clock ?? systemClock,
    lookup: async () => {
      throw new Error('The name does not resolve.');
    },
  });
  open.push(files);
  return files;
}

function makeCall(signal = new AbortController().signal) {
  return { signal, log: recordLog() };
}

/** A server of files: it knows ranges and HEAD, and fails a request with credentials. */
const cdn: RequestListener = (request, response) => {
  if (request.headers.authorization !== undefined || request.headers.cookie !== undefined)
    return void response.writeHead(400).end();
  const range = rangeOf(request);
  if (!range) {
    response.writeHead(200, { 'content-type': 'application/octet-stream', 'content-length': file.length });
    return void response.end(request.method === 'HEAD' ? undefined : file);
  }
  if (range.start >= file.length)
    return void response.writeHead(416, { 'content-range': `bytes */${file.length}` }).end();
  const part = file.subarray(range.start, range.end + 1);
  const contentRange = `bytes ${range.start}-${range.start + part.length - 1}/${file.length}`;
  response.writeHead(206, { 'content-range': contentRange, 'content-length': part.length }).end(part);
};

function rangeOf(request: IncomingMessage): { start: number; end: number } | undefined {
  const [, start = '', end = ''] = /^bytes=(\d*)-(\d*)$/.exec(request.headers.range ?? '') ?? [];
  if (start === '' && end === '') return undefined;
  if (start === '') return { start: Math.max(0, file.length - Number(end)), end: file.length - 1 };
  return { start: Number(start), end: end === '' ? file.length - 1 : Number(end) };
}

/** The system clock, with timers and time that run `factor` times as fast. */
function fastClock(factor: number): Clock {
  return { ...hurriedClock(factor), nowMs: () => systemClock.nowMs() * factor };
}

const send =
  (status: number, headers: Readonly<Record<string, string | number>>, body: Uint8Array | string = file) =>
  (_request: IncomingMessage, response: ServerResponse) =>
    void response.writeHead(status, headers).end(body);

const ignoringRanges = send(200, { 'content-length': file.length });
const redirectTo = (location: string) => send(302, { location }, 'moved');

const parts: readonly [string, ByteRange | undefined, number, number][] = [
  ['the whole file', undefined, 0, 300_000],
  ['the beginning', { start: 0, end: 99_999 }, 0, 100_000],
  ['the first byte', { start: 0, end: 0 }, 0, 1],
  ['the middle', { start: 100_000, end: 250_000 }, 100_000, 250_001],
  ['the rest', { start: 299_000 }, 299_000, 300_000],
  ['beyond the end', { start: 299_999, end: 400_000 }, 299_999, 300_000],
  ['the last bytes', { start: -1_000 }, 299_000, 300_000],
  ['more last bytes than there are', { start: -400_000 }, 0, 300_000],
];

describe('open', () => {
  describe.each([
    ['a server that knows ranges', cdn],
    ['a server that ignores ranges', ignoringRanges],
  ])('from %s', (_name, answer) => {
    it.each(parts)('streams %s', async (_part, range, start, end) => {
      const { url } = await serve(answer);
      const { body, ...facts } = await makeFiles().open(url, range, makeCall());
      expect(facts).toEqual({ status: range ? 206 : 200, start, length: end - start, total: file.length });
      expect(Buffer.compare(await buffer(body), file.subarray(start, end))).toBe(0);
    });

    it('answers 416 with the length for a part that the file does not have', async () => {
      const { url } = await serve(answer);
      const { body, ...facts } = await makeFiles().open(url, { start: 300_000 }, makeCall());
      expect(facts).toEqual({ status: 416, start: 0, total: file.length });
      expect(await buffer(body)).toHaveLength(0);
    });
  });

  it('sends the range to every hop of a redirect, with its own user agent and without credentials', async () => {
    const last = await serve(cdn);
    const middle = await serve(redirectTo(last.url));
    const first = await serve(redirectTo(middle.url));
    const { body } = await makeFiles().open(first.url, { start: 10, end: 19 }, makeCall());
    expect(await buffer(body)).toEqual(Buffer.from(file.subarray(10, 20)));
    for (const hop of [first, middle, last]) {
      expect(hop.connections()).toBe(1);
      expect(hop.requests).toHaveLength(1);
      expect(hop.requests[0]?.headers).toEqual({
        host: `127.0.0.1:${hop.port}`,
        connection: 'close',
        'user-agent': 'Patchbay/test',
        'accept-encoding': 'identity',
        accept: '*/*',
        range: 'bytes=10-19',
      });
    }
  });

  it('follows a relative redirect', async () => {
    const { url } = await serve((request, response) =>
      request.url === '/other' ? cdn(request, response) : redirectTo('/other')(request, response),
    );
    expect((await makeFiles().open(url, undefined, makeCall())).length).toBe(file.length);
  });

  it('gives up after five redirects', async () => {
    const around: Sentinel & { url: string } = await serve((request, response) =>
      redirectTo(`/again?${request.url?.length}`)(request, response),
    );
    await expect(makeFiles().open(around.url, undefined, makeCall())).rejects.toMatchObject({
      code: 'upstream_content_unavailable',
    });
    expect(around.requests).toHaveLength(6);
  });

  it('never connects to a URL that the guard refuses, also not after a redirect', async () => {
    const refused = await serve(cdn);
    const allowed = createServer(redirectTo(refused.url)).listen(0, '127.0.0.2');
    await once(allowed, 'listening');
    open.push({ close: async () => void allowed.close() });
    // Safe: a listening TCP server has an address with a port.
    const { port } = allowed.address() as AddressInfo;
    const call = makeCall();
    const opening = makeFiles({ allow: '127.0.0.2/32' }).open(`http://127.0.0.2:${port}/file`, undefined, call);
    await expect(opening).rejects.toMatchObject({
      code: 'upstream_content_unavailable',
      message: 'The file could not be read from the provider. Try again in a moment.',
    });
    expect(refused.connections()).toBe(0);
    expect(call.log.lines).toMatchObject([{ level: 'warn', fields: { code: 'not_allowed' } }]);
  });

  it.each([404, 410])('says that the file has expired when the answer is %i', async (status) => {
    const { url } = await serve(send(status, {}, 'gone'));
    for (const part of [undefined, { start: 5 }, 'head'] as const)
      await expect(makeFiles().open(url, part, makeCall())).rejects.toMatchObject({ code: 'video_expired' });
  });

  const page = Buffer.concat([file.subarray(0, 2_000)]);
  it.each<[string, ContentPart, RequestListener]>([
    ['a 403', undefined, send(403, {}, 'no')],
    ['a 500', undefined, send(500, {}, 'no')],
    ['a 204', undefined, send(204, {}, '')],
    ['a 304', undefined, send(304, {}, '')],
    ['a redirect without a URL', undefined, send(302, {}, '')],
    ['a page', undefined, send(200, { 'content-type': 'text/html; charset=utf-8' }, page)],
    ['JSON', undefined, send(200, { 'content-type': 'application/json' }, page)],
    ['bytes that are no MP4 file', undefined, send(200, {}, Buffer.alloc(5_000, 'x'))],
    ['another type in a skipped beginning', { start: 2_000 }, send(200, {}, Buffer.alloc(5_000, 'x'))],
    ['an empty file', undefined, send(200, {}, '')],
    ['a file of 1,024 bytes', undefined, send(200, { 'content-length': 1_024 }, mp4Bytes(1_024))],
    ['a content encoding', undefined, send(200, { 'content-encoding': 'gzip' }, file)],
    ['a part that was not requested', undefined, send(206, { 'content-range': 'bytes 0-299999/300000' })],
    ['a 416 without a range', undefined, send(416, {}, '')],
    ['a part without its place', { start: 10 }, send(206, {}, file.subarray(10))],
    ['another part', { start: 10 }, send(206, { 'content-range': 'bytes 0-299999/300000' })],
    ['a shorter part', { start: 0 }, send(206, { 'content-range': 'bytes 0-9999/300000' }, file.subarray(0, 10_000))],
    ['a part beyond the file', { start: 0 }, send(206, { 'content-range': 'bytes 0-300000/300000' })],
    [
      'a part with another length',
      { start: 0, end: 9 },
      send(206, { 'content-range': 'bytes 0-9/300000', 'content-length': 11 }, file.subarray(0, 11)),
    ],
    ['an answer that is not HTTP', undefined, (_request, response) => void response.socket?.end('hello\r\n\r\n')],
    ['a closed connection', undefined, (_request, response) => void response.destroy()],
  ])('refuses %s', async (_name, part, answer) => {
    const { url } = await serve(answer);
    await expect(makeFiles().open(url, part, makeCall())).rejects.toMatchObject({
      code: 'upstream_content_unavailable',
    });
  });

  it('refuses a connection that breaks within the first bytes', async () => {
    const { url } = await serve((_request, response) => {
      response.writeHead(200, { 'content-length': file.length }).write(file.subarray(0, 5));
      setTimeout(() => response.destroy(), 20);
    });
    await expect(makeFiles().open(url, undefined, makeCall())).rejects.toMatchObject({
      code: 'upstream_content_unavailable',
    });
  });

  it.each([undefined, { start: 1_000 }, { start: -1_000 }])(
    'without a length and ranges, streams the whole file for %j',
    async (part) => {
      const { url } = await serve((_request, response) => {
        response.write(file.subarray(0, 4));
        setTimeout(() => response.end(file.subarray(4)), 10);
      });
      const { body, ...facts } = await makeFiles().open(url, part, makeCall());
      expect(facts).toEqual({ status: 200, start: 0 });
      expect(Buffer.compare(await buffer(body), file)).toBe(0);
    },
  );

  it('ends with an error when the connection breaks in the middle', async () => {
    const { url } = await serve((_request, response) => {
      response.writeHead(200, { 'content-length': file.length }).write(file.subarray(0, file.length / 2));
      setTimeout(() => response.destroy(), 20);
    });
    const { body } = await makeFiles().open(url, undefined, makeCall());
    await expect(buffer(body)).rejects.toThrow();
  });

  it('ends with an error when a part is shorter than the server stated', async () => {
    const { url } = await serve((_request, response) => {
      response.writeHead(206, { 'content-range': 'bytes 0-299999/300000' });
      response.end(file.subarray(0, 100_000));
    });
    const { body, length } = await makeFiles().open(url, { start: 0 }, makeCall());
    expect(length).toBe(300_000);
    await expect(buffer(body)).rejects.toMatchObject({ code: 'upstream_content_unavailable' });
  });

  it('cuts a part that is longer than the server stated', async () => {
    const { url } = await serve((_request, response) => {
      response.writeHead(206, { 'content-range': 'bytes 0-9999/300000' });
      response.end(file);
    });
    const { body } = await makeFiles().open(url, { start: 0, end: 9_999 }, makeCall());
    expect(Buffer.compare(await buffer(body), file.subarray(0, 10_000))).toBe(0);
  });

  it('cuts a file that is longer than its Content-Length', async () => {
    const { url } = await serve((_request, response) => {
      response.socket?.write(`HTTP/1.1 200 OK\r\ncontent-length: 200000\r\n\r\n`);
      response.socket?.end(file);
    });
    const { body } = await makeFiles().open(url, undefined, makeCall());
    expect(Buffer.compare(await buffer(body), file.subarray(0, 200_000))).toBe(0);
  });

  it('closes its connection when the body has been read, is destroyed, or is cut', async () => {
    const closed: Promise<unknown>[] = [];
    const { url } = await serve((request, response) => {
      closed.push(once(request.socket, 'close'));
      ignoringRanges(request, response);
    });
    await buffer((await makeFiles().open(url, undefined, makeCall())).body);
    (await makeFiles().open(url, undefined, makeCall())).body.destroy();
    await buffer((await makeFiles().open(url, { start: 0, end: 9 }, makeCall())).body);
    await Promise.all(closed);
    expect(closed).toHaveLength(3);
  });
});

describe('open for head', () => {
  it('resolves with the length of the file and no body', async () => {
    const { url, requests } = await serve(cdn);
    const { body, ...facts } = await makeFiles().open(url, 'head', makeCall());
    expect(facts).toEqual({ status: 200, start: 0, length: file.length, total: file.length });
    expect(await buffer(body)).toHaveLength(0);
    expect(requests.map(({ method }) => method)).toEqual(['HEAD']);
  });

  it.each([
    ['knows ranges', cdn],
    ['ignores ranges', ignoringRanges],
  ])('asks for the first byte if HEAD is refused by a server that %s', async (_name, answer) => {
    const { url, requests } = await serve((request, response) =>
      request.method === 'HEAD' ? send(403, {}, '')(request, response) : answer(request, response),
    );
    const { body, ...facts } = await makeFiles().open(url, 'head', makeCall());
    expect(facts).toEqual({ status: 200, start: 0, length: file.length, total: file.length });
    expect(await buffer(body)).toHaveLength(0);
    expect(requests.map(({ method, headers }) => [method, headers.range])).toEqual([
      ['HEAD', undefined],
      ['GET', 'bytes=0-0'],
    ]);
  });

  it('leaves the length out when the server does not state it', async () => {
    const { url } = await serve((_request, response) => void response.writeHead(200).end());
    const { body, ...facts } = await makeFiles().open(url, 'head', makeCall());
    expect(facts).toEqual({ status: 200, start: 0 });
    body.destroy();
  });
});

describe('time', () => {
  it('refuses a server that sends no headers for 30 s', async () => {
    const { url } = await serve(() => {});
    const opening = makeFiles({ clock: fastClock(300) }).open(url, undefined, makeCall());
    await expect(opening).rejects.toMatchObject({
      code: 'upstream_content_unavailable',
      extra: { detail: 'The file could not be read: timeout.' },
    });
  });

  const startAndStop: RequestListener = (_request, response) =>
    void response.writeHead(200, { 'content-length': file.length }).write(file.subarray(0, 50_000));

  it('ends a download that is silent for 30 s while its reader waits', async () => {
    const { url } = await serve(startAndStop);
    const { body } = await makeFiles({ clock: fastClock(100) }).open(url, undefined, makeCall());
    await expect(buffer(body)).rejects.toMatchObject({ extra: { detail: 'The server sent nothing for 30000 ms.' } });
  });

  it('does not end a download whose reader is slow', async () => {
    const { url } = await serve(cdn);
    const { body } = await makeFiles({ clock: fastClock(1_000) }).open(url, undefined, makeCall());
    // Ten times as long as the timeout for silence.
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect((await buffer(body)).length).toBe(file.length);
  });

  /** Resolves when the stream has ended in any way. */
  const closed = (body: Readable) => new Promise<void>((resolve) => body.once('close', resolve));

  it.each<[string, RequestListener]>([
    ['waits for headers', () => {}],
    [
      'waits for the first bytes',
      (_request, response) => response.writeHead(200, { 'content-length': file.length }).flushHeaders(),
    ],
  ])('rejects with the reason of the signal when it aborts while the call %s', async (_name, answer) => {
    const { url } = await serve(answer);
    const controller = new AbortController();
    const opening = makeFiles().open(url, undefined, makeCall(controller.signal));
    setTimeout(() => controller.abort(new Error('enough')), 100);
    await expect(opening).rejects.toThrow('enough');
  });

  it('ends at an abort a download that gets a byte a second', async () => {
    let hungUp: Promise<unknown> | undefined;
    const { url } = await serve((request, response) => {
      response.writeHead(200, { 'content-length': file.length }).write(file.subarray(0, 100));
      const timer = setInterval(() => response.write('x'), 1_000);
      hungUp = once(request.socket, 'close').then(() => clearInterval(timer));
    });
    const controller = new AbortController();
    const { body } = await makeFiles().open(url, undefined, makeCall(controller.signal));
    const reading = buffer(body);
    controller.abort(new Error('enough'));
    await expect(reading).rejects.toThrow('enough');
    await hungUp;
  });

  it('ends at an abort while bytes wait unread', async () => {
    let hungUp: Promise<unknown> | undefined;
    const { url } = await serve((request, response) => {
      hungUp = once(request.socket, 'close');
      cdn(request, response);
    });
    const controller = new AbortController();
    const { body } = await makeFiles().open(url, undefined, makeCall(controller.signal));
    body.on('error', () => {});
    const ended = closed(body);
    controller.abort();
    await Promise.all([ended, hungUp]);
    expect(body.destroyed).toBe(true);
  });

  it('slows the server down while its reader takes nothing', async () => {
    let written = 0;
    const { url } = await serve((_request, response) => {
      response.writeHead(200, { 'content-length': 200 * 1024 * 1024 });
      const write = () => {
        while (written < 200 * 1024 * 1024) {
          const chunk = written === 0 ? file.subarray(0, 64 * 1024) : Buffer.alloc(64 * 1024);
          written += chunk.length;
          if (!response.write(chunk)) return void response.once('drain', write);
        }
      };
      write();
    });
    const { body } = await makeFiles().open(url, undefined, makeCall());
    let last = -1;
    // Until the buffers of the sockets are full.
    await expect.poll(() => last === (last = written), { interval: 200, timeout: 10_000 }).toBe(true);
    expect(written).toBeLessThan(20 * 1024 * 1024);
    body.destroy();
  });

  it('ends every download when it is closed', async () => {
    const { url } = await serve(startAndStop);
    const files = makeFiles();
    const { body } = await files.open(url, undefined, makeCall());
    const reading = buffer(body);
    await Promise.all([expect(reading).rejects.toThrow(), files.close()]);
    await expect(files.open(url, undefined, makeCall())).rejects.toMatchObject({
      code: 'upstream_content_unavailable',
    });
  });
});

describe('upload', () => {
  it.each(['PUT', 'POST'] as const)('sends the body and the headers of the slot with %s', async (method) => {
    const { url, requests } = await serve((_request, response) => void response.writeHead(200).end('ok'));
    const headers = { 'content-type': 'image/png', 'x-slot': '1', Host: 'other.example' };
    await makeFiles().upload({ url, method, headers }, Buffer.from('picture'), makeCall());
    expect(requests).toMatchObject([
      {
        method,
        body: 'picture',
        headers: { 'content-type': 'image/png', 'content-length': '7', 'x-slot': '1', 'user-agent': 'Patchbay/test' },
      },
    ]);
    expect(requests[0]?.headers.host).toBe(new URL(url).host);
  });

  it.each([
    ['later', 503],
    ['later', 429],
    ['elsewhere', 403],
    ['elsewhere', 307],
  ] as const)('rejects with %s, nothing started, for the status %i', async (retry, status) => {
    const { url } = await serve(send(status, { location: '/other' }, ''));
    const uploading = makeFiles().upload({ url, method: 'PUT', headers: {} }, Buffer.from('x'), makeCall());
    await expect(uploading).rejects.toMatchObject({ extra: { upstream: { retry, started: 'no' } } });
  });

  it('rejects without a connection for a URL that the guard refuses', async () => {
    const { url, connections } = await serve(cdn);
    const uploading = makeFiles({ allow: '127.0.0.2/32' }).upload(
      { url, method: 'PUT', headers: {} },
      Buffer.from('x'),
      makeCall(),
    );
    await expect(uploading).rejects.toMatchObject({ extra: { upstream: { retry: 'later', started: 'no' } } });
    expect(connections()).toBe(0);
  });
});
