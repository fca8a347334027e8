import { createByteDance } from '@ai-sdk/bytedance';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PICTURE } from '../media-bytes';
import { arkPath, BYTEDANCE_KEY, startFakeBytedance } from './fake-bytedance';
import type { FakeVideoVendor } from './fake-video-vendor';

// The AI SDK's client of ModelArk against the imitation.

describe("the AI SDK's client against the imitation of ModelArk", () => {
  let vendor: FakeVideoVendor;
  beforeAll(async () => {
    vendor = await startFakeBytedance();
  });
  afterAll(() => vendor.close());

  type Options = Parameters<ReturnType<ReturnType<typeof createByteDance>['video']>['doGenerate']>[0];

  function generate(
    modelId: string,
    { providerOptions, ...options }: Partial<Options> & { readonly prompt: string },
    apiKey = BYTEDANCE_KEY,
  ) {
    const { video } = createByteDance({ apiKey, baseURL: `${vendor.baseUrl}/api/v3` });
    return video(modelId).doGenerate({
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
      ...options,
      providerOptions: { bytedance: { pollIntervalMs: 1, ...providerOptions?.bytedance } },
    });
  }

  it('makes a video from a text, with the fields that we send', async () => {
    const { videos, warnings, providerMetadata } = await generate('dreamina-seedance-2-0-260128', {
      prompt: 'A paper boat',
      aspectRatio: '9:16',
      resolution: '1080x1920',
      duration: 15,
      seed: 42,
      providerOptions: { bytedance: { generateAudio: false, watermark: false, serviceTier: 'default' } },
    });
    expect(warnings).toEqual([]);
    expect(videos).toEqual([{ type: 'url', url: `${vendor.cdnUrl}/results/good/1.mp4`, mediaType: 'video/mp4' }]);
    expect(providerMetadata?.bytedance).toMatchObject({ usage: { completion_tokens: 729_000 } });
    expect(vendor.requests[0]).toMatchObject({
      method: 'POST',
      path: arkPath,
      json: {
        model: 'dreamina-seedance-2-0-260128',
        content: [{ type: 'text', text: 'A paper boat' }],
        resolution: '1080p',
        ratio: '9:16',
        duration: 15,
        seed: 42,
        generate_audio: false,
        watermark: false,
        service_tier: 'default',
      },
    });
    const [, ...polls] = vendor.requests.map(({ method }) => method);
    expect(polls).toEqual(['GET', 'GET', 'GET']);
  });

  const [head = '', base64 = ''] = PICTURE.split(',');
  const image = { type: 'file', data: base64, mediaType: /image\/\w+/.exec(head)?.[0] ?? '' } as const;

  it.each([
    ['a first frame', 'seedance-1-0-pro-fast-251015', { image }],
    ['a first and a last frame', 'seedance-1-0-pro-250528', { image, providerOptions: last() }],
    ['references', 'dreamina-seedance-2-5-260628', { providerOptions: references() }],
  ] as const)('takes %s', async (_name, modelId, options) => {
    const { videos } = await generate(modelId, { prompt: 'A boat', ...options });
    expect(videos).toHaveLength(1);
  });

  it.each([
    ['a last frame', 'seedance-1-0-pro-fast-251015', { image, providerOptions: last() }],
    ['references', 'seedance-1-5-pro-251215', { providerOptions: references() }],
    ['sound', 'seedance-1-0-pro-250528', { providerOptions: { bytedance: { generateAudio: true } } }],
    ['a resolution in pixels', 'dreamina-seedance-2-0-260128', { resolution: '3840x2160' as const }],
  ] as const)('refuses %s where the model does not take it', async (_name, modelId, options) => {
    await expect(generate(modelId, { prompt: 'A boat', ...options })).rejects.toMatchObject({ statusCode: 400 });
  });

  it.each([
    ['moderated-input', 400],
    ['balance', 403],
    ['unavailable', 429],
    ['ratelimit:9', 429],
  ])('refuses as ModelArk does: %s', async (scenario, statusCode) => {
    const failing = generate('dreamina-seedance-2-0-260128', { prompt: `A boat [[${scenario}]]` });
    await expect(failing).rejects.toMatchObject({ statusCode, message: expect.stringContaining('failed') });
  });

  it('refuses a wrong key', async () => {
    const failing = generate('dreamina-seedance-2-0-260128', { prompt: 'A boat' }, 'of another account');
    await expect(failing).rejects.toMatchObject({ statusCode: 401 });
  });

  it.each(['moderated-output', 'fail'])('ends with an error: %s', async (scenario) => {
    const failing = generate('dreamina-seedance-2-0-260128', { prompt: `A boat [[${scenario}]]` });
    await expect(failing).rejects.toMatchObject({ name: 'BYTEDANCE_VIDEO_GENERATION_FAILED' });
  });
});

function last() {
  return { bytedance: { lastFrameImage: PICTURE } };
}

function references() {
  return {
    bytedance: {
      referenceImages: ['https://media.example.com/1.png'],
      referenceVideos: ['https://media.example.com/1.mp4'],
    },
  };
}
