import type { RequestListener } from 'node:http';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Call } from '../../../lib/domain/call';
import type { ByteRange, Content } from '../../../lib/domain/files';
import { GatewayError } from '../../../lib/domain/errors';
import { newId } from '../../../lib/domain/ids';
import type { MediaInForm } from '../../../lib/domain/provider';
import { createMediaSource } from '../../../lib/net/media-source';
import { recordLog } from '../../support/log';
import { makeOutbound } from '../../support/make-outbound';
import { mp4Bytes, pngBytes } from '../../support/media-bytes';
import { probeHere } from '../../support/probe';
import { startSentinel, type Sentinel } from '../../support/sentinel';
import { RESULT } from '../../support/upstreams/fake-video-vendor';

const owner = { orgId: newId('org'), mode: 'live' } as const;
let call: Call;
beforeEach(() => {
  call = { signal: new AbortController().signal, log: recordLog() };
});

let sentinel: Sentinel | undefined;
afterEach(async () => {
  await sentinel?.close();
  sentinel = undefined;
});

async function serve(answer: RequestListener) {
  sentinel = await startSentinel(answer);
  return `http://127.0.0.1:${sentinel.port}/file?signature=word`;
}

/** The file of a link of this installation, or the part of it. */
function contentOf(bytes: Buffer, part?: ByteRange): Content {
  const body = part ? bytes.subarray(part.start, (part.end ?? Infinity) + 1) : bytes;
  return { status: part ? 206 : 200, start: part?.start ?? 0, total: bytes.length, body: Readable.from([body]) };
}

function makeSource(
  openOwn: Parameters<typeof createMediaSource>[0]['openOwn'] = async () => undefined,
  maxInlineBytes?: number,
) {
  return createMediaSource({
    outbound: makeOutbound({}, { allow: ['127.0.0.0/8'] }),
    openOwn,
    probe: probeHere,
    ...(maxInlineBytes !== undefined && { maxInlineBytes }),
  });
}

describe('read', () => {
  it('fetches an https URL and names the content by its bytes', async () => {
    const url = await serve(
      (_request, response) => void response.setHeader('content-type', 'text/html').end(pngBytes()),
    );
    expect(await makeSource().read(url, { kind: 'image', owner }, call)).toMatchObject({
      bytes: pngBytes(),
      contentType: 'image/png',
    });
  });

  it('decodes a data URL without a request', async () => {
    const url = `data:video/mp4;base64,${mp4Bytes().toString('base64')}`;
    expect((await makeSource().read(url, { kind: 'video', owner }, call)).contentType).toBe('video/mp4');
  });

  it('takes a link of this installation from storage, for its owner, without a request', async () => {
    const url = await serve((_request, response) => void response.end(pngBytes()));
    const source = makeSource(async (asked, by) =>
      asked === url && by.orgId === owner.orgId ? contentOf(mp4Bytes(1_000)) : undefined,
    );
    expect((await source.read(url, { kind: 'video', owner }, call)).bytes).toHaveLength(1_000);
    expect(sentinel?.connections()).toBe(0);
  });

  it.each([
    ['a page', 'image', Buffer.from('<html>'), 'must lead to a PNG, JPEG, WebP, GIF or AVIF image'],
    ['an empty answer', 'image', Buffer.alloc(0), 'must lead to a PNG'],
    ['an image instead of a video', 'video', pngBytes(), 'must lead to an MP4, QuickTime or WebM video'],
  ] as const)('refuses %s', async (_name, kind, body, sentence) => {
    const url = await serve((_request, response) => void response.end(body));
    const reading = makeSource().read(url, { kind, owner }, call);
    await expect(reading).rejects.toMatchObject({ code: 'media_invalid' });
    await expect(reading).rejects.toThrow(sentence);
  });

  it.each([404, 403, 500, 206, 304])(
    'says that the file could not be fetched when the answer is %i',
    async (status) => {
      const url = await serve(
        (_request, response) => void response.writeHead(status).end(status === 304 ? undefined : pngBytes()),
      );
      const reading = makeSource().read(url, { kind: 'image', owner }, call);
      await expect(reading).rejects.toMatchObject({ code: 'media_unreachable' });
      await expect(reading).rejects.toThrow(`status ${status}`);
    },
  );

  it('reads an image of at most 20 MB', async () => {
    const url = await serve((_request, response) => void response.end(pngBytes(20 * 1024 * 1024 + 1)));
    const reading = makeSource().read(url, { kind: 'image', owner }, call);
    await expect(reading).rejects.toMatchObject({ code: 'media_too_large' });
    await expect(reading).rejects.toThrow('larger than 20 MB');
  });

  it('rejects with the outcome that nothing has started and no other provider could read the media', async () => {
    const outcome = { extra: { upstream: { retry: 'never', started: 'no' } } };
    for (const url of ['https://10.0.0.1/file', 'data:image/png;base64,====', 'http://127.0.0.1:1/file'])
      await expect(makeSource().read(url, { kind: 'image', owner }, call)).rejects.toMatchObject(outcome);
  });

  it.each(['video_expired', 'upstream_content_unavailable', 'video_not_found'] as const)(
    'says %s of a link of this installation as media that cannot be read',
    async (code) => {
      const source = makeSource(async () => {
        throw new GatewayError(code, 'A sentence about that video.');
      });
      await expect(source.read('https://own.example/x', { kind: 'video', owner }, call)).rejects.toMatchObject({
        code: 'media_unreachable',
        extra: { upstream: { retry: 'never', started: 'no' } },
      });
    },
  );

  it('refuses a private address', async () => {
    await expect(makeSource().read('https://10.0.0.1/file', { kind: 'image', owner }, call)).rejects.toMatchObject({
      code: 'url_not_allowed',
    });
  });
});

