import { GoogleGenAI, type GenerateVideosConfig, type GenerateVideosSource } from '@google/genai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pngBytes } from '../media-bytes';
import { EXPRESS_KEY, PRIVATE_KEY, PROJECT, REGION, serviceAccount, startFakeGoogleVertex } from './fake-google-vertex';
import { RESULT, type FakeVideoVendor } from './fake-video-vendor';

// The imitation is as the vendor's own client expects it.

const MODEL = 'veo-3.1-generate-001';

describe('the imitation of Vertex AI, to its official client', () => {
  let vendor: FakeVideoVendor;
  let client: GoogleGenAI;
  beforeAll(async () => {
    vendor = await startFakeGoogleVertex();
    client = new GoogleGenAI({
      vertexai: true,
      apiKey: EXPRESS_KEY,
      httpOptions: { baseUrl: vendor.baseUrl },
    });
  });
  afterAll(() => vendor.close());

  async function generate(source: GenerateVideosSource, config: GenerateVideosConfig = {}) {
    let operation = await client.models.generateVideos({ model: MODEL, source, config });
    for (let polls = 0; operation.done !== true && polls < 5; polls += 1)
      operation = await client.operations.getVideosOperation({ operation });
    return operation;
  }

  it('takes every parameter of the client, and gives the file inside the answer', async () => {
    const { done, error, response } = await generate(
      { prompt: 'A paper boat' },
      {
        aspectRatio: '9:16',
        resolution: '1080p',
        durationSeconds: 8,
        numberOfVideos: 1,
        negativePrompt: 'rain',
        seed: 0,
        generateAudio: false,
        personGeneration: 'allow_adult',
      },
    );
    expect([done, error]).toEqual([true, undefined]);
    const bytes = response?.generatedVideos?.[0]?.video?.videoBytes ?? '';
    expect(Buffer.from(bytes, 'base64').equals(RESULT)).toBe(true);
    expect(vendor.requests.map(({ path }) => path)).toContain(
      `/v1beta1/publishers/google/models/${MODEL}:predictLongRunning`,
    );
    expect(vendor.requests.at(-1)?.path).toBe(
      `/v1beta1/projects/${PROJECT}/locations/${REGION}/publishers/google/models/${MODEL}:fetchPredictOperation`,
    );
  });

  it('names the object if the client names a bucket', async () => {
    const { response } = await generate({ prompt: 'A boat' }, { outputGcsUri: 'gs://a-bucket/folder/' });
    expect(response?.generatedVideos?.[0]?.video?.uri).toMatch(
      /^gs:\/\/a-bucket\/folder\/[0-9a-f-]{36}\/sample_0\.mp4$/,
    );
  });

  const image = { imageBytes: pngBytes().toString('base64'), mimeType: 'image/png' };

  it.each<[string, GenerateVideosSource, GenerateVideosConfig]>([
    ['a first frame', { prompt: 'A boat', image }, {}],
    ['a first and a last frame', { prompt: 'A boat', image }, { lastFrame: image }],
    ['a frame in a bucket', { prompt: 'A boat', image: { gcsUri: 'gs://a/b.png', mimeType: 'image/png' } }, {}],
  ])('takes %s', async (_title, source, config) => {
    expect((await generate(source, config)).response?.generatedVideos).toHaveLength(1);
  });

  it('ends a filtered video without videos, and a failed one with an error', async () => {
    const { done, error, response } = await generate({ prompt: 'A boat [[moderated-output]]' });
    expect([done, error, response?.generatedVideos, response?.raiMediaFilteredCount]).toEqual([
      true,
      undefined,
      undefined,
      1,
    ]);
    expect((await generate({ prompt: 'A boat [[fail]]' })).error).toMatchObject({ code: 13 });
  });

  it.each<[GenerateVideosSource, GenerateVideosConfig, number]>([
    [{ prompt: 'A boat' }, { durationSeconds: 5 }, 400],
    [{ prompt: 'A boat' }, { personGeneration: 'allow_all' }, 400],
    [{ prompt: 'A boat' }, { seed: -1 }, 400],
    [{ prompt: 'A boat [[ratelimit:1]]' }, {}, 429],
  ])('refuses %j with %j: %i', async (source, config, status) => {
    await expect(generate(source, config)).rejects.toMatchObject({ name: 'ApiError', status });
  });

  it('refuses a project of others, and requests without a token', async () => {
    const path = (project: string) =>
      `${vendor.baseUrl}/v1/projects/${project}/locations/${REGION}/publishers/google/models/${MODEL}:predictLongRunning`;
    const send = async (project: string, token: string) => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const body = JSON.stringify({ instances: [{ prompt: 'A boat' }] });
      return (await fetch(path(project), { method: 'POST', headers, body })).status;
    };
    expect(await send(PROJECT, 'ya29.made-up')).toBe(401);
    expect(JSON.parse(serviceAccount(vendor))).toMatchObject({ private_key: PRIVATE_KEY });
  });
});
