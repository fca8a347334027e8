import { createXai } from '@ai-sdk/xai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FakeVideoVendor } from './fake-video-vendor';
import { startFakeXai, XAI_KEY } from './fake-xai';

// The video models of the AI SDK against the imitation of xAI.

const PROMPT = 'A paper boat';
const IMAGE = 'https://media.example.com/first.png';
const LAST = 'https://media.example.com/last.png';

describe('the AI SDK against the imitation of xAI', () => {
  let vendor: FakeVideoVendor;
  beforeAll(async () => {
    vendor = await startFakeXai();
  });
  afterAll(() => vendor.close());

  const modelOf = (name: string, apiKey = XAI_KEY) =>
    createXai({ baseURL: `${vendor.baseUrl}/v1`, apiKey }).video(name);
  type Model = ReturnType<typeof modelOf>;
  type Options = Partial<Parameters<NonNullable<Model['doStart']>>[0]>;

  async function start(model: Model, options: Options = {}) {
    const started = await model.doStart?.({
      prompt: PROMPT,
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
      providerOptions: {},
      ...options,
    });
    if (!started) throw new Error('The model cannot be started.');
    return started;
  }

  async function finish(prompt: string, name = 'grok-imagine-video') {
    const model = modelOf(name);
    const { operation } = await start(model, { prompt });
    const words: string[] = [];
    for (;;) {
      const state = await model.doStatus?.({ operation });
      if (!state) throw new Error('The model has no status.');
      words.push(state.status);
      if (state.status !== 'pending') return { state, words };
    }
  }

  it('submits, polls to the end and gets the link, the length and the cost', async () => {
    const { state, words } = await finish(PROMPT);
    expect(words).toEqual(['pending', 'pending', 'completed']);
    expect(state).toMatchObject({
      videos: [{ type: 'url', url: `${vendor.cdnUrl}/results/good/1.mp4` }],
      providerMetadata: { xai: { duration: 8, costInUsdTicks: 4_000_000_000 } },
    });
  });

  it.each(['pending-json', 'pending-text', 'no-status', 'stored', 'early', 'weird'])(
    'reads the answers of %s as a completed video',
    async (scenario) => {
      expect((await finish(`${PROMPT} [[${scenario}]]`)).state.status).toBe('completed');
    },
  );

  it.each(['fail', 'moderated-output', 'nourl', 'over', 'failed-moderated'])(
    'reads the end of %s as an error',
    async (scenario) => {
      expect((await finish(`${PROMPT} [[${scenario}]]`)).state.status).toBe('error');
    },
  );

  const sound = { duration: 5, generateAudio: false, aspectRatio: '9:16' as const };
  const resolution = { providerOptions: { xai: { resolution: '720p' } } };
  const shared = { prompt: PROMPT, duration: 5, aspect_ratio: '9:16', resolution: '720p', generate_audio: false };
  const file = (url: string) => ({ type: 'url' as const, url, mediaType: 'image/png' });
  it.each<[title: string, model: string, options: Options, path: string, body: object]>([
    ['a text', 'grok-imagine-video', { ...sound, ...resolution }, 'generations', shared],
    [
      'a first frame',
      'grok-imagine-video',
      { ...sound, ...resolution, image: file(IMAGE) },
      'generations',
      { ...shared, image: { url: IMAGE } },
    ],
    [
      'two frames',
      'grok-imagine-video-1.5',
      {
        ...sound,
        ...resolution,
        frameImages: [
          { frameType: 'first_frame', image: file(IMAGE) },
          { frameType: 'last_frame', image: file(LAST) },
        ],
      },
      'generations',
      { ...shared, image: { url: IMAGE }, last_frame: { url: LAST } },
    ],
    [
      'references',
      'grok-imagine-video-1.5',
      { ...sound, ...resolution, inputReferences: [file(IMAGE), file(LAST)] },
      'generations',
      { ...shared, reference_images: [{ url: IMAGE }, { url: LAST }] },
    ],
    [
      'an edit',
      'grok-imagine-video',
      { providerOptions: { xai: { mode: 'edit-video', videoUrl: 'https://media.example.com/clip.mp4' } } },
      'edits',
      { prompt: PROMPT, video: { url: 'https://media.example.com/clip.mp4' } },
    ],
  ])('orders %s with the fields that we send', async (_title, name, options, path, body) => {
    await start(modelOf(name), options);
    const request = vendor.requests.at(-1);
    expect([request?.path, request?.json]).toEqual([`/v1/videos/${path}`, { model: name, ...body }]);
  });

  it('reads both shapes of errors', async () => {
    await expect(start(modelOf('grok-imagine-video', 'another'))).rejects.toMatchObject({
      statusCode: 401,
      message: 'No valid API key.',
    });
    const wrong = start(modelOf('grok-imagine-video'), { providerOptions: { xai: { resolution: '1080p' } } });
    await expect(wrong).rejects.toMatchObject({
      statusCode: 400,
      message: expect.stringMatching(/^Client specified an invalid argument: /),
    });
  });
});
