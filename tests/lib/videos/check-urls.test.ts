import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Account } from '../../../lib/domain/caller';
import { newId } from '../../../lib/domain/ids';
import type { MediaRole } from '../../../lib/domain/video';
import { createCheckUrls } from '../../../lib/videos/check-urls';
import { createLinks } from '../../../lib/videos/links';
import { makeOutbound } from '../../support/make-outbound';
import { mp4Bytes, pngBytes } from '../../support/media-bytes';

const account: Account = { orgId: newId('org'), mode: 'live' };
const links = createLinks({ secret: 'x'.repeat(32), baseUrl: 'https://gate.example' });
const publicName = [['93.184.216.34']];

const unhandled: unknown[] = [];
const note = (reason: unknown) => void unhandled.push(reason);
beforeEach(() => {
  unhandled.length = 0;
  process.on('unhandledRejection', note);
});
afterEach(async () => {
  await new Promise((resolve) => setTimeout(resolve, 20));
  process.off('unhandledRejection', note);
  expect(unhandled).toEqual([]);
});

function check(
  names: Parameters<typeof makeOutbound>[0],
  request: { media?: [MediaRole, string, string][]; webhook?: string },
  mayUse = false,
) {
  const outbound = makeOutbound(names, { ownHosts: ['gate.example'] });
  const checkUrls = createCheckUrls({ outbound, links, mayUse: async () => mayUse });
  const media = (request.media ?? []).map(([role, url, param]) => ({ role, url, param }));
  return {
    outbound,
    checked: checkUrls(account, { media, ...(request.webhook === undefined ? {} : { webhook: request.webhook }) }),
  };
}

