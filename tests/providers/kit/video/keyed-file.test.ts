import type { RequestListener } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../../lib/domain/clock';
import type { ContentPart } from '../../../../lib/domain/files';
import { parseCidrs } from '../../../../lib/net/public-address';
import { createRemoteFiles } from '../../../../lib/net/remote-files';
import { createUpstream } from '../../../../lib/providers/kit/http/http';
import { openKeyedFile } from '../../../../lib/providers/kit/video/keyed-file';
import { recordLog } from '../../../support/log';
import { mp4Bytes } from '../../../support/media-bytes';
import { startSentinel } from '../../../support/sentinel';

const file = mp4Bytes(50_000);
const key = 'the key';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of open.splice(0).toReversed()) await each.close();
});

async function serve(answer: RequestListener) {
  const sentinel = await startSentinel(answer);
  open.push(sentinel);
  return { ...sentinel, origin: `http://127.0.0.1:${sentinel.port}` };
}

const wholeFile: RequestListener = (request, response) => {
  response.writeHead(200, { 'content-length': file.length });
  response.end(request.method === 'HEAD' ? undefined : file);
};

async function openFrom(answer: RequestListener, part: ContentPart, signal = new AbortController().signal) {
  const vendor = await serve(answer);
  const upstream = createUpstream({ baseUrl: vendor.origin, clock: systemClock });
  const files = createRemoteFiles({
    allow: parseCidrs(['127.0.0.0/8']),
    userAgent: 'Patchbay/test',
    clock: systemClock,
  });
  open.push(upstream, files);
  return openKeyedFile(
    upstream,
    { path: '/files/1:download?alt=media', headers: { 'x-goog-api-key': key } },
    part,
    { files, clock: systemClock },
    { signal, log: recordLog() },
  );
}

describe('openKeyedFile', () => {
  it('sends the key and the range to the vendor, and cuts a file that ignores the range', async () => {
    let seen: unknown;
    const { body, ...facts } = await openFrom(
      (request, response) => {
        seen = [request.method, request.url, request.headers['x-goog-api-key'], request.headers.range];
        wholeFile(request, response);
      },
      { start: 100, end: 199 },
    );
    expect(facts).toEqual({ status: 206, start: 100, length: 100, total: file.length });
    expect(await buffer(body)).toEqual(file.subarray(100, 200));
    expect(seen).toEqual(['GET', '/files/1:download?alt=media', key, 'bytes=100-199']);
  });

  it('finds the length of a file', async () => {
    const { body, ...facts } = await openFrom(wholeFile, 'head');
    expect(facts).toEqual({ status: 200, start: 0, length: file.length, total: file.length });
    expect(await buffer(body)).toHaveLength(0);
  });

  it.each<[ContentPart, number]>([
    [undefined, file.length],
    [{ start: -1_000 }, 1_000],
    ['head', 0],
  ])('opens the target of a redirect without the key, for %j', async (part, length) => {
    const cdn = await serve(wholeFile);
    const content = await openFrom(
      (_request, response) => void response.writeHead(302, { location: `${cdn.origin}/x` }).end(),
      part,
    );
    expect(await buffer(content.body)).toHaveLength(length);
    expect(content.total).toBe(file.length);
    expect(cdn.requests).toHaveLength(1);
    expect(JSON.stringify(cdn.requests)).not.toContain(key);
  });

  it.each([
    [404, 'video_expired'],
    [403, 'upstream_content_unavailable'],
    [302, 'upstream_content_unavailable'],
  ])('rejects a %i without a URL as %s', async (status, code) => {
    const opening = openFrom((_request, response) => void response.writeHead(status).end('{}'), undefined);
    await expect(opening).rejects.toMatchObject({ code });
  });

  it('learns the length without HEAD, which an API may answer as if the file had been deleted', async () => {
    const methods: unknown[] = [];
    const content = await openFrom((request, response) => {
      methods.push(request.method);
      if (request.method === 'HEAD') return void response.writeHead(404).end();
      response.writeHead(206, { 'content-range': `bytes 0-0/${file.length}`, 'content-length': 1 });
      response.end(file.subarray(0, 1));
    }, 'head');
    expect(content).toMatchObject({ status: 200, start: 0, length: file.length, total: file.length });
    expect(methods).toEqual(['GET']);
  });

  it('rejects a closed connection as content that cannot be read', async () => {
    const opening = openFrom((_request, response) => void response.destroy(), undefined);
    await expect(opening).rejects.toMatchObject({ code: 'upstream_content_unavailable' });
  });

  it('ends at an abort while bytes wait unread', async () => {
    const controller = new AbortController();
    const { body } = await openFrom(wholeFile, undefined, controller.signal);
    const ended = new Promise<unknown>((resolve) => body.once('error', resolve));
    const reason = new Error('enough');
    controller.abort(reason);
    expect(await ended).toBe(reason);
  });
});
