import { describe, expect, it } from 'vitest';
import type { MessagesBody } from '../../../../lib/domain/messages';
import { inlineImages } from '../../../../lib/providers/kit/messages/inline-images';
import { recordLog } from '../../../support/log';

const call = { signal: new AbortController().signal, log: recordLog() };
const picture = (url: string) => ({ type: 'image', source: { type: 'url', url } }) as const;
const bodyOf = (urls: readonly string[]): MessagesBody => ({
  model: 'm',
  max_tokens: 1,
  messages: [{ role: 'user', content: urls.map(picture) }],
});
const urls = (count: number) => Array.from({ length: count }, (_, at) => `https://example.com/${at}.png`);

function makeMedia(bytes = 10) {
  const media = {
    reads: 0,
    running: 0,
    most: 0,
    aborted: 0,
    held: 0,
    async read(_url: string, _want: unknown, { signal }: { signal: AbortSignal }) {
      media.reads += 1;
      media.most = Math.max(media.most, (media.running += 1));
      await new Promise((resolve) => setTimeout(resolve, 2));
      media.running -= 1;
      if (signal.aborted) media.aborted += 1;
      media.held += 1;
      return { bytes: new Uint8Array(bytes), contentType: 'image/png' as const, release: () => void (media.held -= 1) };
    },
  };
  return media;
}

describe('images by URL', () => {
  it('are read four at a time, at most twenty per request', async () => {
    const media = makeMedia();
    await inlineImages(bodyOf(urls(20)), media, call);
    expect([media.reads, media.most, media.held]).toEqual([20, 4, 0]);
    await expect(inlineImages(bodyOf(urls(21)), media, call)).rejects.toMatchObject({
      code: 'unsupported_value',
      extra: { param: 'messages', upstream: { retry: 'never' } },
    });
    expect(media.reads).toBe(20);
  });

  it('may have 60 MiB together, even if one occurs many times', async () => {
    const mebibyte = 1024 * 1024;
    await inlineImages(bodyOf(urls(20)), makeMedia(3 * mebibyte), call);
    const media = makeMedia(10 * mebibyte);
    await expect(inlineImages(bodyOf(urls(20)), media, call)).rejects.toMatchObject({ code: 'media_too_large' });
    expect(media.reads).toBeLessThan(12);
    await expect(
      inlineImages(
        bodyOf(Array.from({ length: 100 }, () => 'https://example.com/same.png')),
        makeMedia(mebibyte),
        call,
      ),
    ).rejects.toMatchObject({ code: 'media_too_large' });
  });
});
