import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  GoogleGenAI,
  VideoGenerationReferenceType,
  type GenerateVideosConfig,
  type GenerateVideosOperation,
  type GenerateVideosSource,
} from '@google/genai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pngBytes } from '../media-bytes';
import { KEY, startFakeGoogleAiStudio } from './fake-google-ai-studio';
import type { FakeVideoVendor } from './fake-video-vendor';

// The imitation is as the vendor's own client expects it. Version 2.32 of the client is the last that knows this wire.

describe('the imitation of the Gemini API, to its official client', () => {
  let vendor: FakeVideoVendor;
  let client: GoogleGenAI;
  beforeAll(async () => {
    vendor = await startFakeGoogleAiStudio();
    client = new GoogleGenAI({ apiKey: KEY, httpOptions: { baseUrl: vendor.baseUrl } });
  });
  afterAll(() => vendor.close());

  async function generate(
    source: GenerateVideosSource,
    config: GenerateVideosConfig = {},
  ): Promise<GenerateVideosOperation> {
    let operation = await client.models.generateVideos({ model: 'veo-3.1-generate-preview', source, config });
    for (let polls = 0; operation.done !== true && polls < 5; polls += 1)
      operation = await client.operations.getVideosOperation({ operation });
    return operation;
  }

  it('makes a video from a text, and gives its file to the client', async () => {
    const { done, error, response } = await generate(
      { prompt: 'A paper boat' },
      { aspectRatio: '9:16', resolution: '1080p', durationSeconds: 8, numberOfVideos: 1, negativePrompt: 'rain' },
    );
    expect([done, error]).toEqual([true, undefined]);
    const file = response?.generatedVideos?.[0];
    if (!file) throw new Error('There is no video.');
    const downloadPath = path.join(tmpdir(), 'fake-google-ai-studio.mp4');
    // The client sends the key to the target of the redirect too, which the origin of the results refuses.
    await expect(client.files.download({ file, downloadPath })).rejects.toMatchObject({ status: 401 });
    expect(vendor.requests.at(-1)?.path).toMatch(/^\/v1beta\/files\/[a-z0-9]{12}:download$/);
    expect(vendor.downloads).toHaveLength(1);
  });

  const image = { imageBytes: pngBytes().toString('base64'), mimeType: 'image/png' };

  it.each<[string, GenerateVideosSource, GenerateVideosConfig]>([
    ['a first frame', { prompt: 'A boat', image }, {}],
    ['a first and a last frame', { prompt: 'A boat', image }, { lastFrame: image }],
    [
      'reference images, whose type the client writes in capitals',
      { prompt: 'A boat' },
      { referenceImages: [{ image, referenceType: VideoGenerationReferenceType.ASSET }] },
    ],
    ['no parameters at all', { prompt: 'A boat' }, {}],
  ])('takes %s', async (_title, source, config) => {
    expect((await generate(source, config)).response?.generatedVideos).toHaveLength(1);
  });

  it('ends a filtered video without videos and without an error', async () => {
    const { done, error, response } = await generate({ prompt: 'A boat [[moderated-output]]' });
    expect([done, error, response?.generatedVideos, response?.raiMediaFilteredCount]).toEqual([
      true,
      undefined,
      undefined,
      1,
    ]);
  });

  it('ends a failed video with an error', async () => {
    expect((await generate({ prompt: 'A boat [[fail]]' })).error).toMatchObject({ code: 13 });
  });

  it.each<[GenerateVideosSource, GenerateVideosConfig, number]>([
    [{ prompt: 'A boat' }, { durationSeconds: 5 }, 400],
    [{ prompt: 'A boat' }, { durationSeconds: 4, resolution: '1080p' }, 400],
    [{ prompt: 'A boat' }, { aspectRatio: '1:1' }, 400],
    [{ prompt: 'A boat', image }, { personGeneration: 'allow_all' }, 400],
    [{ prompt: 'A boat [[ratelimit:1]]' }, {}, 429],
    [{ prompt: 'A boat [[unavailable]]' }, {}, 503],
  ])('refuses %j with %j: %i', async (source, config, status) => {
    await expect(generate(source, config)).rejects.toMatchObject({ name: 'ApiError', status });
  });

  it('refuses a wrong key with 400', async () => {
    const stranger = new GoogleGenAI({ apiKey: 'another', httpOptions: { baseUrl: vendor.baseUrl } });
    const order = { model: 'veo-3.1-generate-preview', source: { prompt: 'A boat' } };
    await expect(stranger.models.generateVideos(order)).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('API_KEY_INVALID'),
    });
  });

  describe('for Gemini Omni', () => {
    const png = { type: 'image', mime_type: 'image/png', data: pngBytes().toString('base64') } as const;
    const text = { type: 'text', text: 'A paper boat' } as const;
    const order = (change: object) => ({
      model: 'gemini-omni-1.2-flash',
      input: [text],
      response_format: { type: 'video', resolution: '720p', duration: '8s', delivery: 'uri' } as const,
      background: true,
      ...change,
    });

    async function make(change: object) {
      let interaction = await client.interactions.create(order(change));
      for (let polls = 0; interaction.status !== 'completed' && polls < 5; polls += 1)
        interaction = await client.interactions.get(interaction.id);
      return interaction;
    }

    it.each<[string, object]>([
      ['a text', {}],
      ['a text alone', { input: 'A paper boat' }],
      ['a first frame', { input: [png, text], generation_config: { video_config: { task: 'image_to_video' } } }],
      ['two frames', { input: [png, png, text], generation_config: { video_config: { task: 'image_to_video' } } }],
      ['references', { input: [png, text], generation_config: { video_config: { task: 'reference_to_video' } } }],
    ])('makes a video from %s, whose file it knows', async (_title, change) => {
      const { status, output_video: video } = await make(change);
      expect([status, video?.mime_type]).toEqual(['completed', 'video/mp4']);
      const [name = ''] = /files\/[a-z0-9]+/.exec(video?.uri ?? '') ?? [];
      expect(await client.files.get({ name })).toMatchObject({ name, state: 'ACTIVE' });
    });

    it('cancels a running interaction', async () => {
      const { id } = await client.interactions.create(order({ input: 'A boat [[hang]]' }));
      expect(await client.interactions.cancel(id)).toMatchObject({ id, status: 'cancelled' });
    });

    it.each<[string, object, number]>([
      ['20 seconds', { response_format: { type: 'video', duration: '20s' } }, 400],
      ['a square', { response_format: { type: 'video', aspect_ratio: '1:1' } }, 400],
      [
        'an image for a text',
        { input: [png, text], generation_config: { video_config: { task: 'text_to_video' } } },
        400,
      ],
    ])('refuses %s', async (_title, change, status) => {
      await expect(client.interactions.create(order(change))).rejects.toMatchObject({ status });
    });
  });
});
