import Replicate from 'replicate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PICTURE } from '../media-bytes';
import { REPLICATE_KEY, startFakeReplicate } from './fake-replicate';
import type { FakeVideoVendor } from './fake-video-vendor';

// The imitation is as the official client expects it.

describe('the imitation of Replicate, to its official client', () => {
  let vendor: FakeVideoVendor;
  let client: Replicate;
  const clientWith = (auth: string) => new Replicate({ auth, baseUrl: `${vendor.baseUrl}/v1`, useFileOutput: false });
  beforeAll(async () => {
    vendor = await startFakeReplicate();
    client = clientWith(REPLICATE_KEY);
  });
  afterAll(() => vendor.close());

  const create = (prompt: string, change: object = {}) =>
    client.predictions.create({ model: 'kwaivgi/kling-v3-video', input: { prompt, mode: 'standard', ...change } });

  it('makes a video, whose link the client gets', async () => {
    const begun = await create('A paper boat', { duration: 3, aspect_ratio: '9:16', generate_audio: true });
    expect(begun).toMatchObject({ status: 'starting', output: null, error: null });
    expect(begun.id).toMatch(/^[a-z0-9]{26}$/);
    const ended = await client.wait(begun, { interval: 1 });
    expect(ended).toMatchObject({
      status: 'succeeded',
      output: `${vendor.cdnUrl}/results/good/${vendor.jobs.length}.mp4`,
    });
  });

  it('runs a model to its output', async () => {
    const input = { prompt: 'A boat', image: PICTURE };
    const output = await client.run('wan-video/wan-2.2-i2v-fast', { input, wait: { mode: 'poll', interval: 1 } });
    expect(output).toBe(`${vendor.cdnUrl}/results/good/${vendor.jobs.length}.mp4`);
    expect(vendor.jobs.at(-1)?.body).toEqual({ input });
  });

  it.each([
    ['[[fail]]', /interrupted/],
    ['[[moderated-output]]', /flagged as sensitive/],
  ])('ends %s with the text of an error', async (marker, error) => {
    const begun = await create(`A boat ${marker}`);
    await expect(client.wait(begun, { interval: 1 })).rejects.toThrow(error);
  });

  it('cancels a running prediction', async () => {
    const { id } = await create('A boat [[hang]]');
    expect(await client.predictions.cancel(id)).toMatchObject({ id, status: 'canceled' });
    expect(await client.predictions.get(id)).toMatchObject({ id, status: 'canceled' });
  });

  it.each([
    ['A boat [[balance]]', {}, 402],
    ['A boat [[invalid]]', {}, 422],
    ['A boat', { duration: 2 }, 422],
    ['A boat', { end_image: 'https://media.example.com/last.png' }, 422],
    ['A boat', { fps: 24 }, 422],
  ])('refuses %j with %j: %i', async (prompt, change, status) => {
    await expect(create(prompt, change)).rejects.toMatchObject({ name: 'ApiError', response: { status } });
  });

  it('refuses a wrong token', async () => {
    await expect(clientWith('r8_another').predictions.get('p0')).rejects.toMatchObject({ response: { status: 401 } });
  });
});
