import { createMiniMax } from '@ai-sdk/minimax';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pngBytes } from '../media-bytes';
import { MINIMAX_KEY, startFakeMinimax } from './fake-minimax';
import type { FakeVideoVendor } from './fake-video-vendor';

// The imitation is as the provider of the AI SDK expects it, which knows the second version of the API.

describe('the imitation of MiniMax, to the provider of the AI SDK', () => {
  let vendor: FakeVideoVendor;
  beforeAll(async () => {
    vendor = await startFakeMinimax();
  });
  afterAll(() => vendor.close());

  type Model = ReturnType<ReturnType<typeof createMiniMax>['video']>;
  type Order = Parameters<NonNullable<Model['doGenerate']>>[0];

  async function generate(change: Partial<Order>, modelId = 'MiniMax-H3', apiKey = MINIMAX_KEY) {
    const model = createMiniMax({ apiKey, videoBaseURL: vendor.baseUrl }).video(modelId);
    const result = await model.doGenerate?.({
      prompt: 'A paper boat',
      n: 1,
      aspectRatio: undefined,
      resolution: undefined,
      duration: undefined,
      fps: undefined,
      seed: undefined,
      image: undefined,
      frameImages: undefined,
      inputReferences: undefined,
      generateAudio: undefined,
      ...change,
      providerOptions: { minimax: { pollIntervalMs: 1, ...change.providerOptions?.minimax } },
    });
    return { result, submitted: vendor.jobs.at(-1)?.body };
  }

  it('makes a video from a text, whose link needs no key', async () => {
    const { result, submitted } = await generate({ aspectRatio: '9:16', resolution: '768x1366', duration: 15 });
    expect(submitted).toEqual({
      model: 'MiniMax-H3',
      content: [{ type: 'text', text: 'A paper boat' }],
      resolution: '768P',
      duration: 15,
      ratio: '9:16',
    });
    const [video] = result?.videos ?? [];
    if (video?.type !== 'url') throw new Error('There is no link.');
    expect((await fetch(video.url)).status).toBe(200);
    expect(result?.providerMetadata).toMatchObject({ minimax: { duration: 15, usage: { totalSeconds: 15 } } });
  });

  const image = { type: 'file', data: new Uint8Array(pngBytes()), mediaType: 'image/png' } as const;
  const clip = { type: 'url', url: 'https://media.example.com/clip.mp4', mediaType: 'video/mp4' } as const;

  it.each<[string, Partial<Order>, readonly string[]]>([
    ['a first frame', { image }, ['first_frame']],
    [
      'a first and a last frame',
      {
        frameImages: [
          { frameType: 'first_frame', image },
          { frameType: 'last_frame', image },
        ],
      },
      ['first_frame', 'last_frame'],
    ],
    ['references', { inputReferences: [image, clip] }, ['reference_image', 'reference_video']],
  ])('takes %s', async (_title, change, roles) => {
    const { result, submitted } = await generate(change);
    expect(result?.videos).toHaveLength(1);
    expect(submitted).toMatchObject({ content: [{ type: 'text' }, ...roles.map((role) => ({ role }))] });
  });

  it('takes the tiers of H3-Max', async () => {
    expect((await generate({ resolution: '854x480' }, 'MiniMax-H3-Max')).submitted).toMatchObject({
      resolution: '480P',
    });
  });

  it.each([
    ['moderated-input', /1026/],
    ['balance', /1008/],
    ['moderated-output', /1027/],
    ['fail', /failed/],
    ['expires', /expired/],
    ['success-without-id', /No task_id/],
    ['nourl', /no video URL/],
  ])('ends %s with an error', async (scenario, message) => {
    await expect(generate({ prompt: `A boat [[${scenario}]]` })).rejects.toThrow(message);
  });

  it('refuses another key', async () => {
    await expect(generate({}, 'MiniMax-H3', 'of another account')).rejects.toMatchObject({ statusCode: 401 });
  });
});
