import {
  AuthenticationError,
  DoPModel,
  HiggsfieldClient,
  InputImage,
  NotEnoughCreditsError,
  ValidationError,
} from '@higgsfield/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pngBytes } from '../media-bytes';
import { HIGGSFIELD_KEY, HIGGSFIELD_SECRET, startFakeHiggsfield, type FakeHiggsfield } from './fake-higgsfield';

// Higgsfield's own client against the imitation of its API.

const PATH = '/v1/image2video/dop';
const params = {
  model: DoPModel.TURBO,
  prompt: 'A paper boat',
  seed: 0,
  input_images: [InputImage.fromUrl('https://media.example.com/first.png')],
};

describe("Higgsfield's client against the imitation", () => {
  let vendor: FakeHiggsfield;
  let client: HiggsfieldClient;
  const clientFor = (apiKey: string) =>
    new HiggsfieldClient({
      apiKey,
      apiSecret: HIGGSFIELD_SECRET,
      baseURL: vendor.baseUrl,
      maxRetries: 0,
      pollInterval: 1,
    });
  beforeAll(async () => {
    vendor = await startFakeHiggsfield();
    client = clientFor(HIGGSFIELD_KEY);
  });
  afterAll(() => vendor.close());

  it('submits an image, and polls to the end', async () => {
    const jobSet = await client.generate(PATH, params);
    expect([jobSet.isCompleted, vendor.jobs[0]?.polls]).toEqual([true, 3]);
    expect(jobSet.jobs[0]?.results?.raw).toEqual({ url: `${vendor.cdnUrl}/results/good/1.mp4`, type: 'video' });
  });

  it('uploads an image and submits it, with a webhook', async () => {
    const url = await client.uploadImage(pngBytes(100), 'png');
    expect(vendor.uploads.get(url)).toMatchObject({ contentType: 'image/png', bytes: pngBytes(100) });
    const { id } = await client.generate(
      PATH,
      { ...params, input_images: [InputImage.fromUrl(url)] },
      { withPolling: false, webhook: { url: 'https://gateway.example/hook', secret: 'a secret' } },
    );
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
  });

  it.each([
    ['moderated-input', 'isNsfw'],
    ['moderated-output', 'isNsfw'],
    ['fail', 'isFailed'],
    ['canceled', 'isCanceled'],
  ] as const)('reads the end of a job: %s', async (scenario, is) => {
    const jobSet = await client.generate(PATH, { ...params, prompt: `A boat [[${scenario}]]` });
    expect(jobSet[is]).toBe(true);
  });

  it('reads the refusals as what they are', async () => {
    await expect(client.generate(PATH, { ...params, model: DoPModel.STANDARD })).rejects.toMatchObject({
      message: expect.stringMatching(/^body\.params\.model: /),
    });
    await expect(client.generate(PATH, { ...params, seed: -1 })).rejects.toBeInstanceOf(ValidationError);
    await expect(client.generate(PATH, { ...params, prompt: '[[balance]]' })).rejects.toBeInstanceOf(
      NotEnoughCreditsError,
    );
    await expect(clientFor('another').generate(PATH, params)).rejects.toBeInstanceOf(AuthenticationError);
  });
});
