import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { ErrorCode } from '../../../lib/domain/error-rules';
import type { UpstreamOutcome } from '../../../lib/domain/errors';
import { newId } from '../../../lib/domain/ids';
import type { OrderMedia } from '../../../lib/domain/video';
import { vidu } from '../../../lib/providers/vidu/index';
import { PICTURE, pngBytes } from '../../support/media-bytes';
import { markedUrl, reasons, startFakeVidu, VIDU_KEY, type Reason } from '../../support/upstreams/fake-vidu';
import { makeCall, makeRunning } from '../contract/video';
import { requestCasesContract } from '../contract/request-cases';
import { jobVendorContract } from '../contract/video-jobs';
import { videoVendorContract } from '../contract/video-vendor';
import { bindingOf } from '../support/catalog-bindings';
import {
  begin,
  firstFrame,
  lastFrame,
  pollToEnd,
  submit,
  useVendorSubject,
  type VendorContract,
} from '../support/vendor-subject';
import { cases } from './requests';

const contract: VendorContract = {
  definition: vidu,
  startVendor: startFakeVidu,
  settings: ({ baseUrl }) => ({ VIDU_API_KEY: VIDU_KEY, VIDU_BASE_URL: baseUrl }),
  binding: bindingOf(vidu, 'viduq3-pro'),
  isSubmit: ({ method, path }) => method === 'POST' && path.endsWith('2video'),
  isCancel: ({ path }) => path.endsWith('/cancel'),
  pollsNameNoJob: true,
};

videoVendorContract('Vidu', contract);
jobVendorContract('Vidu', contract, {
  notOffered: [
    ['viduq3-pro', { kind: 'r2v' }],
    ['viduq3-mix', { kind: 't2v' }],
    ['viduq2', { kind: 'i2v' }],
    ['viduq3-turbo', { kind: 'video-edit' }],
    ['vidu2.0', { kind: 't2v' }],
    ['vidu1.5', { kind: 'start-end' }],
  ],
});
requestCasesContract('Vidu', contract, cases, {
  headers: { authorization: `Token ${VIDU_KEY}` },
  added: ({ videoId }) => ({ payload: videoId }),
});

const subject = useVendorSubject({ ...contract, startVendor: startFakeVidu });

const { check, cancel } = subject;

describe('a request for a video', () => {
  it('has images as data URLs, the first frame first', async () => {
    const media = [lastFrame, { ...firstFrame, url: 'https://media.example.com/first.png' }];
    const { submits } = await submit(subject, contract, { kind: 'start-end', media });
    expect(submits.map(({ json }) => json)).toMatchObject([
      { images: ['https://media.example.com/first.png', PICTURE] },
    ]);
  });

  it('is accepted with an image inside it, which Vidu repeats in its answer', async () => {
    const url = `data:image/png;base64,${pngBytes(3_000_000).toString('base64')}`;
    const { providerJobId } = await begin(subject, contract, { kind: 'i2v', media: [{ ...firstFrame, url }] });
    expect(providerJobId).toMatch(/^\d{18}$/);
  });

  it('is not sent if its images are too large together', async () => {
    const bytes = Buffer.concat([pngBytes(), Buffer.alloc(5_000_000)]);
    const url = `data:image/png;base64,${bytes.toString('base64')}`;
    const images = (count: number) =>
      Array.from({ length: count }, (): OrderMedia => ({ role: 'reference_image', url }));
    const order = { kind: 'r2v', binding: bindingOf(vidu, 'viduq3') } as const;
    const { error, bodies, submits } = await submit(subject, contract, { ...order, media: images(3) });
    expect(error).toMatchObject({ code: 'media_too_large', extra: { upstream: { retry: 'never', started: 'no' } } });
    expect([bodies, submits]).toEqual([[], []]);
    expect((await submit(subject, contract, { ...order, media: images(2) })).started).toBeDefined();
  });

  it('names the URL that Vidu calls, and does not store it', async () => {
    const callbackUrl = 'https://gateway.example/internal/videos/video_1/callback?signature=a-b_c';
    const { started, bodies } = await submit(subject, contract, {}, { callbackUrl });
    expect(subject.vendor.callbacks.get(started?.providerJobId ?? '')).toBe(callbackUrl);
    expect(JSON.stringify(bodies)).not.toContain('callback');
  });

  it.each([
    [20, true],
    [21, false],
  ])('takes a call with %i signed headers: %s', async (count, isTaken) => {
    const url = 'https://gateway.example/callback?signature=a-b_c';
    const date = new Date().toUTCString();
    const lines = Array.from({ length: count }, () => `x-a:${'b'.repeat(100)}\n`).join('');
    const text = `POST\n/callback\nsignature=a-b_c\nvidu\n${date}\n${lines}`;
    const headers = {
      date,
      'x-a': 'b'.repeat(100),
      'x-hmac-signed-headers': Array.from({ length: count }, () => 'x-a').join(';'),
      'x-hmac-signature': createHmac('sha256', VIDU_KEY).update(text).digest('base64'),
    };
    const callback = { videoId: newId('video'), url, headers, body: Buffer.from('{}') };
    const taken = await Promise.resolve(subject.video.receiveCallback?.(callback, makeCall(subject.log))).then(
      () => true,
      () => false,
    );
    expect(taken).toBe(isTaken);
  });
});

