import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allModels } from '../../../lib/catalog/models';
import { newId } from '../../../lib/domain/ids';
import type { MediaRole, OrderMedia, VideoBinding, VideoOrder } from '../../../lib/domain/video';
import { googleAiStudio } from '../../../lib/providers/google-ai-studio/index';
import { makeRequest, writeData } from '../../../lib/providers/google-ai-studio/request';
import { createTestClock } from '../../support/clock';
import { pngBytes } from '../../support/media-bytes';
import { RESULT, type FakeVideoVendor } from '../../support/upstreams/fake-video-vendor';
import { KEY, startFakeGoogleAiStudio } from '../../support/upstreams/fake-google-ai-studio';
import { makeCall, makeRunning, readBody, videoContract } from '../contract/video';
import {
  firstFrame,
  inlineMediaOf,
  makeOrder,
  makeVendorSubject,
  PICTURE,
  pollToEnd,
  submit,
  videoVendorContract,
  type VendorContract,
  type VendorSubject,
} from '../contract/video-vendor';

const bindings = allModels.flatMap((model) =>
  model.capability === 'video'
    ? model.bindings
        .filter(({ providerId }) => providerId === googleAiStudio.id)
        .map((binding) => ({ id: model.id, kind: model.video.kind, binding }))
    : [],
);

function bindingOf(modelName: string): VideoBinding {
  const [found] = bindings;
  if (!found) throw new Error('The catalog has no model of this provider.');
  return { ...found.binding, modelName };
}

const contract: VendorContract = {
  definition: googleAiStudio,
  startVendor: startFakeGoogleAiStudio,
  settings: ({ baseUrl }) => ({
    GOOGLE_AI_STUDIO_API_KEY: KEY,
    GOOGLE_AI_STUDIO_BASE_URL: `${baseUrl}/v1beta`,
  }),
  binding: bindingOf('veo-3.1-generate-preview'),
  order: { seconds: 8, audio: true },
  isSubmit: ({ method, path }) => method === 'POST' && path.endsWith(':predictLongRunning'),
  refusals: [
    { scenario: 'moderated-input', code: 'content_policy_violation', retry: 'never' },
    { scenario: 'invalid', code: 'upstream_rejected', retry: 'never' },
    { scenario: 'auth', code: 'upstream_auth_failed', retry: 'elsewhere' },
    { scenario: 'forbidden', code: 'upstream_auth_failed', retry: 'elsewhere' },
    { scenario: 'billing', code: 'upstream_auth_failed', retry: 'elsewhere' },
    { scenario: 'balance', code: 'upstream_auth_failed', retry: 'elsewhere' },
    { scenario: 'ratelimit:1', code: 'rate_limit_exceeded', retry: 'elsewhere' },
    { scenario: 'unavailable', code: 'upstream_invalid_response', retry: 'elsewhere' },
    { scenario: 'unknown-model', code: 'provider_model_not_found', retry: 'elsewhere' },
  ],
  failures: {
    'moderated-output': 'content_policy_violation',
    fail: 'generation_failed',
    nourl: 'generation_failed',
  },
};

videoVendorContract('Veo on the Gemini API', contract);

videoContract(
  'Veo on the Gemini API',
  async () => {
    const clock = createTestClock();
    const { vendor, video, log, close } = await makeVendorSubject(contract, { clock });
    // Time passes only while a poll is not answered, so that nothing else times out on a busy machine.
    const isHanging = () => vendor.jobs.some(({ scenario, polls }) => scenario?.name === 'poll-hang' && polls === 1);
    const ticker = setInterval(() => isHanging() && void clock.advance(1_000), 20);
    const failures: Readonly<Record<string, string>> = {
      '503': 'poll503',
      '429': 'poll429',
      html: 'poll-html',
      timeout: 'poll-hang',
    };
    const makeStart = (change: Partial<VideoOrder> = {}, scenario?: string) => ({
      videoId: newId('video'),
      order: makeOrder(contract, {
        ...change,
        prompt: `${change.prompt ?? 'A paper boat'}${scenario === undefined ? '' : ` [[${scenario}]]`}`,
      }),
      binding: contract.binding,
      owner: { orgId: newId('org'), mode: 'live' as const },
      submitting: async () => {},
    });
    return {
      provider: video,
      log,
      makeStart: (change) => makeStart(change),
      makeFailingStart: (error) => makeStart({}, failures[error]),
      makeModeratedStart: () => makeStart({}, 'moderated-output'),
      pause: async () => {},
      stall: () => vendor.stall(),
      async dispose() {
        clearInterval(ticker);
        await close();
      },
    };
  },
  { errors: ['503', '429', 'html', 'timeout'], has: ['moderated', 'stall'] },
);

