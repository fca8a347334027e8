import LumaAI, { AuthenticationError, BadRequestError, NotFoundError, UnprocessableEntityError } from 'lumaai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DREAM_MACHINE_KEY, startFakeLumaDreamMachine } from './fake-luma-dream-machine';
import type { FakeVideoVendor } from './fake-video-vendor';

// The imitation is as the official client expects it.

describe('the imitation of Dream Machine, to its official client', () => {
  let vendor: FakeVideoVendor;
  let client: LumaAI;
  const clientWith = (authToken: string) =>
    new LumaAI({ authToken, baseURL: `${vendor.baseUrl}/dream-machine/v1`, maxRetries: 0 });
  beforeAll(async () => {
    vendor = await startFakeLumaDreamMachine();
    client = clientWith(DREAM_MACHINE_KEY);
  });
  afterAll(() => vendor.close());

  const create = (prompt: string, change: object = {}) =>
    client.generations.video.create({ model: 'ray-2', prompt, ...change });

  async function end(id: string | undefined) {
    for (;;) {
      const generation = await client.generations.get(id ?? '');
      if (generation.state === 'completed' || generation.state === 'failed') return generation;
    }
  }

  it('makes a video, whose link the client gets', async () => {
    const keyframes = { frame0: { type: 'image', url: 'https://media.example.com/first.png' } };
    const begun = await create('A boat', { aspect_ratio: '9:21', duration: '9s', resolution: '4k', keyframes });
    expect(begun).toMatchObject({ state: 'queued', model: 'ray-2', assets: null, request: { keyframes } });
    expect(await end(begun.id)).toMatchObject({
      state: 'completed',
      assets: { video: `${vendor.cdnUrl}/results/good/${vendor.jobs.length}.mp4` },
    });
  });

  it('edits a video', async () => {
    const media = { url: 'https://media.example.com/clip.mp4' };
    const edit = { generation_type: 'modify_video', media, mode: 'flex_1', model: 'ray-flash-2' } as const;
    const begun = await client.generations.video.modify({ ...edit, prompt: 'At night' });
    expect(begun).toMatchObject({ state: 'queued', generation_type: 'modify_video', model: 'ray-flash-2' });
    expect(await end(begun.id)).toMatchObject({ state: 'completed' });
  });

  it.each([
    ['[[fail]]', /renderer/],
    ['[[moderated-output]]', /moderation/],
  ])('ends %s with a reason', async (marker, reason) => {
    const { id } = await create(`A boat ${marker}`);
    expect(await end(id)).toMatchObject({ state: 'failed', failure_reason: expect.stringMatching(reason) });
  });

  it.each([
    ['A boat [[no-credits]]', {}, BadRequestError],
    ['A boat', { duration: '10s' }, UnprocessableEntityError],
    ['A boat', { resolution: '360p' }, UnprocessableEntityError],
    [
      'A boat',
      { keyframes: { frame0: { type: 'image', url: 'http://media.example.com/a.png' } } },
      UnprocessableEntityError,
    ],
  ])('refuses %j with %j', async (prompt, change, error) => {
    await expect(create(prompt, change)).rejects.toBeInstanceOf(error);
  });

  it('refuses a wrong key, and does not know the generation of another', async () => {
    await expect(clientWith('luma-another').generations.get('x')).rejects.toBeInstanceOf(AuthenticationError);
    await expect(client.generations.get('x')).rejects.toBeInstanceOf(NotFoundError);
  });
});