describe('a refused request', () => {
  const rejected = ['upstream_rejected', 'never'] as const;
  const policy = ['content_policy_violation', 'never'] as const;
  const account = ['upstream_auth_failed', 'elsewhere'] as const;
  const limited = ['rate_limit_exceeded', 'elsewhere'] as const;
  const expected: Readonly<Record<Reason, readonly [ErrorCode, UpstreamOutcome['retry']] | 'may have begun'>> = {
    BadRequest: rejected,
    FieldLacking: rejected,
    FieldInvalid: rejected,
    FieldUnwanted: rejected,
    FieldItemCountOutOfRange: rejected,
    ImageDownloadFailure: rejected,
    ImageFormatInvalid: rejected,
    ImageSizeInvalid: rejected,
    AuditSubmitIllegal: policy,
    CreditInsufficient: account,
    CreationPolicyViolation: policy,
    TaskPromptPolicyViolation: policy,
    ModelUnavailable: ['upstream_invalid_response', 'elsewhere'],
    UserCancelled: rejected,
    Unauthorized: account,
    Forbidden: account,
    TaskNotFound: ['provider_model_not_found', 'elsewhere'],
    Conflict: 'may have begun',
    QuotaExceeded: limited,
    TooManyRequests: limited,
    SystemThrottling: limited,
    InternalServiceFailure: 'may have begun',
  };

  it.each(reasons.map(([reason], index) => [reason, index] as const))('for the reason %s', async (reason, index) => {
    const { error, submits } = await submit(subject, contract, { scenario: `reason:${index}` });
    const outcome = expected[reason];
    if (outcome === 'may have begun') expect(error).toMatchObject({ extra: { upstream: { started: 'maybe' } } });
    else expect(error).toMatchObject({ code: outcome[0], extra: { upstream: { retry: outcome[1], started: 'no' } } });
    expect(submits).toHaveLength(1);
  });
});

