import { describe, expect, it } from 'vitest';
import type { VideoBinding } from '../../../lib/domain/video';
import { googleAiStudio } from '../../../lib/providers/google-ai-studio/index';
import { isOmni } from '../../../lib/providers/google-ai-studio/models';
import { RESULT, type FakeVideoVendor } from '../../support/upstreams/fake-video-vendor';
import { KEY } from '../../support/upstreams/fake-google-ai-studio';
import { makeCall, makeRunning, readBody } from '../contract/video';
import { videoVendorContract } from '../contract/video-vendor';
import { bindingOf, catalogBindings } from '../support/catalog-bindings';
import {
  begin,
  makeVendorSubject,
  pollToEnd,
  submit,
  useVendorSubject,
  type VendorContract,
} from '../support/vendor-subject';
import { requestCasesContract } from '../contract/request-cases';
import { inlineMediaOptions, veoCases } from '../support/veo-requests';
import { geminiContract, inlineImagesContract } from './gemini-contract';

const bindings = catalogBindings(googleAiStudio);

const contract: VendorContract = {
  ...geminiContract,
  binding: bindingOf(googleAiStudio, 'veo-3.1-generate-preview'),
  isSubmit: ({ method, path }) => method === 'POST' && path.endsWith(':predictLongRunning'),
  refusals: [
    { scenario: 'forbidden', code: 'upstream_auth_failed', retry: 'elsewhere' },
    { scenario: 'billing', code: 'upstream_auth_failed', retry: 'elsewhere' },
    { scenario: 'unknown-model', code: 'provider_model_not_found', retry: 'elsewhere' },
  ],
};

const lite = 'veo-3.1-lite-generate-preview';
const cases = veoCases({
  names: { standard: 'veo-3.1-generate-preview', fast: 'veo-3.1-fast-generate-preview', lite },
  pathOf: (modelName) => `/v1beta/models/${modelName}:predictLongRunning`,
  own: (hasImages) => ({ personGeneration: hasImages ? 'allow_adult' : 'allow_all' }),
  // The API does not have these parameters.
  changes: [[{ seed: 0, audio: false, parameters: { generate_audio: false } }, {}]],
});

videoVendorContract('Veo on the Gemini API', contract);
requestCasesContract('Veo on the Gemini API', contract, cases, {
  ...inlineMediaOptions,
  bindings: bindings.filter(({ binding }) => !isOmni(binding.modelName)),
  headers: { 'x-goog-api-key': KEY },
});

describe('Veo on the Gemini API', () => {
  const subject = useVendorSubject(contract);

  describe('the request', () => {
    it('sends the key in its header only', async () => {
      const { submits, started } = await submit(subject, contract);
      expect(started?.providerJobId).toMatch(/^[a-z0-9]{12}$/);
      expect(submits[0]?.headers['x-goog-api-key']).toBe(KEY);
      expect(submits[0]?.query.size).toBe(0);
      expect(submits[0]?.raw.includes(KEY)).toBe(false);
    });

    inlineImagesContract(subject, contract);
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
      ['360p of Veo', { resolutions: ['360p', '720p'] }],
      ['a negative prompt for Gemini Omni', { modelName: 'gemini-omni-1.2-flash', parameters: ['negative_prompt'] }],
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
      const { end } = await pollToEnd(subject, (await begin(subject, contract, { scenario })).receipt);
      expect(end).toMatchObject({ status: 'failed', code, message: expect.stringMatching(/^The .{10,}\.$/) });
      expect(JSON.stringify(end)).not.toMatch(/support codes|the operation ended/i);
    });

    it('with one of two samples filtered is a completed video', async () => {
      const { end } = await pollToEnd(
        subject,
        (await begin(subject, contract, { scenario: 'partly-filtered' })).receipt,
      );
      expect(end?.status).toBe('completed');
    });

    it('has the facts that the file has, because the API states none', async () => {
      const { end } = await pollToEnd(subject, (await begin(subject, contract, { scenario: 'good' })).receipt);
      expect(end).toMatchObject({ video: { width: 160, height: 90, fps: 12, durationSeconds: 2 } });
    });

    it('has no facts if the file cannot be read at that moment', async () => {
      const { end } = await pollToEnd(subject, (await begin(subject, contract, { scenario: 'cdn-500' })).receipt);
      expect(end?.status === 'completed' && Object.keys(end.video).toSorted()).toEqual(['expiresAt', 'file']);
    });

    it('names 47 hours after the acceptance as the end of the file, and the file without host and key', async () => {
      const { receipt } = await begin(subject, contract, { scenario: 'good' });
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

  it('a check with a key that the API calls invalid names our credentials', async () => {
    const { receipt } = await begin(subject, contract, { scenario: 'poll-key' });
    const check = subject.video.check(makeRunning(receipt), makeCall(subject.log));
    await expect(check).rejects.toMatchObject({
      code: 'upstream_auth_failed',
      extra: { upstream: { retry: 'later' } },
    });
  });

  it('polls every ten seconds, begins fifty videos a minute, and cannot cancel', async () => {
    const { pace, limits, refresh, repeatable } = subject.video;
    expect({ pace, limits }).toEqual({ pace: { firstMs: 10_000, minMs: 10_000 }, limits: { startsPerMinute: 50 } });
    expect([refresh, repeatable]).toEqual([undefined, undefined]);
    const { receipt } = await begin(subject, contract, { scenario: 'hang' });
    const before = subject.vendor.requests.length;
    expect(await subject.cancel(makeRunning(receipt))).toBe('unsupported');
    expect(subject.vendor.requests.length).toBe(before);
  });

  it('opens a file with the key at the API and without it at the target of the redirect', async () => {
    const { end } = await pollToEnd(subject, (await begin(subject, contract, { scenario: 'good' })).receipt);
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
