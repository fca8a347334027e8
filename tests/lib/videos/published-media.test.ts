import { servedByInstallation } from '../../../lib/routing/provider-directory';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { GatewayError } from '../../../lib/domain/errors';
import type { ContentPart } from '../../../lib/domain/files';
import { newId } from '../../../lib/domain/ids';
import { findOrder, findVideoById } from '../../../lib/db/videos';
import { createPublishedMedia } from '../../../lib/videos/published-media';
import { createUrlTaker, takingUrls, type UrlTaker } from '../../support/url-taker';
import { completed, createChaos, type Chaos } from '../../support/chaos-provider';
import { pngBytes } from '../../support/media-bytes';
import { RESULT } from '../../support/upstreams/fake-video-vendor';
import { makeAcme, type Acme } from './make-acme';
import { fromPicture, fromReferences } from './request-models';

// Data URLs of orders for a provider that takes only https URLs.

const PICTURE = pngBytes(200_000);
const dataUrl = (type: string, bytes: Buffer) => `data:${type};base64,${bytes.toString('base64')}`;
const image = { model: fromPicture.id, image_url: dataUrl('image/jpeg', PICTURE) };

let acme: Acme;
let alpha: UrlTaker;
let stage: Chaos;
afterEach(() => acme.close());

async function start(publicBaseUrl?: string): Promise<void> {
  alpha = createUrlTaker('alpha');
  alpha.chaos.onCheck = async () => ({ status: 'in_progress' });
  stage = createChaos('stage');
  acme = await makeAcme({
    providers: [alpha.definition, stage.definition],
    testProvider: stage.definition,
    models: [takingUrls(fromPicture), takingUrls(fromReferences)],
    env: publicBaseUrl === undefined ? {} : { PUBLIC_BASE_URL: publicBaseUrl },
  });
}

interface Link {
  readonly id: string;
  readonly file: string;
  readonly expires: string;
  readonly signature: string;
}

function linkIn(url: string | undefined): Link {
  const found =
    /^https:\/\/gateway\.example\/internal\/videos\/(\w+)\/media\/([\w.]+)\?expires=(\d+)&signature=([\w-]{43})$/.exec(
      url ?? '',
    );
  const [, id = '', file = '', expires = '', signature = ''] = found ?? [];
  expect(found, url).not.toBeNull();
  return { id, file, expires, signature };
}

/** Submits a video and starts it; resolves to the links that the provider got. */
async function order(body: Record<string, unknown> = image): Promise<Link[]> {
  const before = alpha.taken.length;
  await acme.submit(acme.live, body);
  await acme.settle();
  return alpha.taken.slice(before).map(linkIn);
}

const open = ({ id, file, expires, signature }: Link, part?: ContentPart) =>
  acme.gateway.videos.openMedia(id, file, { expires, signature }, part, new AbortController().signal);

