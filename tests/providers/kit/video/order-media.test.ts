import { describe, expect, it } from 'vitest';
import { GatewayError } from '../../../../lib/domain/errors';
import { newId } from '../../../../lib/domain/ids';
import type { MediaSource } from '../../../../lib/domain/provider';
import type { OrderMedia } from '../../../../lib/domain/video';
import { createMediaSource } from '../../../../lib/net/media-source';
import { withMedia } from '../../../../lib/providers/kit/video/order-media';
import { makeOutbound } from '../../../support/make-outbound';
import { recordLog } from '../../../support/log';
import { pngBytes } from '../../../support/media-bytes';
import { probeHere } from '../../../support/probe';
import { makeOrder } from '../../sandbox/make-sandbox';

const url = (name: string) => `https://pictures.example/${name}`;
const dataUrl = `data:image/png;base64,${pngBytes(3_000).toString('base64')}`;
const start = (...media: OrderMedia[]) => ({
  order: makeOrder({ media }),
  owner: { orgId: newId('org'), mode: 'live' as const },
});
const newCall = () => ({ signal: new AbortController().signal, log: recordLog() });

function realSource(maxInlineBytes?: number): MediaSource {
  return createMediaSource({
    outbound: makeOutbound(),
    openOwn: async () => undefined,
    probe: probeHere,
    ...(maxInlineBytes !== undefined && { maxInlineBytes }),
  });
}

describe('withMedia', () => {
  it('passes the media by role, in the order of the request', async () => {
    const given = start(
      { role: 'reference_image', url: url('1') },
      { role: 'first_frame', url: url('2') },
      { role: 'reference_image', url: url('3') },
      { role: 'reference_video', url: url('4') },
    );
    const forms = { image: [{ form: 'https' }], video: [{ form: 'https' }] } as const;
    const urls = await withMedia(given, forms, realSource(), newCall(), async (media) => ({
      first: media.first_frame.map((one) => one.url),
      last: media.last_frame.map((one) => one.url),
      images: media.reference_image.map((one) => one.url),
      videos: media.reference_video.map((one) => one.url),
      source: media.source_video.map((one) => one.url),
    }));
    expect(urls).toEqual({ first: [url('2')], last: [], images: [url('1'), url('3')], videos: [url('4')], source: [] });
  });

  it('holds the memory of the media until the request has ended, well or not', async () => {
    const source = realSource(3_000);
    const given = start({ role: 'first_frame', url: dataUrl });
    const forms = { image: [{ form: 'base64' }] } as const;
    const events: string[] = [];
    let finish = (): void => {};
    const first = withMedia(given, forms, source, newCall(), async () => {
      events.push('first begins');
      await new Promise<void>((resolve) => (finish = resolve));
      events.push('first ends');
      throw new Error('The request failed.');
    });
    const second = withMedia(given, forms, source, newCall(), async ({ first_frame: [frame] }) => {
      events.push(`second begins with ${frame?.contentType}`);
    });
    await expect.poll(() => events).toEqual(['first begins']);
    finish();
    await expect(first).rejects.toThrow('The request failed.');
    await second;
    expect(events).toEqual(['first begins', 'first ends', 'second begins with image/png']);
  });

  it('ends the other reads when one fails, and does not send the request', async () => {
    let aborted = false;
    const source: Pick<MediaSource, 'as'> = {
      as: ({ url: asked }, _accepts, _owner, { signal }) =>
        new Promise((_resolve, reject) => {
          if (asked === url('bad')) return reject(new GatewayError('media_unreachable', 'It does not answer.'));
          signal.addEventListener('abort', () => {
            aborted = true;
            reject(signal.reason);
          });
        }),
    };
    let sent = false;
    const given = start({ role: 'first_frame', url: url('slow') }, { role: 'last_frame', url: url('bad') });
    const work = withMedia(given, { image: [{ form: 'bytes' }] }, source, newCall(), async () => (sent = true));
    await expect(work).rejects.toMatchObject({ code: 'media_unreachable' });
    expect([aborted, sent]).toEqual([true, false]);
  });

  it('ends with the reason of the call when it aborts', async () => {
    const controller = new AbortController();
    const source: Pick<MediaSource, 'as'> = {
      as: (_media, _accepts, _owner, { signal }) =>
        new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    };
    const call = { signal: controller.signal, log: recordLog() };
    const given = start({ role: 'first_frame', url: url('slow') });
    const work = withMedia(given, { image: [{ form: 'bytes' }] }, source, call, async () => {});
    controller.abort(new Error('enough'));
    await expect(work).rejects.toThrow('enough');
  });

  it('rejects videos for a vendor that takes none', async () => {
    const given = start({ role: 'source_video', url: url('1') });
    const work = withMedia(given, { image: [{ form: 'https' }] }, realSource(), newCall(), async () => {});
    await expect(work).rejects.toMatchObject({
      code: 'media_invalid',
      extra: { upstream: { retry: 'never', started: 'no' } },
    });
  });
});