const PROMPT = 'A paper boat on a quiet river';
const PNG = PICTURE.slice(PICTURE.indexOf(',') + 1);
const JPEG = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(1_230, 7)]).toString('base64');
const media = (role: MediaRole, url: string): OrderMedia => ({ role, url });
const jpegUrl = `data:image/jpeg;base64,${JPEG}`;

interface WireCase {
  readonly title: string;
  /** The models of the catalog that can be ordered like this, with the names that the API has for them. */
  readonly models: Readonly<Record<string, string>>;
  readonly order: Partial<VideoOrder>;
  readonly body: unknown;
  /** Of a request with images, what is stored of it. */
  readonly shown?: unknown;
}

const standard = 'veo-3.1-generate-preview';
const fast = 'veo-3.1-fast-generate-preview';
const lite = 'veo-3.1-lite-generate-preview';

// Written by hand from the reference of the API, not with the code that is tested.
const wireCases: readonly WireCase[] = [
  {
    title: 'text, the shortest',
    models: { 'veo-3.1-t2v': standard, 'veo-3.1-fast-t2v': fast, 'veo-3.1-lite-t2v': lite },
    order: { kind: 't2v', seconds: 4, resolution: '720p' },
    body: {
      instances: [{ prompt: PROMPT }],
      parameters: {
        aspectRatio: '16:9',
        resolution: '720p',
        durationSeconds: 4,
        sampleCount: 1,
        personGeneration: 'allow_all',
      },
    },
  },
  {
    title: 'text, portrait, 6 seconds, with a negative prompt, and with parameters that this API does not have',
    models: { 'veo-3.1-t2v': standard, 'veo-3.1-fast-t2v': fast, 'veo-3.1-lite-t2v': lite },
    order: {
      seconds: 6,
      aspectRatio: '9:16',
      width: 720,
      height: 1280,
      seed: 0,
      audio: false,
      parameters: { negative_prompt: 'people, rain', generate_audio: false },
    },
    body: {
      instances: [{ prompt: PROMPT }],
      parameters: {
        aspectRatio: '9:16',
        resolution: '720p',
        durationSeconds: 6,
        sampleCount: 1,
        personGeneration: 'allow_all',
        negativePrompt: 'people, rain',
      },
    },
  },
  {
    title: 'text, an empty negative prompt',
    models: { 'veo-3.1-t2v': standard, 'veo-3.1-fast-t2v': fast, 'veo-3.1-lite-t2v': lite },
    order: { seconds: 8, parameters: { negative_prompt: '' } },
    body: {
      instances: [{ prompt: PROMPT }],
      parameters: {
        aspectRatio: '16:9',
        resolution: '720p',
        durationSeconds: 8,
        sampleCount: 1,
        personGeneration: 'allow_all',
        negativePrompt: '',
      },
    },
  },
  {
    title: 'text, 1080p and portrait',
    models: { 'veo-3.1-t2v': standard, 'veo-3.1-fast-t2v': fast, 'veo-3.1-lite-t2v': lite },
    order: { seconds: 8, resolution: '1080p', aspectRatio: '9:16', width: 1080, height: 1920 },
    body: {
      instances: [{ prompt: PROMPT }],
      parameters: {
        aspectRatio: '9:16',
        resolution: '1080p',
        durationSeconds: 8,
        sampleCount: 1,
        personGeneration: 'allow_all',
      },
    },
  },
  {
    title: 'text, 4k',
    models: { 'veo-3.1-t2v': standard, 'veo-3.1-fast-t2v': fast },
    order: { seconds: 8, resolution: '4k', width: 3840, height: 2160 },
    body: {
      instances: [{ prompt: PROMPT }],
      parameters: {
        aspectRatio: '16:9',
        resolution: '4k',
        durationSeconds: 8,
        sampleCount: 1,
        personGeneration: 'allow_all',
      },
    },
  },
  {
    title: 'a first frame',
    models: { 'veo-3.1-i2v': standard, 'veo-3.1-fast-i2v': fast },
    order: { kind: 'i2v', seconds: 4, media: [firstFrame], parameters: { negative_prompt: 'rain' } },
    body: {
      instances: [{ prompt: PROMPT, image: { bytesBase64Encoded: PNG, mimeType: 'image/png' } }],
      parameters: {
        aspectRatio: '16:9',
        resolution: '720p',
        durationSeconds: 4,
        sampleCount: 1,
        personGeneration: 'allow_adult',
        negativePrompt: 'rain',
      },
    },
    shown: {
      instances: [{ prompt: PROMPT, image: { bytesBase64Encoded: '(image/png, 70 bytes)', mimeType: 'image/png' } }],
      parameters: {
        aspectRatio: '16:9',
        resolution: '720p',
        durationSeconds: 4,
        sampleCount: 1,
        personGeneration: 'allow_adult',
        negativePrompt: 'rain',
      },
    },
  },
  {
    title: 'a first and a last frame',
    models: { 'veo-3.1-start-end': standard },
    order: {
      kind: 'start-end',
      seconds: 8,
      resolution: '1080p',
      width: 1920,
      height: 1080,
      media: [media('last_frame', jpegUrl), firstFrame],
    },
    body: {
      instances: [
        {
          prompt: PROMPT,
          image: { bytesBase64Encoded: PNG, mimeType: 'image/png' },
          lastFrame: { bytesBase64Encoded: JPEG, mimeType: 'image/jpeg' },
        },
      ],
      parameters: {
        aspectRatio: '16:9',
        resolution: '1080p',
        durationSeconds: 8,
        sampleCount: 1,
        personGeneration: 'allow_adult',
      },
    },
    shown: {
      instances: [
        {
          prompt: PROMPT,
          image: { bytesBase64Encoded: '(image/png, 70 bytes)', mimeType: 'image/png' },
          lastFrame: { bytesBase64Encoded: '(image/jpeg, 1,234 bytes)', mimeType: 'image/jpeg' },
        },
      ],
      parameters: {
        aspectRatio: '16:9',
        resolution: '1080p',
        durationSeconds: 8,
        sampleCount: 1,
        personGeneration: 'allow_adult',
      },
    },
  },
  {
    title: 'reference images',
    models: { 'veo-3.1-r2v': standard },
    order: {
      kind: 'r2v',
      seconds: 8,
      media: [media('reference_image', PICTURE), media('reference_image', jpegUrl)],
    },
    body: {
      instances: [
        {
          prompt: PROMPT,
          referenceImages: [
            { image: { bytesBase64Encoded: PNG, mimeType: 'image/png' }, referenceType: 'asset' },
            { image: { bytesBase64Encoded: JPEG, mimeType: 'image/jpeg' }, referenceType: 'asset' },
          ],
        },
      ],
      parameters: {
        aspectRatio: '16:9',
        resolution: '720p',
        durationSeconds: 8,
        sampleCount: 1,
        personGeneration: 'allow_adult',
      },
    },
    shown: {
      instances: [
        {
          prompt: PROMPT,
          referenceImages: [
            {
              image: { bytesBase64Encoded: '(image/png, 70 bytes)', mimeType: 'image/png' },
              referenceType: 'asset',
            },
            {
              image: { bytesBase64Encoded: '(image/jpeg, 1,234 bytes)', mimeType: 'image/jpeg' },
              referenceType: 'asset',
            },
          ],
        },
      ],
      parameters: {
        aspectRatio: '16:9',
        resolution: '720p',
        durationSeconds: 8,
        sampleCount: 1,
        personGeneration: 'allow_adult',
      },
    },
  },
];

