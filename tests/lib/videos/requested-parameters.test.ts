import { servedByInstallation } from '../../../lib/routing/provider-directory';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { VideoOrder } from '../../../lib/domain/video';
import { orderFor } from '../../../lib/videos/video-request';
import { allModels } from '../../../lib/catalog/models';
import { mapVideoBindings, withBindings } from '../../../lib/catalog/binding-facts';
import { createChaos, type Chaos } from '../../support/chaos-provider';
import { makeGateway, type TestGateway } from '../../support/gateway';

// The requested parameters decide which provider serves the request and what it costs; the answer names those that no
// provider honours. Of the providers of veo-3.1-t2v google-ai-studio always makes sound and takes no seed; google-vertex
// and runway take a seed and can leave the sound out, for half the price. The prices of all are taken as verified.

const models = mapVideoBindings(allModels, (binding) => ({
  ...binding,
  stability: binding.stability === 'experimental' ? 'stable' : binding.stability,
  price: { ...binding.price, verified: true },
})).map((model) =>
  // fal without its endpoint for 4k, so that it refuses a size of the model.
  model.capability === 'video' && model.id === 'kling-3.0-t2v'
    ? withBindings(
        model,
        model.bindings.filter(({ modelName }) => !modelName.includes('/4k/')),
      )
    : model,
);
const veo = models.filter((model) => model.capability === 'video').find(({ id }) => id === 'veo-3.1-t2v')!;

let test: TestGateway;
let providers: Map<string, Chaos>;

async function withProviders(...ids: string[]): Promise<void> {
  providers = new Map(['sandbox', ...ids].map((id) => [id, createChaos(id)]));
  test = await makeGateway({
    providers: [...providers.values()].map(({ definition }) => definition),
    testProvider: providers.get('sandbox')!.definition,
    lookup: async () => ['93.184.216.34'],
    models,
  });
}

async function submitted(body: Record<string, unknown>, mode: 'live' | 'test' = 'live') {
  const { id, video, ignoredParams } = await test.gateway.videos.submit(await test.caller(mode), {
    body: { model: 'veo-3.1-t2v', prompt: 'a cat', seconds: 4, ...body },
    textOnly: false,
    requestId: 'req_1',
    automaticRetry: false,
  });
  const { rows } = await test.db.query('select "order", candidates, ignored_params from videos where id = $1', [id]);
  // Safe: the row of a video that was just submitted.
  const [row] = rows as unknown as {
    order: VideoOrder;
    candidates: { provider: string }[];
    ignored_params: string[];
  }[];
  expect(row!.ignored_params).toEqual(ignoredParams);
  const quoting = veo.bindings.find(({ providerId }) => providerId === row!.candidates[0]!.provider);
  return {
    id,
    cost: video.cost,
    audio: quoting === undefined ? row!.order.audio : orderFor(row!.order, veo, quoting).audio,
    providers: row!.candidates.map(({ provider }) => provider),
    ignored: ignoredParams,
  };
}

describe('if every provider is configured', () => {
  beforeAll(() => withProviders('google-ai-studio', 'google-vertex', 'runway'));
  afterAll(() => test.close());

  it.each([
    ['live', ['google-vertex', 'runway']],
    ['test', ['google-vertex']],
  ] as const)(
    'a video without sound goes to the providers that can make it, at their price, in %s mode',
    async (mode, able) => {
      expect(await submitted({ generate_audio: false }, mode)).toMatchObject({
        cost: 0.8,
        audio: false,
        providers: able,
        ignored: [],
      });
    },
  );

  it('a pinned provider that always makes sound does so at its price, and the answer says what it ignored', async () => {
    expect(await submitted({ model: 'google-ai-studio/veo-3.1-t2v', generate_audio: false })).toMatchObject({
      cost: 1.6,
      audio: true,
      providers: ['google-ai-studio'],
      ignored: ['generate_audio'],
    });
    expect(await submitted({ model: 'google-vertex/veo-3.1-t2v', generate_audio: false })).toMatchObject({
      cost: 0.8,
      audio: false,
      providers: ['google-vertex'],
      ignored: [],
    });
  });

  it('a default that is sent explicitly changes neither the providers nor the price', async () => {
    const unasked = await submitted({});
    expect(unasked).toMatchObject({
      cost: 1.6,
      audio: true,
      providers: ['google-ai-studio', 'google-vertex', 'runway'],
      ignored: [],
    });
    expect(await submitted({ generate_audio: true })).toMatchObject({
      cost: unasked.cost,
      audio: true,
      providers: unasked.providers,
      ignored: ['generate_audio'],
    });
  });

  it('a seed goes to the providers that take it', async () => {
    expect(await submitted({ seed: 5 })).toMatchObject({
      cost: 1.6,
      providers: ['google-vertex', 'runway'],
      ignored: [],
    });
  });

  it('the quote of a request is the price of its submission', async () => {
    for (const body of [{ generate_audio: false }, { generate_audio: true }, { seed: 5 }, {}]) {
      const { cost } = await submitted(body);
      expect(
        Number(
          test.gateway.usage.quote(servedByInstallation('live'), { model: 'veo-3.1-t2v', seconds: 4, ...body }).total,
        ),
      ).toBe(cost);
    }
  });

  it('the details of the video say which provider ignored what', async () => {
    const { id } = await submitted({ generate_audio: true });
    const { ignored } = await test.gateway.videos.details(await test.caller('live'), id);
    expect(ignored).toEqual([{ name: 'generate_audio', reason: 'google-ai-studio does not take it for veo-3.1-t2v.' }]);
  });

  it('num_videos is ignored, and one video is made and charged', async () => {
    for (const model of ['google-vertex/veo-3.1-t2v', 'veo-3.1-t2v', 'sandbox-t2v']) {
      const one = await submitted({ model });
      for (const num_videos of [2, 'two'])
        expect(await submitted({ model, num_videos })).toMatchObject({
          cost: one.cost,
          providers: one.providers,
          ignored: ['num_videos'],
        });
    }
  });
});

