import { describe, expect, it } from 'vitest';
import type { VideoBinding, VideoOrder } from '../../../lib/domain/video';
import { alibaba } from '../../../lib/providers/alibaba/index';
import { PICTURE } from '../../support/media-bytes';
import {
  ALIBABA_KEY,
  alibabaModels,
  errorCodes,
  startFakeAlibaba,
  SUBMIT_PATH,
  SUBMIT_PATHS,
} from '../../support/upstreams/fake-alibaba';
import { makeRunning } from '../contract/video';
import { videoVendorContract } from '../contract/video-vendor';
import { bindingOf, catalogBindings } from '../support/catalog-bindings';
import {
  begin,
  firstFrame,
  lastFrame,
  pollToEnd,
  submit,
  useVendorSubject,
  type VendorContract,
} from '../support/vendor-subject';
import { requestCasesContract } from '../contract/request-cases';
import { jobVendorContract } from '../contract/video-jobs';
import { CLIP, videoReference } from '../support/vendor-orders';
import { cases } from './requests';

const contract: VendorContract = {
  definition: alibaba,
  startVendor: startFakeAlibaba,
  settings: ({ baseUrl }) => ({ ALIBABA_API_KEY: ALIBABA_KEY, ALIBABA_BASE_URL: baseUrl }),
  binding: bindingOf(alibaba, 'wan2.7-t2v'),
  isSubmit: ({ method, path }) => method === 'POST' && SUBMIT_PATHS.includes(path),
  isCancel: ({ path }) => path.endsWith('/cancel'),
};

videoVendorContract('Alibaba', contract);
jobVendorContract('Alibaba', contract, {
  notOffered: [
    ['wan2.7-t2v', { kind: 'i2v' }],
    ['wan2.7-i2v', { kind: 't2v' }],
    ['happyhorse-1.0-video-edit', { kind: 'r2v' }],
    ['wan9.9-t2v', { kind: 't2v' }],
  ],
});
requestCasesContract('Alibaba', contract, cases, {
  headers: { authorization: `Bearer ${ALIBABA_KEY}`, 'x-dashscope-async': 'enable' },
});

