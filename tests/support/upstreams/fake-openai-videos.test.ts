import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PICTURE } from '../media-bytes';
import { IMAGE_MODEL, KEY, startFakeOpenaiVideos, TEXT_MODEL } from './fake-openai-videos';
import type { FakeVideoVendor } from './fake-video-vendor';

// The imitation is as the official client expects it.

describe('the imitation of the OpenAI Videos API, to its official client', () => {
  let vendor: FakeVideoVendor;
  let client: OpenAI;
  beforeAll(async () => {
    vendor = await startFakeOpenaiVideos();
    client = new OpenAI({ apiKey: KEY, baseURL: `${vendor.baseUrl}/v1`, maxRetries: 0 });
  });
  afterAll(() => vendor.close());

  it('makes a video from a text, and gives its file', async () => {
    let video = await client.videos.create({ model: TEXT_MODEL, prompt: 'A boat', seconds: '8', size: '1280x720' });
    expect(video).toMatchObject({ status: 'queued', seconds: '8', size: '1280x720' });
    for (let polls = 0; video.status !== 'completed' && polls < 5; polls += 1)
      video = await client.videos.retrieve(video.id);
    const content = await client.videos.downloadContent(video.id, { variant: 'video' });
    expect(Buffer.from(await content.arrayBuffer()).toString('latin1', 4, 8)).toBe('ftyp');
  });

  it('makes a video from an image', async () => {
    const video = await client.videos.create({
      model: IMAGE_MODEL,
      prompt: 'A boat',
      input_reference: { image_url: PICTURE },
    });
    expect(video.model).toBe(IMAGE_MODEL);
  });

  it('refuses what the client calls an error', async () => {
    const create = (change: object) => client.videos.create({ model: TEXT_MODEL, prompt: 'A boat', ...change });
    await expect(create({ seconds: '5' })).rejects.toMatchObject({ status: 400, code: 'invalid_value' });
    await expect(create({ watermark: 'yes' })).rejects.toMatchObject({ status: 400 });
    await expect(create({ prompt: 'A boat [[moderated-input]]' })).rejects.toMatchObject({
      code: 'moderation_blocked',
    });
    await expect(client.videos.retrieve('video_unknown')).rejects.toMatchObject({ status: 404 });
  });
});
