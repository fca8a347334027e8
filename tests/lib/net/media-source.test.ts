import type { RequestListener } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { newId } from '../../../lib/domain/ids';
import { createMediaSource } from '../../../lib/net/media-source';
import { recordLog } from '../../support/log';
import { makeOutbound } from '../../support/make-outbound';
import { mp4Bytes, pngBytes } from '../../support/media-bytes';
import type { Sentinel } from '../../support/sentinel';
import { startSentinel } from '../../support/sentinel';

const owner = { orgId: newId('org'), mode: 'live' } as const;
const call = { signal: new AbortController().signal, log: recordLog() };

let sentinel: Sentinel | undefined;
afterEach(async () => {
  await sentinel?.close();
  sentinel = undefined;
});

async function serve(answer: RequestListener) {
  sentinel = await startSentinel(answer);
  return `http://127.0.0.1:${sentinel.port}/file?signature=word`;
}

function makeSource(openOwn: Parameters<typeof createMediaSource>[0]['openOwn'] = async () => undefined) {
  return createMediaSource({ outbound: makeOutbound({}, { allow: ['127.0.0.0/8'] }), openOwn });
}

describe('read', () => {
  it('fetches an address and names the content by its bytes', async () => {
    const url = await serve(
      (_request, response) => void response.setHeader('content-type', 'text/html').end(pngBytes()),
    );
    expect(await makeSource().read(url, { kind: 'image', owner }, call)).toEqual({
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
      asked === url && by.orgId === owner.orgId ? mp4Bytes(1_000) : undefined,
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

  it('refuses a private address', async () => {
    await expect(makeSource().read('https://10.0.0.1/file', { kind: 'image', owner }, call)).rejects.toMatchObject({
      code: 'url_not_allowed',
    });
  });
});