describe('Alibaba', () => {
  const subject = useVendorSubject(contract);

  const { check, cancel } = subject;
  const bindings = catalogBindings(alibaba);
  const bindingFor = (id: string): VideoBinding => {
    const found = bindings.find(({ model }) => model.id === id);
    if (!found) throw new Error(`Alibaba does not serve ${id}.`);
    return found.binding;
  };

  async function sentFor(model: string, order: Partial<VideoOrder>): Promise<unknown> {
    return (await submit(subject, contract, { ...order, binding: bindingFor(model) })).submits[0]?.json;
  }

  it('serves all models of the fake, and knows no other', () => {
    expect(new Set(bindings.map(({ binding }) => binding.modelName))).toEqual(new Set(Object.keys(alibabaModels)));
    expect(alibaba.knows?.({ ...contract.binding, modelName: 'wan2.1-i2v-plus' })).toBe(false);
  });

  it('sends images inside the request as data URLs', async () => {
    expect(await sentFor('wan-2.6-i2v', { kind: 'i2v', media: [firstFrame] })).toMatchObject({
      input: { img_url: PICTURE },
    });
    expect(await sentFor('wan-2.7-start-end', { kind: 'start-end', media: [lastFrame, firstFrame] })).toMatchObject({
      input: {
        media: [
          { type: 'first_frame', url: PICTURE },
          { type: 'last_frame', url: PICTURE },
        ],
      },
    });
  });

  it('refuses a video inside the request before anything has begun', async () => {
    const media = [{ ...videoReference, url: `data:video/mp4;base64,${'AAAA'.repeat(20)}` }];
    const { error, bodies, submits } = await submit(subject, contract, {
      kind: 'r2v',
      media,
      binding: bindingFor('wan-2.7-r2v'),
    });
    expect(error).toMatchObject({ code: 'media_invalid', extra: { upstream: { retry: 'never', started: 'no' } } });
    expect([bodies, submits]).toEqual([[], []]);
  });

  it('asks for asynchronous work at the submit, and with no other request', async () => {
    const before = subject.vendor.requests.length;
    const { receipt, providerJobId } = await begin(subject, contract, { scenario: 'hang' });
    await check(makeRunning(receipt));
    await cancel(makeRunning(receipt));
    expect(receipt).toEqual({ taskId: providerJobId });
    const sent = subject.vendor.requests.slice(before);
    expect(sent.map(({ method, path, headers }) => [method, path, headers['x-dashscope-async']])).toEqual([
      ['POST', SUBMIT_PATH, 'enable'],
      ['GET', `/api/v1/tasks/${providerJobId}`, undefined],
      ['POST', `/api/v1/tasks/${providerJobId}/cancel`, undefined],
    ]);
    expect(new Set(sent.map(({ headers }) => headers.authorization))).toEqual(new Set([`Bearer ${ALIBABA_KEY}`]));
  });

  const refusals: Readonly<Record<string, readonly [error: string, retry: string]>> = {
    InvalidApiKey: ['upstream_auth_failed', 'elsewhere'],
    Arrearage: ['upstream_auth_failed', 'elsewhere'],
    AccessDenied: ['upstream_auth_failed', 'elsewhere'],
    'AccessDenied.Unpurchased': ['upstream_auth_failed', 'elsewhere'],
    'Workspace.AccessDenied': ['upstream_auth_failed', 'elsewhere'],
    'AllocationQuota.FreeTierOnly': ['upstream_auth_failed', 'elsewhere'],
    'Model.AccessDenied': ['provider_model_not_found', 'elsewhere'],
    ModelNotFound: ['provider_model_not_found', 'elsewhere'],
    InvalidParameter: ['upstream_rejected', 'never'],
    'InvalidParameter.DataInspection': ['upstream_rejected', 'never'],
    InvalidURL: ['upstream_rejected', 'never'],
    'InvalidImage.Resolution': ['upstream_rejected', 'never'],
    'InvalidFile.Duration': ['upstream_rejected', 'never'],
    DataInspectionFailed: ['content_policy_violation', 'never'],
    IPInfringementSuspect: ['content_policy_violation', 'never'],
    Throttling: ['rate_limit_exceeded', 'elsewhere'],
    'Throttling.RateQuota': ['rate_limit_exceeded', 'elsewhere'],
    'Throttling.AllocationQuota': ['rate_limit_exceeded', 'elsewhere'],
    ModelUnavailable: ['upstream_invalid_response', 'elsewhere'],
  };

  it.each(errorCodes.map(([code], line) => [code, line] as const))(
    'judges a submit with the code %s',
    async (code, line) => {
      const { error, submits } = await submit(subject, contract, { scenario: `code:${line}` });
      const [expected, retry] = refusals[code] ?? [];
      expect(submits).toHaveLength(1);
      expect(error).toMatchObject(
        expected === undefined
          ? { extra: { upstream: { retry: 'later', started: 'maybe' } } }
          : { code: expected, extra: { upstream: { retry, started: 'no' } } },
      );
    },
  );

  it('has a case for every refusal', () => {
    const open = ['InternalError', 'InternalError.Timeout', 'RequestTimeOut', 'SomethingNew'];
    expect(errorCodes.map(([code]) => code).filter((code) => !(code in refusals))).toEqual(open);
  });

  it.each([
    ['DataInspectionFailed', 'content_policy_violation'],
    ['IPInfringementSuspect', 'content_policy_violation'],
    ['InvalidURL', 'media_unreachable'],
    ['InvalidParameter.DataInspection', 'media_unreachable'],
    ['InvalidImage.Resolution', 'media_invalid'],
    ['InvalidFile.Duration', 'media_invalid'],
    ['InvalidParameter', 'upstream_rejected'],
    ['InternalError.Timeout', 'upstream_timeout'],
    ['RequestTimeOut', 'upstream_timeout'],
    ['Arrearage', 'upstream_auth_failed'],
    ['InternalError', 'generation_failed'],
    ['SomethingNew', 'generation_failed'],
  ])('a task that failed with %s is %s', async (name, code) => {
    const line = errorCodes.findIndex(([candidate]) => candidate === name);
    const { end } = await pollToEnd(subject, (await begin(subject, contract, { scenario: `failed:${line}` })).receipt);
    expect(end).toMatchObject({ status: 'failed', code });
  });

  it('ends with a link for 24 hours, the measures of the file and the billed seconds', async () => {
    const binding = bindingFor('wan-2.6-t2v');
    const { receipt } = await begin(subject, contract, { binding, seconds: 7, aspectRatio: '9:16' });
    const running = makeRunning(receipt, { startedAt: new Date('2026-11-23T10:00:00Z') });
    let progress = await check(running);
    while (progress.status !== 'completed') progress = await check(running);
    const url = `${subject.vendor.cdnUrl}/results/good/${subject.vendor.jobs.length}.mp4`;
    expect(progress).toEqual({
      status: 'completed',
      video: {
        file: { url },
        publicUrl: url,
        width: 720,
        height: 1280,
        fps: 24,
        durationSeconds: 7,
        expiresAt: new Date('2026-11-24T10:00:00Z'),
      },
      bill: { units: '7 seconds' },
    });
  });

  it('reports the duration of the output of an edit, and the bill of both', async () => {
    const { receipt } = await begin(subject, contract, {
      binding: bindingFor('wan-2.7-video-edit'),
      kind: 'video-edit',
      seconds: 3,
      inputMillis: 4_000,
      media: [{ role: 'source_video', url: CLIP }],
    });
    expect((await pollToEnd(subject, receipt)).end).toMatchObject({
      video: { durationSeconds: 3 },
      bill: { units: '7 seconds' },
    });
  });

  it('a task that waits can be cancelled, and one that runs cannot', async () => {
    const waiting = makeRunning((await begin(subject, contract, { scenario: 'hang' })).receipt);
    expect(await cancel(waiting)).toBe('requested');
    expect(await check(waiting)).toMatchObject({ status: 'failed', code: 'cancelled' });
    const running = makeRunning((await begin(subject, contract, { scenario: 'hang' })).receipt);
    await check(running);
    expect(await check(running)).toEqual({ status: 'in_progress' });
    expect(await cancel(running)).toBe('too_late');
    expect(await check(running)).toEqual({ status: 'in_progress' });
  });

  it('a task that is not known is too late to cancel', async () => {
    expect(await cancel(makeRunning({ taskId: '0385dc79-5ff8-4d82-bcb6-000000000000' }))).toBe('too_late');
  });

  it('leaves ten seconds between two checks', () => {
    expect(subject.video.pace).toEqual({ firstMs: 10_000, minMs: 10_000 });
  });

  it('serves text models and videos with the same key', () => {
    expect(alibaba.capabilities).toEqual(['messages', 'video']);
    expect(alibaba.settings.map(({ name }) => name)).toEqual(['ALIBABA_API_KEY', 'ALIBABA_BASE_URL']);
  });
});
