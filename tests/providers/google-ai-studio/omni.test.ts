import { describe, expect, it } from 'vitest';
import { isOmni } from '../../../lib/providers/google-ai-studio/models';
import { googleAiStudio } from '../../../lib/providers/google-ai-studio/index';
import { PICTURE } from '../../support/media-bytes';
import { KEY } from '../../support/upstreams/fake-google-ai-studio';
import { makeRunning } from '../contract/video';
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
import { jobVendorContract } from '../contract/video-jobs';
import { requestCasesContract } from '../contract/request-cases';
import { inlineMediaOptions } from '../support/veo-requests';
import { omniCases } from './omni-requests';
import { geminiContract, inlineImagesContract } from './gemini-contract';

const bindings = catalogBindings(googleAiStudio).filter(({ binding }) => isOmni(binding.modelName));

const contract: VendorContract = {
  ...geminiContract,
  binding: bindingOf(googleAiStudio, 'gemini-omni-1.2-flash'),
  isSubmit: ({ method, path }) => method === 'POST' && path.endsWith('/interactions'),
  isCancel: ({ path }) => path.endsWith('/cancel'),
  cancelNamesJob: true,
  refusals: [
    { scenario: 'forbidden', code: 'upstream_auth_failed', retry: 'elsewhere' },
    { scenario: 'unknown-model', code: 'provider_model_not_found', retry: 'elsewhere' },
  ],
};

videoVendorContract('Gemini Omni on the Gemini API', contract);
jobVendorContract('Gemini Omni on the Gemini API', contract, { notOffered: [] });
requestCasesContract('Gemini Omni on the Gemini API', contract, omniCases, {
  ...inlineMediaOptions,
  bindings,
  headers: { 'x-goog-api-key': KEY },
});

describe('Gemini Omni on the Gemini API', () => {
  const subject = useVendorSubject(contract);

  it('gets the key in its header only, and images inside the request', async () => {
    const media = [{ role: 'first_frame' as const, url: PICTURE }];
    const { submits, bodies } = await submit(subject, contract, { kind: 'i2v', media });
    expect(submits.map(({ headers, query }) => [headers['x-goog-api-key'], query.size])).toEqual([[KEY, 0]]);
    expect(submits[0]?.raw.includes(KEY)).toBe(false);
    expect(submits[0]?.raw.includes(PICTURE.slice(PICTURE.indexOf(',') + 1))).toBe(true);
    expect(JSON.stringify(bodies)).toContain('(image/png, 70 bytes)');
  });

  inlineImagesContract(subject, contract);

  it('asks for the state of the file before the video is completed, and waits while it is processed', async () => {
    const before = subject.vendor.requests.length;
    const { receipt, providerJobId } = await begin(subject, contract, { scenario: 'processing' });
    const { words } = await pollToEnd(subject, receipt);
    expect(words).toEqual(['queued', 'in_progress', 'in_progress', 'completed']);
    const poll = `GET /v1/interactions/${providerJobId}`;
    const paths = subject.vendor.requests.slice(before + 1).map(({ method, path }) => `${method} ${path}`);
    const file = expect.stringMatching(/^GET \/v1beta\/files\/[a-z0-9]{12}$/);
    expect(paths.filter((path) => !path.endsWith(':download'))).toEqual([poll, poll, poll, file, poll, file]);
  });

  it.each([
    ['file-failed', 'generation_failed'],
    ['incomplete', 'generation_failed'],
  ])('ends with %s as %s', async (scenario, code) => {
    const { end } = await pollToEnd(subject, (await begin(subject, contract, { scenario })).receipt);
    expect(end).toMatchObject({ status: 'failed', code, bill: { units: '46348 tokens' } });
  });

  it('ends with the facts of the file for 47 hours, and with the tokens that were charged', async () => {
    const { receipt } = await begin(subject, contract, { scenario: 'good' });
    await pollToEnd(subject, receipt);
    const startedAt = new Date('2026-11-20T08:00:00Z');
    expect(await subject.check(makeRunning(receipt, { startedAt }))).toMatchObject({
      status: 'completed',
      bill: { units: '46348 tokens' },
      video: {
        width: 160,
        height: 90,
        fps: 12,
        durationSeconds: 2,
        expiresAt: new Date('2026-11-22T07:00:00Z'),
        file: { path: expect.stringMatching(/^\/files\/[a-z0-9]{12}:download\?alt=media$/) },
      },
    });
  });

  it.each([
    ['no path', '', '/v1/interactions'],
    ['the version of the API', '/v1beta', '/v1/interactions'],
    ['the path of a proxy', '/gemini', '/gemini/interactions'],
  ])('is called at a URL with %s', async (_title, basePath, path) => {
    const other = await makeVendorSubject({
      ...contract,
      settings: (vendor) => ({
        ...contract.settings(vendor),
        GOOGLE_AI_STUDIO_BASE_URL: `${vendor.baseUrl}${basePath}`,
      }),
    });
    const { submits } = await submit(other, contract);
    await other.close();
    expect(submits.map((request) => request.path)).toEqual([path]);
  });

  it('a refusal says nothing of the account', async () => {
    const { error } = await submit(subject, contract, { scenario: 'auth' });
    expect(error).toMatchObject({
      message: 'The provider refused the credentials of this installation. Tell the operator.',
    });
  });

  it('is cancelled while it runs, and not when it has ended', async () => {
    const running = makeRunning((await begin(subject, contract, { scenario: 'hang' })).receipt);
    expect(await subject.cancel(running)).toBe('cancelled');
    expect((await pollToEnd(subject, running.receipt)).end).toMatchObject({ status: 'failed', code: 'cancelled' });
    const { receipt } = await begin(subject, contract, { scenario: 'finishing' });
    expect(await subject.cancel(makeRunning(receipt))).toBe('too_late');
    expect(await subject.cancel(makeRunning({ interaction: 'v1_unknown' }))).toBe('too_late');
  });

  it('can be cancelled also as a model that CATALOG_FILE adds, and Veo cannot', () => {
    const names = ['gemini-omni-1.2-flash', 'gemini-omni-2.0-flash', 'veo-3.1-generate-preview', 'veo-4.0-generate'];
    expect(names.map((name) => subject.video.cancels?.(name))).toEqual([true, true, false, false]);
  });
});