describe('Veo on the Gemini API', () => {
  let subject: VendorSubject;
  beforeAll(async () => {
    subject = await makeVendorSubject(contract);
  });
  afterAll(() => subject.close());

  const begin = async (scenario: string) => {
    const { started, error } = await submit(subject, contract, { scenario });
    if (!started) throw error;
    return started;
  };

  describe('the request', () => {
    const ordered = wireCases.flatMap(({ models, ...wireCase }) =>
      Object.entries(models).map(([id, modelName]) => ({ id, modelName, ...wireCase })),
    );
    it.each(ordered)('of $id: $title', async ({ modelName, order, body, shown = body }) => {
      const { bodies, submits, error } = await submit(subject, contract, {
        prompt: PROMPT,
        ...order,
        binding: bindingOf(modelName),
      });
      expect(error).toBeUndefined();
      const [request] = submits;
      expect(request?.path).toBe(`/v1beta/models/${modelName}:predictLongRunning`);
      expect(request?.json).toEqual(body);
      expect(bodies).toEqual([shown]);
      expect(inlineMediaOf(bodies)).toEqual([]);
    });

    it.each([
      [720, 1280, '9:16'],
      [1280, 720, '16:9'],
      [960, 960, '16:9'],
    ])('has the ratio of the size %i × %i if the order has none', (width, height, aspectRatio) => {
      const { aspectRatio: _, ...order } = makeOrder(contract, { width, height });
      const none = { first_frame: [], last_frame: [], reference_image: [], reference_video: [], source_video: [] };
      expect(makeRequest(order, none, writeData).parameters.aspectRatio).toBe(aspectRatio);
    });

    it('has cases for every model of the catalog', () => {
      const covered = new Set(ordered.map(({ id, modelName }) => `${id} as ${modelName}`));
      const offered = bindings.map(({ id, binding }) => `${id} as ${binding.modelName}`);
      expect(offered.length).toBeGreaterThan(0);
      expect(offered.filter((model) => !covered.has(model))).toEqual([]);
    });

    it('sends the key in its header only', async () => {
      const { submits } = await submit(subject, contract);
      expect(submits[0]?.headers['x-goog-api-key']).toBe(KEY);
      expect(submits[0]?.query.size).toBe(0);
      expect(submits[0]?.raw.includes(KEY)).toBe(false);
    });

    it.each([
      ['a picture of more than 20 MB', pngBytes(20 * 1024 * 1024 + 1), 'media_too_large'],
      ['a file that is no picture', Buffer.from('just a text, and not a picture'), 'media_invalid'],
    ])('is not made with %s', async (_title, bytes, code) => {
      const url = `data:image/png;base64,${bytes.toString('base64')}`;
      const { error, bodies, submits } = await submit(subject, contract, { media: [media('first_frame', url)] });
      expect(error).toMatchObject({ code, extra: { upstream: { retry: 'never', started: 'no' } } });
      expect([bodies, submits]).toEqual([[], []]);
    });
  });

  describe('knows', () => {
    const knows = (change: Partial<VideoBinding>) => googleAiStudio.knows?.({ ...contract.binding, ...change });

    it('every binding of the catalog', () => {
      expect(bindings.filter(({ binding }) => !googleAiStudio.knows?.(binding))).toEqual([]);
    });

    it.each<[string, Partial<VideoBinding>]>([
      ['another model', { modelName: 'veo-2.0-generate-001' }],
      ['4k of the lite model', { modelName: lite, resolutions: ['720p', '4k'] }],
      ['a parameter that the API does not have', { parameters: ['negative_prompt', 'seed'] }],
      ['a choice of sound', { audio: 'toggle' }],
    ])('not %s', (_title, change) => {
      expect(knows(change)).toBe(false);
    });
  });

  describe('a refused submit', () => {
    it('has the pause of the RetryInfo', async () => {
      const { error } = await submit(subject, contract, { scenario: 'ratelimit:3' });
      expect(error).toMatchObject({ extra: { upstream: { retryAfterMs: 34_500 }, retryAfterSeconds: 35 } });
    });

    it('may have begun work if the API gave up waiting for its own answer', async () => {
      const { error, submits } = await submit(subject, contract, { scenario: 'deadline' });
      expect(error).toMatchObject({ code: 'upstream_timeout', extra: { upstream: { started: 'maybe' } } });
      expect(submits).toHaveLength(1);
    });

    it.each(['auth', 'forbidden', 'billing', 'balance'])(
      'for %s tells the caller nothing of the account',
      async (scenario) => {
        const { error } = await submit(subject, contract, { scenario });
        expect(error).toMatchObject({
          message: 'The provider refused the credentials of this installation. Tell the operator.',
        });
      },
    );
  });

  describe('the end of an operation', () => {
    it.each([
      ['error:1', 'cancelled'],
      ['error:2', 'generation_failed'],
      ['error:3', 'upstream_rejected'],
      ['error:4', 'upstream_timeout'],
      ['error:5', 'generation_failed'],
      ['error:7', 'upstream_auth_failed'],
      ['error:8', 'generation_failed'],
      ['error:9', 'generation_failed'],
      ['error:13', 'generation_failed'],
      ['error:14', 'generation_failed'],
      ['error:16', 'upstream_auth_failed'],
      ['error-moderated', 'content_policy_violation'],
      ['no-samples', 'content_policy_violation'],
    ])('with %s is %s, in a sentence of ours', async (scenario, code) => {
      const { end } = await pollToEnd(subject, (await begin(scenario)).receipt);
      expect(end).toMatchObject({ status: 'failed', code, message: expect.stringMatching(/^The .{10,}\.$/) });
      expect(JSON.stringify(end)).not.toMatch(/support codes|the operation ended/i);
    });

    it('with one of two samples filtered is a completed video', async () => {
      const { end } = await pollToEnd(subject, (await begin('partly-filtered')).receipt);
      expect(end?.status).toBe('completed');
    });

    it('has the facts that the file has, because the API states none', async () => {
      const { end } = await pollToEnd(subject, (await begin('good')).receipt);
      expect(end).toMatchObject({ video: { width: 160, height: 90, fps: 12, durationSeconds: 2 } });
    });

    it('has no facts if the file cannot be read at that moment', async () => {
      const { end } = await pollToEnd(subject, (await begin('cdn-500')).receipt);
      expect(end?.status === 'completed' && Object.keys(end.video).toSorted()).toEqual(['expiresAt', 'file']);
    });

    it('names 47 hours after the acceptance as the end of the file, and the file without host and key', async () => {
      const { receipt } = await begin('good');
      await pollToEnd(subject, receipt);
      const startedAt = new Date('2026-11-20T08:00:00Z');
      const progress = await subject.video.check(makeRunning(receipt, { startedAt }), makeCall(subject.log));
      expect(progress).toMatchObject({
        video: {
          expiresAt: new Date('2026-11-22T07:00:00Z'),
          file: { path: expect.stringMatching(/^\/files\/[a-z0-9]{12}:download\?alt=media$/) },
        },
      });
      expect(progress.status === 'completed' && progress.video.publicUrl).toBeUndefined();
    });
  });

  describe('a check', () => {
    it('of an unknown operation is repeated in the first minute, and later fails the video', async () => {
      const { receipt } = await begin('poll404:9');
      const check = (ageSeconds: number) => {
        const startedAt = new Date(Date.now() - ageSeconds * 1_000);
        return subject.video.check(makeRunning(receipt, { startedAt }), makeCall(subject.log));
      };
      await expect(check(30)).rejects.toMatchObject({ extra: { upstream: { retry: 'later' } } });
      expect(await check(90)).toMatchObject({ status: 'failed', code: 'generation_failed' });
    });

    it.each(['poll-key', 'poll401'])('with a refused key (%s) names our credentials', async (scenario) => {
      const { receipt } = await begin(scenario);
      const check = subject.video.check(makeRunning(receipt), makeCall(subject.log));
      await expect(check).rejects.toMatchObject({
        code: 'upstream_auth_failed',
        extra: { upstream: { retry: 'later' } },
      });
    });

    it('waits as long as a 429 says', async () => {
      const { receipt } = await begin('poll429');
      const check = subject.video.check(makeRunning(receipt), makeCall(subject.log));
      await expect(check).rejects.toMatchObject({ extra: { upstream: { retry: 'later', retryAfterMs: 7_000 } } });
    });
  });

  it('polls every ten seconds, begins ten videos a minute, and cannot cancel', () => {
    const { pace, limits, cancel, refresh, repeatable } = subject.video;
    expect({ pace, limits }).toEqual({ pace: { firstMs: 10_000, minMs: 10_000 }, limits: { startsPerMinute: 50 } });
    expect([cancel, refresh, repeatable]).toEqual([undefined, undefined, undefined]);
  });

  it('opens a file with the key at the API and without it at the target of the redirect', async () => {
    const { end } = await pollToEnd(subject, (await begin('good')).receipt);
    if (end?.status !== 'completed') throw new Error('The video did not complete.');
    const [requests, downloads] = [subject.vendor.requests.length, subject.vendor.downloads.length];
    const content = await subject.video.open(end.video.file, undefined, makeCall(subject.log));
    expect((await readBody(content)).equals(RESULT)).toBe(true);
    expect(subject.vendor.requests.slice(requests).map(({ headers }) => headers['x-goog-api-key'])).toEqual([KEY]);
    expect(subject.vendor.downloads.slice(downloads).map(({ headers }) => headers['x-goog-api-key'])).toEqual([
      undefined,
    ]);
  });
});

describe('GOOGLE_AI_STUDIO_BASE_URL', () => {
  it.each<[string, (vendor: FakeVideoVendor) => string]>([
    ['the version of the API', ({ baseUrl }) => `${baseUrl}/v1beta`],
    ['a trailing slash', ({ baseUrl }) => `${baseUrl}/v1beta/`],
    ['no path', ({ baseUrl }) => baseUrl],
  ])('may have %s', async (_title, baseUrl) => {
    const settings = (vendor: FakeVideoVendor) => ({
      GOOGLE_AI_STUDIO_API_KEY: KEY,
      GOOGLE_AI_STUDIO_BASE_URL: baseUrl(vendor),
    });
    const subject = await makeVendorSubject({ ...contract, settings });
    const { started } = await submit(subject, contract);
    const { end } = await pollToEnd(subject, started?.receipt ?? null);
    if (end?.status !== 'completed') throw new Error('The video did not complete.');
    const content = await subject.video.open(end.video.file, { start: -100 }, makeCall(subject.log));
    expect((await readBody(content)).equals(RESULT.subarray(-100))).toBe(true);
    await subject.close();
  });
});