describe('if the only provider that supports it is not configured', () => {
  beforeAll(() => withProviders('google-ai-studio'));
  afterAll(() => test.close());

  it('a video without sound is made with it, at that price, and the answer says so', async () => {
    expect(await submitted({ generate_audio: false, seed: 5 })).toMatchObject({
      cost: 1.6,
      audio: true,
      providers: ['google-ai-studio'],
      ignored: ['generate_audio', 'seed'],
    });
  });
});

describe('if the providers have different limits', () => {
  beforeAll(() => withProviders('google-ai-studio', 'google-vertex', 'runway'));
  afterAll(() => test.close());

  it('a video without sound stays silent even if others take more of its other parameters', async () => {
    const choices = { negative_prompt: 'rain', seed: 5, generate_audio: false };
    expect(await submitted(choices)).toMatchObject({ cost: 0.8, audio: false, ignored: [] });
  });

  it('a request that no provider supports is refused with the reason of each, and holds nothing', async () => {
    const long = { prompt: 'x'.repeat(1_001) };
    expect(await submitted(long)).toMatchObject({ providers: ['google-ai-studio', 'google-vertex'] });
    await expect(submitted({ ...long, model: 'runway/veo-3.1-t2v' })).rejects.toMatchObject({
      code: 'string_too_long',
      message: 'prompt may have at most 1,000 characters; got 1,001.',
    });
    await expect(
      submitted({ model: 'wan-2.7-i2v', seconds: 5, image_url: 'https://example.com/a.png' }),
    ).rejects.toMatchObject({ code: 'no_provider_available' });
  });
});

describe('if one provider serves a model with several endpoints', () => {
  beforeAll(() => withProviders('fal'));
  afterAll(() => test.close());

  it('the resolution decides about the endpoint and the price', async () => {
    const kling = { model: 'kling-3.0-t2v', seconds: 5, sound: false };
    expect(await submitted(kling)).toMatchObject({ cost: 0.42, providers: ['fal'] });
    expect(await submitted({ ...kling, size: '1920x1080' })).toMatchObject({ cost: 0.56, providers: ['fal'] });
  });

  it('a size that it does not serve is refused with its reason for each endpoint', async () => {
    await expect(submitted({ model: 'kling-3.0-t2v', seconds: 5, size: '3840x2160' })).rejects.toMatchObject({
      code: 'unsupported_value',
      message:
        'No provider of kling-3.0-t2v can serve this request. kling: not set up in this installation. fal: size must be 720p or 1080p. replicate: not set up in this installation. wavespeed: not set up in this installation.',
      extra: {
        param: 'size',
        details: { providers: expect.arrayContaining([{ provider: 'fal', reason: 'size must be 1080p' }]) },
      },
    });
  });
});

describe('if no provider has all values together that the model lists', () => {
  beforeAll(() => withProviders('minimax', 'fal', 'runway', 'replicate'));
  afterAll(() => test.close());

  it('the refusal says what each provider takes instead', async () => {
    // fal alone makes 4k, and takes no reference videos.
    const references = { model: 'minimax-h3-r2v', seconds: 5, video_list: ['https://example.com/a.mp4'] };
    const takes = 'minimax: size must be 768p or 2k. fal: video_list is not supported; image_list takes 1 to 9 images.';
    await expect(submitted({ ...references, size: '3840x2160' })).rejects.toMatchObject({
      message: `No provider of minimax-h3-r2v can serve this request. ${takes} runway: size must be 768p or 2k. wavespeed: not set up in this installation.`,
    });
    // Replicate alone makes 4:3, in two lengths.
    await expect(submitted({ model: 'gen-4.5-t2v', seconds: 7, size: '960x720' })).rejects.toMatchObject({
      message:
        'No provider of gen-4.5-t2v can serve this request. runway: the aspect ratio of size must be 16:9 or 9:16. replicate: seconds must be one of 5, 10.',
    });
  });
});
