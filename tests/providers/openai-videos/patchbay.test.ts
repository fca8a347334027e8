import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startServer, type TestServer } from '../../support/server';
import { PICTURE } from '../../support/media-bytes';

// Patchbay in front of Patchbay: the second one, with its sandbox, is the server behind OPENAI_VIDEOS_BASE_URL.

describe('Patchbay as the server of the OpenAI Videos API', () => {
  let upstream: TestServer;
  let front: TestServer;
  beforeAll(async () => {
    upstream = await startServer();
    front = await startServer({
      env: {
        OPENAI_VIDEOS_BASE_URL: `${upstream.baseUrl}/v1`,
        OPENAI_VIDEOS_API_KEY: upstream.firstRun.keys.live,
        OPENAI_VIDEOS_MODEL: 'sandbox-t2v',
        OPENAI_VIDEOS_IMAGE_MODEL: 'sandbox-i2v',
        OPENAI_VIDEOS_SIZES: '854x480,480x854',
        OPENAI_VIDEOS_SECONDS: '1,2',
        OPENAI_VIDEOS_PRICE: '0.07',
      },
    });
  });
  afterAll(async () => {
    await front.close();
    await upstream.close();
  });

  const call = (path: string, init: RequestInit = {}) =>
    fetch(front.baseUrl + path, {
      ...init,
      headers: { authorization: `Bearer ${front.firstRun.keys.live}`, 'content-type': 'application/json' },
    });

  async function make(body: object): Promise<Readonly<Record<string, unknown>>> {
    const response = await call('/v1/videos', { method: 'POST', body: JSON.stringify(body) });
    expect(response.status).toBe(202);
    // Safe: the answers were checked against the contract.
    let video = (await response.json()) as Record<string, unknown>;
    await expect
      .poll(
        async () => {
          video = (await (await call(`/v1/videos/${String(video.id)}`)).json()) as Record<string, unknown>;
          return video.status;
        },
        { timeout: 120_000, interval: 500 },
      )
      .toMatch(/completed|failed/);
    return video;
  }

  it.each([
    ['a text', { model: 'local-video', prompt: 'A boat\non a river', seconds: 1, size: '480x854' }, [480, 854, 1]],
    ['an image', { model: 'local-video-i2v', prompt: 'A boat', seconds: 2, image_url: PICTURE }, [854, 480, 2]],
  ])('makes a video from %s, at the price of the operator', async (_title, body, [width, height, seconds]) => {
    const video = await make(body);
    expect(video).toMatchObject({ status: 'completed', width, height, duration_seconds: seconds });
    expect(video.cost).toBeCloseTo(0.07 * Number(seconds), 9);
    const part = await call(`/v1/videos/${String(video.id)}/content`);
    expect(Buffer.from(await part.arrayBuffer()).toString('latin1', 4, 8)).toBe('ftyp');
    const { rows } = await upstream.db.query('select provider_job_id from videos where id = $1', [
      String(video.provider_job_id),
    ]);
    expect(rows).toHaveLength(1);
  });

  it('is asked only for what the operator has stated', async () => {
    const submit = (change: object) =>
      call('/v1/videos', {
        method: 'POST',
        body: JSON.stringify({ model: 'local-video', prompt: 'A boat', ...change }),
      });
    expect((await submit({ seconds: 4 })).status).toBe(400);
    expect((await submit({ size: '1280x720' })).status).toBe(400);
  });
});
