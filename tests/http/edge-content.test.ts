import { once } from 'node:events';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { GatewayError } from '../../lib/domain/errors';
import { DONE, ETAG, FILE, fileContent, QUEUED, startEdge, type RunningEdge } from '../support/edge';

let edge: RunningEdge;
beforeEach(async () => {
  edge = await startEdge();
});
afterEach(() => edge.close());

const path = `/v1/videos/${DONE}/content`;
const get = (headers: Record<string, string> = {}, method = 'GET') =>
  edge.fetch(path, { method, headers: { ...edge.authorized, ...headers } });

describe('GET /v1/videos/{id}/content', () => {
  it('streams the file with every header that a player needs', async () => {
    const response = await get();
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'video/mp4',
      'content-length': '1000',
      'accept-ranges': 'bytes',
      etag: ETAG,
      'content-disposition': `inline; filename="${DONE}.mp4"`,
      'cache-control': 'private, max-age=300',
      'x-content-type-options': 'nosniff',
    });
    expect(Buffer.from(await response.arrayBuffer()).equals(FILE)).toBe(true);
  });

  it.each([
    ['bytes=0-99', 206, 'bytes 0-99/1000', [0, 100]],
    ['bytes=500-', 206, 'bytes 500-999/1000', [500, 1000]],
    ['bytes=990-2000', 206, 'bytes 990-999/1000', [990, 1000]],
    ['bytes=-10', 206, 'bytes 990-999/1000', [990, 1000]],
    ['bytes=-5000', 206, 'bytes 0-999/1000', [0, 1000]],
    ['bytes=999-999', 206, 'bytes 999-999/1000', [999, 1000]],
    ['bytes=0-1,5-6', 200, null, [0, 1000]],
    ['bytes=9-1', 200, null, [0, 1000]],
    ['lines=1-2', 200, null, [0, 1000]],
    ['nonsense', 200, null, [0, 1000]],
  ] as const)('Range %j is %d %j', async (range, status, contentRange, [from, to]) => {
    const response = await get({ range });
    expect(response.status).toBe(status);
    expect(response.headers.get('content-range')).toBe(contentRange);
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(bytes.equals(FILE.subarray(from, to))).toBe(true);
    expect(response.headers.get('content-length')).toBe(String(to - from));
  });

  it.each(['bytes=1000-', 'bytes=-0', 'bytes=99999999999999999999-'])(
    'Range %j is 416 with the length of the file',
    async (range) => {
      const response = await get({ range });
      expect([response.status, response.headers.get('content-range'), response.headers.get('cache-control')]).toEqual([
        416,
        'bytes */1000',
        'no-store',
      ]);
      expect(await response.json()).toMatchObject({
        error: { code: 'range_not_satisfiable', message: expect.stringContaining('1000 bytes') as string },
      });
    },
  );

  it.each([
    [ETAG, 206],
    ['"other"', 200],
    [`W/${ETAG}`, 200],
    ['Wed, 21 Oct 2026 07:28:00 GMT', 200],
  ])('If-Range %j makes a range %d', async (ifRange, status) => {
    expect((await get({ range: 'bytes=0-9', 'if-range': ifRange })).status).toBe(status);
  });

  it('is 304 for a client that has it, without opening it', async () => {
    edge.openBody = (part) => {
      throw new Error(`The file was opened: ${String(part)}`);
    };
    const response = await get({ 'if-none-match': `"x", ${ETAG}`, range: 'bytes=5000-' });
    expect([response.status, response.headers.get('etag'), await response.text()]).toEqual([304, ETAG, '']);
  });

  it('HEAD returns the headers of the whole file, and asks its source for nothing more', async () => {
    const content = fileContent(FILE, undefined);
    edge.openBody = (part) => {
      expect(part).toBe('head');
      return content;
    };
    const response = await get({ range: 'bytes=0-9' }, 'HEAD');
    expect([
      response.status,
      response.headers.get('content-length'),
      response.headers.get('content-type'),
      await response.text(),
    ]).toEqual([200, '1000', 'video/mp4', '']);
    expect(content.body.destroyed).toBe(true);
  });

  it('opens with its signed link without a key, and with nothing else', async () => {
    const signed = await edge.fetch(`${path}?expires=1&signature=good`, { headers: { range: 'bytes=0-9' } });
    expect([signed.status, (await signed.arrayBuffer()).byteLength]).toEqual([206, 10]);
    expect(edge.addresses).toEqual([]);
    const forged = await edge.fetch(`${path}?expires=1&signature=bad`, { headers: edge.authorized });
    expect([forged.status, await forged.json()]).toMatchObject([403, { error: { code: 'invalid_signature' } }]);
    expect((await edge.fetch(`${path}?expires=1`)).status).toBe(401);
    expect((await edge.fetch(`/v1/videos/${DONE}?signature=good`)).status).toBe(401);
  });

  it.each([
    ['video', 200],
    ['', 200],
    ['thumbnail', 400],
    ['spritesheet', 400],
  ])('?variant=%s is %d', async (variant, status) => {
    const response = await edge.fetch(`${path}?variant=${variant}`, { headers: edge.authorized });
    expect(response.status).toBe(status);
    if (status === 400)
      expect(await response.json()).toMatchObject({ error: { code: 'unsupported_value', param: 'variant' } });
  });

  it('of an unfinished video is a 409 that no SDK retries', async () => {
    const response = await edge.fetch(`/v1/videos/${QUEUED}/content`, { headers: edge.authorized });
    expect(Object.fromEntries(response.headers)).toMatchObject({ 'x-should-retry': 'false', 'retry-after': '5' });
    expect([response.status, await response.json()]).toMatchObject([409, { error: { code: 'video_not_ready' } }]);
  });

  it('is 502 when the source fails before its first byte', async () => {
    edge.openBody = () => ({
      ...fileContent(FILE, undefined),
      body: new Readable({
        read() {
          this.destroy(new Error('reset'));
        },
      }),
    });
    const response = await get();
    expect([response.status, await response.json()]).toMatchObject([
      502,
      { error: { code: 'upstream_content_unavailable' } },
    ]);
    expect(response.headers.get('content-type')).toContain('json');
    edge.openBody = () => ({
      ...fileContent(FILE, undefined),
      body: new Readable({
        read() {
          this.destroy(new GatewayError('video_expired', 'Gone.'));
        },
      }),
    });
    expect((await get()).status).toBe(410);
  });

  it.each([
    ['fails in the middle', (body: Readable) => body.destroy(new Error('reset'))],
    ['ends before its length', (body: Readable) => body.push(null)],
  ])('is cut off, never completed, when the source %s', async (_what, stop) => {
    let pushed = false;
    edge.openBody = () => ({
      ...fileContent(FILE, undefined),
      body: new Readable({
        read() {
          if (pushed) return;
          pushed = true;
          this.push(FILE.subarray(0, 500));
          setImmediate(() => stop(this));
        },
      }),
    });
    const response = await get();
    expect(response.status).toBe(200);
    await expect(response.arrayBuffer()).rejects.toThrow();
  });
});