describe('a link to published media', () => {
  beforeEach(() => start('https://gateway.example'));

  it('leads to the bytes of the data URL, with the type of these bytes', async () => {
    const [link] = await order();
    expect(link?.file).toBe('0.png');
    const { body, ...facts } = await open(link!);
    expect(facts).toEqual({ status: 200, start: 0, length: 200_000, total: 200_000, contentType: 'image/png' });
    expect((await buffer(body)).equals(PICTURE)).toBe(true);
  });

  it('is made for each data URL of an order, and for no other medium', async () => {
    const pictureUrl = 'https://pictures.example/a.png';
    const before = alpha.taken.length;
    await acme.submit(acme.live, {
      model: fromReferences.id,
      image_list: [pictureUrl, dataUrl('image/png', PICTURE)],
      video_list: [dataUrl('video/mp4', RESULT)],
    });
    await acme.settle();
    const [first, second, third] = alpha.taken.slice(before);
    expect(first).toBe(pictureUrl);
    const [picture, video] = [linkIn(second), linkIn(third)];
    expect([picture.file, video.file]).toEqual(['1.png', '2.mp4']);
    expect((await buffer((await open(picture)).body)).equals(PICTURE)).toBe(true);
    const opened = await open(video);
    expect(opened.contentType).toBe('video/mp4');
    expect((await buffer(opened.body)).equals(RESULT)).toBe(true);
  });

  it('answers parts, and only the length if nothing more is wanted', async () => {
    const [link] = await order();
    const part = await open(link!, { start: 65_530, end: 131_080 });
    expect(part).toMatchObject({ status: 206, start: 65_530, length: 65_551, total: 200_000 });
    expect((await buffer(part.body)).equals(PICTURE.subarray(65_530, 131_081))).toBe(true);
    const last = await open(link!, { start: -10 });
    expect(last).toMatchObject({ status: 206, start: 199_990, length: 10 });
    expect((await buffer(last.body)).length).toBe(10);
    expect(await open(link!, { start: 200_000 })).toMatchObject({ status: 416, total: 200_000 });
    const head = await open(link!, 'head');
    expect([head.length, (await buffer(head.body)).length]).toEqual([200_000, 0]);
  });

  it('has a signature for this video, file and time only', async () => {
    const [link, other] = [...(await order()), ...(await order())];
    const forged: Link[] = [
      { ...link!, signature: '' },
      { ...link!, signature: `${link!.signature}A` },
      { ...link!, signature: other!.signature },
      { ...link!, id: other!.id },
      { ...link!, id: newId('video') },
      { ...link!, id: 'nonsense' },
      { ...link!, file: '1.png' },
      { ...link!, file: '0.html' },
      { ...link!, expires: String(Number(link!.expires) + 1) },
    ];
    for (const one of forged) await expect(open(one)).rejects.toMatchObject({ code: 'invalid_signature' });
  });

  it('is of no use as another signed link, nor another one as this', async () => {
    const [link] = await order();
    const { id, expires, signature } = link!;
    const { videos } = acme.gateway;
    const { signal } = new AbortController();
    const callback = { signature, headers: {}, readBody: async () => new Uint8Array(), signal };
    await expect(videos.receiveCallback(id, callback)).rejects.toMatchObject({ code: 'invalid_signature' });
    await expect(videos.openSigned(id, { expires, signature }, () => undefined, signal)).rejects.toMatchObject({
      code: 'invalid_signature',
    });
    const other = new URL(alpha.chaos.calls.starts.at(-1)?.callbackUrl ?? '').searchParams.get('signature') ?? '';
    await expect(open({ ...link!, signature: other })).rejects.toMatchObject({ code: 'invalid_signature' });
  });

  it('ends when its video has been completed', async () => {
    const [link] = await order();
    alpha.chaos.onCheck = async () => completed;
    await acme.pass(60_000);
    expect((await acme.read(acme.live, link!.id)).status).toBe('completed');
    await expect(open(link!)).rejects.toMatchObject({ code: 'video_expired' });
  });

  it('ends when its video is cancelled, and when it is deleted', async () => {
    const [link] = await order();
    alpha.chaos.onCancel = async () => 'cancelled';
    await acme.gateway.videos.cancel(acme.live, link!.id);
    await expect(open(link!)).rejects.toMatchObject({ code: 'video_expired' });
    await acme.gateway.videos.remove(acme.live, link!.id);
    await expect(open(link!)).rejects.toMatchObject({ code: 'video_expired' });
  });

  it('is valid until the latest deadline of its video, and not after it', async () => {
    const [link] = await order();
    const { rows } = await acme.db.query('select deadline_at from videos where id = $1', [link!.id]);
    const deadlineMs = new Date(String(rows[0]?.deadline_at)).getTime();
    const expiresMs = Number(link!.expires) * 1000;
    expect(expiresMs).toBeGreaterThan(deadlineMs);
    // No job runs meanwhile, so the video does not end.
    await acme.clock.advance(expiresMs - acme.clock.nowMs() - 1);
    (await open(link!)).body.destroy();
    await acme.clock.advance(1);
    await expect(open(link!)).rejects.toMatchObject({ code: 'video_expired' });
  });

  it('is the same at each attempt', async () => {
    alpha.chaos.onStart = async (_start, call) => {
      if (call > 1) return {};
      throw new GatewayError('concurrency_limit_exceeded', 'Busy.', { upstream: { retry: 'later', started: 'no' } });
    };
    await acme.submit(acme.live, image);
    await acme.settle();
    await acme.pass(60_000);
    expect(alpha.taken).toHaveLength(2);
    expect(alpha.taken[1]).toBe(alpha.taken[0]);
  });

  it('is stored and logged without its signature', async () => {
    const [link] = await order();
    const { rows } = await acme.db.query('select sent from video_attempts where video_id = $1', [link!.id]);
    expect(rows[0]?.sent).toMatchObject({
      urls: [`https://gateway.example/internal/videos/${link!.id}/media/0.png?expires=${link!.expires}&signature=…`],
    });
    const stored = await acme.db.query('select "order"::text as text from videos where id = $1', [link!.id]);
    for (const text of [JSON.stringify(acme.log.lines), String(stored.rows[0]?.text)])
      expect(text).not.toContain(link!.signature);
  });

  it('waits while too many bytes of other requests are in memory', async () => {
    const { id } = await acme.submit(acme.live, image);
    const video = await findVideoById(acme.db, id);
    const whole = await findOrder(acme.db, id);
    if (!video || !whole) throw new Error('The video has been stored.');
    // A request needs 25 MB until its file has been read; there is room for one more while one of 200 kB is sent.
    const media = createPublishedMedia({
      db: acme.db,
      clock: acme.clock,
      secret: 'signs links of this test',
      baseUrl: 'https://gateway.example',
      maxOpenBytes: 25 * 1024 * 1024 + 300_000,
    });
    const own = linkIn(media.publish(whole, video).media[0]?.publishedUrl);
    const read = (signal: AbortSignal) => media.open(own.id, own.file, own, undefined, signal);
    const [first, second] = [await read(new AbortController().signal), await read(new AbortController().signal)];
    let opened = 0;
    const leaving = new AbortController();
    const third = read(leaving.signal);
    const fourth = read(new AbortController().signal).then((content) => {
      opened += 1;
      return content;
    });
    leaving.abort(new Error('left'));
    await expect(third).rejects.toThrow('left');
    await findOrder(acme.db, id);
    expect(opened).toBe(0);
    expect((await buffer(first.body)).length).toBe(200_000);
    expect((await buffer((await fourth).body)).length).toBe(200_000);
    expect(opened).toBe(1);
    second.body.destroy();
  });
});