describe('the URLs of a submission', () => {
  it('come back in one spelling, and each name is resolved once', async () => {
    const { outbound, checked } = check(
      { 'example.com': publicName, 'xn--bcher-kva.example': publicName },
      {
        media: [
          ['first_frame', 'HTTPS://Example.COM:443/a b.png?x=1#f', 'image_list[0]'],
          ['last_frame', 'https://bücher.example./ä', 'image_list[1]'],
        ],
        webhook: 'https://example.com',
      },
    );
    expect(await checked).toEqual({
      media: [
        { role: 'first_frame', url: 'https://example.com/a%20b.png?x=1#f' },
        { role: 'last_frame', url: 'https://xn--bcher-kva.example/%C3%A4' },
      ],
      webhook: 'https://example.com/',
    });
    expect(outbound.lookups).toHaveLength(3);
  });

  it('include that of a voice, which may also be a name', async () => {
    const check = (voice: string) => {
      const checkUrls = createCheckUrls({
        outbound: makeOutbound({ 'example.com': publicName }, {}),
        links,
        mayUse: async () => false,
      });
      return checkUrls(account, { media: [], parameters: { reference_voice: voice, watermark: true } });
    };
    for (const voice of [
      'http://169.254.169.254/latest',
      'https:127.0.0.1',
      ' http://10.0.0.1',
      'ftp://example.com/a.wav',
    ]) {
      await expect(check(voice), voice).rejects.toMatchObject({
        code: 'url_not_allowed',
        extra: { param: 'reference_voice' },
      });
    }
    expect(await check('HTTPS://Example.com/a b.wav')).toEqual({
      media: [],
      parameters: { reference_voice: 'https://example.com/a%20b.wav', watermark: true },
    });
    for (const voice of ['Vivian', 'longwan:v2', 'http'])
      expect((await check(voice)).parameters?.reference_voice).toBe(voice);
  });

  it('are checked at once if they contain an IP address, before any name is resolved', async () => {
    const { outbound, checked } = check(
      { 'example.com': publicName },
      {
        media: [
          ['first_frame', 'https://example.com/a', 'image_list[0]'],
          ['last_frame', 'https://127.1/', 'image_list[1]'],
        ],
      },
    );
    await expect(checked).rejects.toMatchObject({ code: 'url_not_allowed', extra: { param: 'image_list[1]' } });
    expect(outbound.lookups).toEqual([]);
  });

  it('give one clean error when a name is private and the webhook malformed, in either order', async () => {
    const names = { 'private.example': [['10.0.0.1']] };
    const media: [MediaRole, string, string][] = [['first_frame', 'https://private.example/a.png', 'image_url']];
    await expect(check(names, { media, webhook: 'not a URL' }).checked).rejects.toMatchObject({
      code: 'url_not_allowed',
      extra: { param: 'webhook' },
    });
    await expect(check(names, { media, webhook: 'https://private.example/hook' }).checked).rejects.toMatchObject({
      code: 'url_not_allowed',
    });
    await expect(check(names, { media: [...media, ...media, ...media] }).checked).rejects.toMatchObject({
      code: 'url_not_allowed',
      extra: { param: 'image_url' },
    });
    await expect(check(names, { media, webhook: 'https://10.0.0.1/' }, false).checked).rejects.toMatchObject({
      code: 'url_not_allowed',
      extra: { param: 'webhook' },
    });
  });

  it('whose name does not resolve, or not within 300 ms, are accepted and checked when they are called', async () => {
    const outbound = makeOutbound({});
    const limits: number[] = [];
    const slow = {
      ...outbound,
      checkName: async (_url: URL, use: { withinMs: number }) => void limits.push(use.withinMs),
    };
    await createCheckUrls({ outbound: slow, links, mayUse: async () => false })(account, {
      media: [{ role: 'first_frame', url: 'https://slow.example/', param: 'image_url' }],
      webhook: 'https://slow.example/',
    });
    expect(limits).toEqual([300, 300]);
    expect(await check({}, { webhook: 'https://nowhere.example/hook' }).checked).toMatchObject({
      webhook: 'https://nowhere.example/hook',
    });
  });

  it('that lead back to this installation are refused, unless they are a signed link of the same account', async () => {
    const link = links.sign(newId('video'), 99);
    const source = (url: string): { media: [MediaRole, string, string][] } => ({
      media: [['source_video', url, 'video_url']],
    });
    await expect(
      check({ 'gate.example': publicName }, source('https://gate.example/v1/videos')).checked,
    ).rejects.toMatchObject({ code: 'url_not_allowed' });
    await expect(check({}, { webhook: link }).checked).rejects.toMatchObject({
      code: 'url_not_allowed',
      extra: { param: 'webhook' },
    });
    await expect(check({}, source(link)).checked).rejects.toMatchObject({
      code: 'url_not_allowed',
      extra: { param: 'video_url' },
    });
    expect((await check({}, source(link), true).checked).media).toEqual([{ role: 'source_video', url: link }]);
    for (const param of ['image_url', 'image_list[0]'])
      await expect(check({}, { media: [['first_frame', link, param]] }, true).checked).rejects.toMatchObject({
        code: 'url_not_allowed',
        message: expect.stringMatching(
          `^${param.replace(/[[\]]/g, '\\$&')} must be an image, and this is the link of a video.`,
        ),
        extra: { param },
      });
  });

  it('may be data of the right kind and size, which is passed on unchanged', async () => {
    const png = `data:image/png;base64,${pngBytes().toString('base64')}`;
    const mp4 = `data:video/mp4;base64,${mp4Bytes().toString('base64')}`;
    expect(
      (
        await check(
          {},
          {
            media: [
              ['first_frame', png, 'image_url'],
              ['source_video', mp4, 'video_url'],
            ],
          },
        ).checked
      ).media.map(({ url }) => url),
    ).toEqual([png, mp4]);
    await expect(check({}, { media: [['source_video', png, 'video_url']] }).checked).rejects.toMatchObject({
      code: 'media_invalid',
      extra: { param: 'video_url' },
    });
    await expect(check({}, { media: [['first_frame', mp4, 'image_url']] }).checked).rejects.toMatchObject({
      code: 'media_invalid',
      extra: { param: 'image_url' },
    });
    await expect(
      check({}, { media: [['first_frame', 'data:image/png;base64,!!!', 'image_url']] }).checked,
    ).rejects.toMatchObject({ extra: { param: 'image_url' } });
    await expect(check({}, { webhook: png }).checked).rejects.toMatchObject({
      code: 'url_not_allowed',
      extra: { param: 'webhook' },
    });
  });
});