/** An endless source that counts the chunks that were read. */
function endless() {
  let bytes = 0;
  const chunk = Buffer.alloc(64 * 1024);
  const body = new Readable({
    read() {
      bytes += chunk.length;
      this.push(chunk);
    },
  });
  return { body, bytes: () => bytes };
}

describe('a slow reader or one that disconnects', () => {
  const requestText = `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer live-key\r\n\r\n`;

  it('that stops reading also pauses the source', async () => {
    const source = endless();
    edge.openBody = () => ({
      ...fileContent(FILE, undefined),
      status: 200,
      start: 0,
      body: source.body,
      length: 10 ** 12,
    });
    const socket = await edge.connect();
    socket.pause();
    socket.write(requestText);
    // The kernel's buffers fill first; then nothing more is read, for any time.
    let before = -1;
    await expect
      .poll(
        () => {
          const same = source.bytes() > 0 && source.bytes() === before;
          before = source.bytes();
          return same;
        },
        { interval: 200, timeout: 10_000 },
      )
      .toBe(true);
    expect(source.bytes()).toBeLessThan(32 * 1024 * 1024);
    socket.destroy();
    await expect.poll(() => source.body.destroyed).toBe(true);
  });

  it('that disconnects aborts the request to the source', async () => {
    let aborted: AbortSignal | undefined;
    edge.openBody = (_range, signal) => {
      aborted = signal;
      return { ...fileContent(FILE, undefined), length: 10 ** 12, body: endless().body };
    };
    const socket = await edge.connect();
    socket.write(requestText);
    await once(socket, 'data');
    expect(aborted?.aborted).toBe(false);
    socket.destroy();
    await expect.poll(() => aborted?.aborted).toBe(true);
  });

  it('a finished answer aborts nothing', async () => {
    let seen: AbortSignal | undefined;
    edge.openBody = (range, signal) => {
      seen = signal;
      return fileContent(FILE, range);
    };
    await (await get()).arrayBuffer();
    await edge.fetch('/livez');
    expect(seen?.aborted).toBe(false);
  });
});

describe("the end of a submission's answer", () => {
  it('is "closed" when the client disconnects before it', async () => {
    let submitted: () => void = () => {};
    let left: () => void = () => {};
    const gone = new Promise<void>((resolve) => (left = resolve));
    const arrived = new Promise<void>((resolve) => (submitted = resolve));
    const { submit } = edge.gateway.videos;
    Object.assign(edge.gateway.videos, {
      async submit(...args: Parameters<typeof submit>) {
        submitted();
        await gone;
        return submit(...args);
      },
    });
    const socket = await edge.connect();
    const body = '{"model":"m"}';
    socket.write(
      `POST /v1/videos HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer live-key\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    await arrived;
    socket.destroy();
    await once(socket, 'close');
    // The server notices over the loopback; a request on another connection arrives later.
    await edge.fetch('/livez');
    left();
    await expect.poll(() => edge.ends).toEqual([{ id: expect.stringMatching(/^video_/), how: 'closed' }]);
  });

  it('that cannot be recorded does not affect the answer', async () => {
    Object.assign(edge.gateway.videos, {
      recordAnswer() {
        throw new Error('no');
      },
    });
    const response = await edge.fetch('/v1/videos', {
      method: 'POST',
      headers: { ...edge.authorized, 'content-type': 'application/json' },
      body: '{}',
    });
    expect(response.status).toBe(202);
    await expect.poll(() => edge.log.lines.some(({ message }) => message.includes('could not be recorded'))).toBe(true);
  });
});