describe('as', () => {
  const picture = pngBytes(3_000);
  const dataUrl = `data:image/jpeg;base64,${picture.toString('base64')}`;
  const image = (url: string) => ({ role: 'first_frame', url }) as const;
  const https = { form: 'https' } as const;

  const inline: [MediaInForm['form'], object][] = [
    ['data', { form: 'data', url: `data:image/png;base64,${picture.toString('base64')}` }],
    ['base64', { form: 'base64', data: picture.toString('base64'), contentType: 'image/png' }],
    ['bytes', { form: 'bytes', bytes: picture, contentType: 'image/png' }],
  ];

  it('leaves a public https URL to the provider, without a request', async () => {
    const url = 'https://pictures.example/a.png';
    expect(await makeSource().as(image(url), [https, { form: 'bytes' }], owner, call)).toEqual({ form: 'https', url });
  });

  it('leaves a signed link of a public installation to the provider, unread', async () => {
    const url = 'https://gateway.example/v1/videos/video_1/content?expires=1&signature=x';
    const source = makeSource(async () => {
      throw new Error('The file is not read.');
    });
    const media = { role: 'source_video', url } as const;
    expect(await source.as(media, [https, { form: 'bytes' }], owner, call)).toEqual({ form: 'https', url });
  });

  it.each([
    'http://pictures.example/a.png',
    'https://localhost/a.png',
    'https://gateway/a.png',
    'https://10.0.0.1/a.png',
    'https://[::1]/a.png',
    'https://gateway.internal/a.png',
  ])('reads %s here, because a provider could not', async (url) => {
    const source = makeSource(async () => contentOf(picture));
    expect(await source.as(image(url), [https, { form: 'bytes' }], owner, call)).toMatchObject({ form: 'bytes' });
    await expect(source.as(image(url), [https], owner, call)).rejects.toMatchObject({ code: 'media_invalid' });
  });

  it.each(inline)('sends a data URL as %s, with the type of its bytes', async (form, expected) => {
    expect(await makeSource().as(image(dataUrl), [https, { form }], owner, call)).toMatchObject(expected);
  });

  it.each(inline)('fetches an https URL for a provider that takes only %s', async (form, expected) => {
    const url = await serve((_request, response) => void response.end(picture));
    expect(await makeSource().as(image(url), [{ form }], owner, call)).toMatchObject(expected);
  });

  it('takes the first form whose limit the file keeps', async () => {
    const accepts = [
      { form: 'data', maxBytes: 2_999 },
      { form: 'base64', maxBytes: 3_000 },
      { form: 'bytes' },
    ] as const;
    expect(await makeSource().as(image(dataUrl), accepts, owner, call)).toMatchObject({ form: 'base64' });
    const url = 'https://pictures.example/a.png';
    const own = makeSource(async () => contentOf(picture));
    expect(await own.as(image(url), [{ form: 'data', maxBytes: 2_999 }, https], owner, call)).toMatchObject(https);
  });

  it('rejects media that are larger than the limit of every form', async () => {
    const accepts = [https, { form: 'data', maxBytes: 2_000 }, { form: 'bytes', maxBytes: 2_999 }] as const;
    const url = await serve((_request, response) => void response.end(picture));
    for (const one of [dataUrl, url]) {
      await expect(makeSource().as(image(one), accepts, owner, call)).rejects.toMatchObject({
        code: 'media_too_large',
        extra: { upstream: { retry: 'never', started: 'no' } },
      });
    }
  });

  describe('of a data URL that is published', () => {
    const publishedUrl = 'https://gateway.example/internal/videos/video_1/media/0.png?expires=1&signature=x';
    const published = { ...image(dataUrl), publishedUrl };

    it('is the link for a provider that takes nothing else', async () => {
      expect(await makeSource().as(published, [https], owner, call)).toEqual({ form: 'https', url: publishedUrl });
    });

    it.each(inline)('is %s for a provider that takes this too', async (form, expected) => {
      expect(await makeSource().as(published, [https, { form }], owner, call)).toMatchObject(expected);
    });

    it('is the link if the file is too large for every other form', async () => {
      const accepts = [https, { form: 'data', maxBytes: 2_999 }] as const;
      expect(await makeSource().as(published, accepts, owner, call)).toEqual({ form: 'https', url: publishedUrl });
    });
  });

  it('rejects a data URL if the provider takes only https URLs', async () => {
    const taking = makeSource().as(image(dataUrl), [https], owner, call);
    await expect(taking).rejects.toMatchObject({
      code: 'media_invalid',
      extra: { upstream: { retry: 'never', started: 'no' } },
    });
    await expect(taking).rejects.toThrow('takes media only as public https URLs.');
  });

  it.each(['read', 'as'] as const)(
    'waits for memory that %s holds, until it is released or aborted',
    async (holder) => {
      const source = makeSource(undefined, 5_000);
      const as = (signal: AbortSignal) => source.as(image(dataUrl), [{ form: 'bytes' }], owner, { ...call, signal });
      const read = (signal: AbortSignal) => source.read(dataUrl, { kind: 'image', owner }, { ...call, signal });
      const take = async (signal: AbortSignal) => (holder === 'as' ? as(signal) : read(signal));
      const first = await take(new AbortController().signal);
      const controller = new AbortController();
      let taken = 0;
      const second = read(controller.signal).then((media) => (taken += 1) && media);
      const third = as(new AbortController().signal).then((media) => (taken += 1) && media);
      await new Promise((resolve) => setImmediate(resolve));
      expect(taken).toBe(0);
      if ('release' in first) first.release();
      await second;
      expect(taken).toBe(1);
      controller.abort();
      await third;
    },
  );

  it('holds no memory after a failure', async () => {
    const source = makeSource(undefined, 5_000);
    for (let time = 0; time < 3; time += 1) {
      const { signal } = new AbortController();
      const reading = source.read(dataUrl, { kind: 'video', owner }, { ...call, signal });
      await expect(reading).rejects.toMatchObject({ code: 'media_invalid' });
      const taking = source.as(image(dataUrl), [{ form: 'data', maxBytes: 1 }], owner, { ...call, signal });
      await expect(taking).rejects.toMatchObject({ code: 'media_too_large' });
    }
  });
});