describe('a running video', () => {
  it('is known by its id as text, with every digit', async () => {
    const { receipt, providerJobId } = await begin(subject, contract, { scenario: 'numeric-id' });
    expect(providerJobId).toBe(String(860_000_000_000_000_000n + BigInt(subject.vendor.jobs.length)));
    expect((await pollToEnd(subject, receipt)).end?.status).toBe('completed');
  });

  it('ends with its link for 24 hours and the charged credits', async () => {
    const { receipt } = await begin(subject, contract, { resolution: '1080p' });
    const running = makeRunning(receipt, { startedAt: new Date('2026-11-23T10:00:00Z') });
    const words: string[] = [];
    let progress = await check(running);
    for (; progress.status !== 'completed'; progress = await check(running)) words.push(progress.status);
    const url = `${subject.vendor.cdnUrl}/results/good/${subject.vendor.jobs.length}.mp4`;
    expect(words).toEqual(['queued', 'in_progress']);
    expect(progress).toEqual({
      status: 'completed',
      video: { file: { url }, publicUrl: url, expiresAt: new Date('2026-11-24T10:00:00Z') },
      bill: { units: '120 credits', nanoUsd: 600_000_000n },
    });
  });

  it('ends with the file with the watermark if it was ordered', async () => {
    for (const watermark of [true, false]) {
      const { receipt } = await begin(subject, contract, { parameters: { watermark } });
      const url = `${subject.vendor.cdnUrl}/results/good/${subject.vendor.jobs.length}.mp4`;
      const { end } = await pollToEnd(subject, receipt);
      expect(end).toMatchObject({ video: { file: { url: watermark ? markedUrl(url) : url } } });
    }
  });

  const failures: readonly (readonly [Reason, string])[] = [
    ['AuditSubmitIllegal', 'content_policy_violation'],
    ['CreationPolicyViolation', 'content_policy_violation'],
    ['TaskPromptPolicyViolation', 'content_policy_violation'],
    ['ImageDownloadFailure', 'media_unreachable'],
    ['ImageFormatInvalid', 'media_invalid'],
    ['ImageSizeInvalid', 'media_invalid'],
    ['UserCancelled', 'cancelled'],
    ['InternalServiceFailure', 'generation_failed'],
    ['ModelUnavailable', 'generation_failed'],
  ];
  it.each(failures)('that fails for %s has the code %s', async (reason, code) => {
    const scenario = `failed:${reasons.findIndex(([name]) => name === reason)}`;
    const { end } = await pollToEnd(subject, (await begin(subject, contract, { scenario })).receipt);
    expect(end).toMatchObject({ status: 'failed', code, message: expect.stringMatching(/^[A-Z].{10,}\.$/s) });
  });

  it('shares the account with four others', () => {
    expect(subject.video.limits).toEqual({ running: 5 });
  });
});

describe('cancel', () => {
  const cancelsSince = (before: number) =>
    subject.vendor.requests.slice(before).filter(({ path }) => path.endsWith('/cancel'));

  it('asks Vidu to stop the task, which then has failed', async () => {
    const { receipt, providerJobId } = await begin(subject, contract, { scenario: 'hang' });
    const before = subject.vendor.requests.length;
    expect(await cancel(makeRunning(receipt))).toBe('requested');
    expect(cancelsSince(before).map(({ path, json }) => [path, json])).toEqual([
      [`/ent/v2/tasks/${providerJobId}/cancel`, { id: providerJobId }],
    ]);
    expect(await check(makeRunning(receipt))).toMatchObject({ status: 'failed', code: 'cancelled' });
  });

  it('is too late for a finished, an unknown, and an advanced task', async () => {
    const { receipt } = await begin(subject, contract);
    await pollToEnd(subject, receipt);
    const before = subject.vendor.requests.length;
    expect(await cancel(makeRunning(receipt))).toBe('too_late');
    expect(await cancel(makeRunning({ taskId: '1', watermark: false }))).toBe('too_late');
    expect(cancelsSince(before)).toEqual([]);
    const late = await begin(subject, contract, { scenario: 'cancel-late' });
    expect(await cancel(makeRunning(late.receipt))).toBe('too_late');
  });

  it('fails if Vidu does not say what happened', async () => {
    const { receipt } = await begin(subject, contract, { scenario: 'cancel-500' });
    await expect(cancel(makeRunning(receipt))).rejects.toMatchObject({ code: 'upstream_invalid_response' });
  });
});
