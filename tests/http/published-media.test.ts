import { afterEach, describe, expect, it } from 'vitest';
import { kling } from '../../lib/providers/kling/index';
import { createUrlTaker, takingUrls, type UrlTaker } from '../support/url-taker';
import { createChaos } from '../support/chaos-provider';
import { pngBytes } from '../support/media-bytes';
import { startServer, type TestServer } from '../support/server';
import { KLING_API_KEY, startFakeKling } from '../support/upstreams/fake-kling';
import { RESULT } from '../support/upstreams/fake-video-vendor';
import { fromReferences } from '../lib/videos/request-models';

// A request with data URLs over HTTP, for a provider that reads media only from https URLs: it gets links of this
// installation and reads the media there, without a key.

const PICTURE = pngBytes(100_000);
const body = {
  model: fromReferences.id,
  prompt: 'a lighthouse',
  image_list: [`data:image/png;base64,${PICTURE.toString('base64')}`],
  video_list: [`data:video/mp4;base64,${RESULT.toString('base64')}`],
};

let server: TestServer;
let alpha: UrlTaker;
afterEach(() => server.close());

async function start(env: Readonly<Record<string, string>>): Promise<void> {
  alpha = createUrlTaker('alpha');
  alpha.chaos.onCheck = async () => ({ status: 'in_progress' });
  const stage = createChaos('stage');
  server = await startServer({
    providers: [alpha.definition, stage.definition],
    testProvider: stage.definition,
    models: [takingUrls(fromReferences)],
    env,
  });
}

function submit(order: object = body): Promise<Response> {
  return fetch(`${server.baseUrl}/v1/videos`, {
    method: 'POST',
    headers: { authorization: `Bearer ${server.firstRun.keys.live}`, 'content-type': 'application/json' },
    body: JSON.stringify(order),
  });
}

/** Requests a URL of the public installation from the server on this machine. */
function read(link: string | undefined, init: RequestInit = {}): Promise<Response> {
  const url = new URL(link ?? '');
  expect(url.origin).toBe('https://gateway.example');
  return fetch(server.baseUrl + url.pathname + url.search, init);
}

describe('media that came as data URLs', () => {
  it('are read by the provider under links of this installation, while the video is made', async () => {
    await start({ PUBLIC_BASE_URL: 'https://gateway.example/' });
    const submitted = await submit();
    expect(submitted.status).toBe(202);
    const { id } = (await submitted.json()) as { id: string };
    await expect.poll(() => alpha.taken.length, { timeout: 10_000 }).toBe(2);
    const [picture, video] = alpha.taken;

    for (const [link, type, bytes] of [
      [picture, 'image/png', PICTURE],
      [video, 'video/mp4', RESULT],
    ] as const) {
      const whole = await read(link);
      expect(whole.status).toBe(200);
      expect(Object.fromEntries(whole.headers)).toMatchObject({
        'content-type': type,
        'content-length': String(bytes.length),
        'accept-ranges': 'bytes',
        'cache-control': 'private, no-store',
        'x-content-type-options': 'nosniff',
      });
      expect(Buffer.from(await whole.arrayBuffer()).equals(bytes)).toBe(true);

      const head = await read(link, { method: 'HEAD' });
      expect([head.status, head.headers.get('content-type'), head.headers.get('content-length')]).toEqual([
        200,
        type,
        String(bytes.length),
      ]);
      const part = await read(link, { headers: { range: 'bytes=10-99' } });
      expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 10-99/${bytes.length}`]);
      expect(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(10, 100))).toBe(true);
      const beyond = await read(link, { headers: { range: `bytes=${bytes.length}-` } });
      expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, `bytes */${bytes.length}`]);
      await beyond.arrayBuffer();
      // Nothing says that the file of another request is the same one.
      const resumed = await read(link, { headers: { range: 'bytes=10-99', 'if-range': '"other"' } });
      expect(resumed.status).toBe(200);
      await resumed.arrayBuffer();
    }

    for (const wrong of [
      picture?.replace(/.$/, '~'),
      picture?.replace(/\?.*/, ''),
      video?.replace('/1.mp4', '/0.png'),
    ]) {
      const refused = await read(wrong);
      expect(refused.status).toBe(403);
      expect(await refused.json()).toMatchObject({ error: { code: 'invalid_signature' } });
    }

    alpha.chaos.onCancel = async () => 'cancelled';
    await fetch(`${server.baseUrl}/v1/videos/${id}/cancel`, {
      method: 'POST',
      headers: { authorization: `Bearer ${server.firstRun.keys.live}` },
    });
    const ended = await read(picture);
    expect(ended.status).toBe(410);
    expect(await ended.json()).toMatchObject({ error: { code: 'video_expired' } });
  });

  it.each(['http://gateway.example', 'https://192.168.0.7'])(
    'are refused with the reason where the provider cannot reach %s',
    async (publicBaseUrl) => {
      await start({ PUBLIC_BASE_URL: publicBaseUrl });
      const refused = await submit();
      expect(refused.status).toBe(400);
      const { error } = (await refused.json()) as { error: { message: string; param: string } };
      expect(error.param).toBe('image_list');
      expect(error.message).toContain('alpha: image_list must be an https URL on the public internet; data URLs');
      expect(error.message).toContain('need a PUBLIC_BASE_URL that is a public https URL');
      expect(alpha.chaos.calls.starts).toEqual([]);
    },
  );

  it('are videos only for Kling, which reads them at the link and takes images inside the request', async () => {
    const vendor = await startFakeKling();
    const stage = createChaos('stage');
    server = await startServer({
      providers: [kling, stage.definition],
      testProvider: stage.definition,
      env: {
        PUBLIC_BASE_URL: 'https://gateway.example',
        KLING_API_KEY,
        KLING_BASE_URL: vendor.baseUrl,
        CONFIRMED_PRICES: 'kling-3.0-omni-r2v',
      },
    });
    const submitted = await submit({ ...body, model: 'kling-3.0-omni-r2v', prompt: 'the boat of @vid1 at @img1' });
    expect(submitted.status, await submitted.text()).toBe(202);
    const submits = () => vendor.requests.filter(({ method }) => method === 'POST');
    await expect.poll(() => submits().length).toBe(1);
    const { contents } = submits()[0]!.json as { contents: { type: string; url?: string }[] };
    const urlOf = (type: string) => contents.find((content) => content.type === type)?.url;
    expect(urlOf('refer_image')).toBe(PICTURE.toString('base64'));
    expect(Buffer.from(await (await read(urlOf('feature_video'))).arrayBuffer()).equals(RESULT)).toBe(true);
    await vendor.close();
  });
});