describe('measure', () => {
  const facts = { durationSeconds: 2, width: 160, height: 90 };
  /** A video of 50 MB whose index is at its end. */
  const gap = Buffer.alloc(50 * 1024 * 1024);
  gap.writeUInt32BE(gap.length, 0);
  gap.write('free', 4, 'latin1');
  const typeBytes = RESULT.readUInt32BE(0);
  const large = Buffer.concat([RESULT.subarray(0, typeBytes), gap, RESULT.subarray(typeBytes)]);
  const outcome = { extra: { upstream: { retry: 'never', started: 'no' } } };

  const sendPart =
    (file: Buffer): RequestListener =>
    ({ headers }, response) => {
      const [, start = '', end = ''] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '') ?? [];
      const last = Math.min(Number(end), file.length - 1);
      response
        .writeHead(206, { 'content-range': `bytes ${start}-${last}/${file.length}` })
        .end(file.subarray(Number(start), last + 1));
    };

  it('reads only the parts of a large file that have its index', async () => {
    const url = await serve(sendPart(large));
    expect(await makeSource().measure(url, owner, call)).toMatchObject(facts);
    expect(sentinel?.requests.length).toBeLessThanOrEqual(3);
  });

  it('asks for parts behind a redirect, too', async () => {
    const send = sendPart(large);
    const url = await serve((request, response) => {
      if (request.url?.startsWith('/file')) response.writeHead(302, { location: '/moved' }).end();
      else send(request, response);
    });
    expect(await makeSource().measure(url, owner, call)).toMatchObject(facts);
    expect(sentinel?.requests.every(({ headers }) => headers.range !== undefined)).toBe(true);
  });

  it.each([
    ['short', RESULT, 1],
    ['large', large, 2],
  ] as const)('reads a %s file whole if the server ignores ranges', async (_name, file, requests) => {
    const url = await serve((_request, response) => void response.end(file));
    expect(await makeSource().measure(url, owner, call)).toMatchObject(facts);
    expect(sentinel?.requests).toHaveLength(requests);
  });

  it('reads only the beginning of a large file that has its index there if the server ignores ranges', async () => {
    const url = await serve((_request, response) => void response.end(Buffer.concat([RESULT, gap])));
    expect(await makeSource().measure(url, owner, call)).toMatchObject(facts);
    expect(sentinel?.requests).toHaveLength(1);
  });

  it('reads parts of a file of this installation, for its owner', async () => {
    const parts: (ByteRange | undefined)[] = [];
    const source = makeSource(async (_url, by, part) => {
      parts.push(part);
      return by.orgId === owner.orgId ? contentOf(large, part) : undefined;
    });
    expect(await source.measure('https://own.example/x', owner, call)).toMatchObject(facts);
    expect(parts.length).toBeLessThanOrEqual(3);
    expect(parts).not.toContain(undefined);
  });

  it('reads a data URL without a request', async () => {
    const url = `data:video/mp4;base64,${RESULT.toString('base64')}`;
    expect(await makeSource().measure(url, owner, call)).toMatchObject(facts);
  });

  it.each([
    ['a page', 200, Buffer.from('<html></html>'), 'media_invalid'],
    ['a damaged video', 200, RESULT.subarray(0, 300), 'media_invalid'],
    ['an image', 200, pngBytes(), 'media_invalid'],
    ['an error', 404, Buffer.from('no'), 'media_unreachable'],
    ['a part that was not asked for', 206, RESULT, 'media_unreachable'],
  ])('refuses %s', async (_name, status, body, code) => {
    const url = await serve((_request, response) => void response.writeHead(status).end(body));
    await expect(makeSource().measure(url, owner, call)).rejects.toMatchObject({ code, ...outcome });
  });

  it('refuses a private address', async () => {
    const measuring = makeSource().measure('https://10.0.0.1/file', owner, call);
    await expect(measuring).rejects.toMatchObject({ code: 'url_not_allowed', ...outcome });
  });
});