describe('an order with a data URL', () => {
  it.each([undefined, 'http://gateway.example', 'https://10.0.0.1', 'https://gateway.internal'])(
    'is refused with the reason if the public URL is %s',
    async (publicBaseUrl) => {
      await start(publicBaseUrl);
      const reason =
        'image_url must be an https URL on the public internet; data URLs and links of this installation need a PUBLIC_BASE_URL that is a public https URL, which its operator can set';
      await expect(acme.submit(acme.live, image)).rejects.toMatchObject({
        code: 'unsupported_value',
        message: expect.stringContaining(`alpha: ${reason}.`) as string,
        extra: { param: 'image_url', details: { providers: [{ provider: 'alpha', reason }] } },
      });
      expect(() => acme.gateway.usage.quote(servedByInstallation('live'), image)).toThrow(reason);
      expect(acme.gateway.videos.publishesMedia).toBe(false);
    },
  );

  it('has a price where its provider can read it', async () => {
    await start('https://gateway.example');
    expect(acme.gateway.usage.quote(servedByInstallation('live'), image)).toMatchObject({ provider: 'alpha' });
    expect(acme.gateway.videos.publishesMedia).toBe(true);
  });

  it('is read by the test provider without a link', async () => {
    await start('https://gateway.example');
    await acme.submit(acme.test, image);
    await acme.settle();
    expect(stage.calls.starts.map(({ order: { media } }) => media)).toEqual([
      [{ role: 'first_frame', url: image.image_url }],
    ]);
  });
});
