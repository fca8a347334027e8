import { describe, expect, it } from 'vitest';
import type { ErrorCode } from '../../../lib/domain/error-rules';
import type { UpstreamOutcome } from '../../../lib/domain/errors';
import { fieldsOf } from '../../../lib/domain/json';
import type { OrderMedia } from '../../../lib/domain/video';
import { bytedance } from '../../../lib/providers/bytedance/index';
import { PICTURE } from '../../support/media-bytes';
import { arkErrors, BYTEDANCE_KEY, startFakeBytedance } from '../../support/upstreams/fake-bytedance';
import { gatheredChecksContract } from '../contract/gathered-checks';
import { makeCall, makeRunning } from '../contract/video';
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
import { cases } from './requests';

const contract: VendorContract = {
  definition: bytedance,
  startVendor: startFakeBytedance,
  settings: ({ baseUrl }) => ({ BYTEDANCE_API_KEY: BYTEDANCE_KEY, BYTEDANCE_BASE_URL: `${baseUrl}/api/v3` }),
  binding: bindingOf(bytedance, 'dreamina-seedance-2-0-260128'),
  isSubmit: ({ method }) => method === 'POST',
  isCancel: ({ method }) => method === 'DELETE',
  cancelNamesJob: true,
};

videoVendorContract('ByteDance', contract);
jobVendorContract('ByteDance', contract, {
  notOffered: [
    ['dreamina-seedance-2-0-260128', { kind: 'video-edit' }],
    ['seedance-1-5-pro-251215', { kind: 'r2v' }],
    ['seedance-1-0-pro-fast-251015', { kind: 'start-end' }],
    ['seedance-9-0', { kind: 't2v' }],
  ],
});
requestCasesContract('ByteDance', contract, cases, { headers: { authorization: `Bearer ${BYTEDANCE_KEY}` } });

const subject = useVendorSubject({ ...contract, startVendor: startFakeBytedance });

const check = (receipt: Parameters<typeof makeRunning>[0], startedAt = new Date()) =>
  subject.video.check(makeRunning(receipt, { startedAt }), makeCall(subject.log));

describe('checks', () => {
  gatheredChecksContract(subject, contract, ({ query }) => Math.max(query.getAll('filter.task_ids').length, 1));
});

describe('a request', () => {
  it('has the key in its header, as every request has', async () => {
    const before = subject.vendor.requests.length;
    const { receipt } = await begin(subject, contract);
    await pollToEnd(subject, receipt);
    const sent = subject.vendor.requests.slice(before);
    expect(sent).toHaveLength(4);
    expect(new Set(sent.map(({ headers }) => headers.authorization))).toEqual(new Set([`Bearer ${BYTEDANCE_KEY}`]));
  });

  it('has images of data URLs as data URLs, the first frame first', async () => {
    const { submits } = await submit(subject, contract, { kind: 'start-end', media: [lastFrame, firstFrame] });
    expect(submits[0]?.json).toMatchObject({
      content: [
        { type: 'text' },
        { type: 'image_url', image_url: { url: PICTURE }, role: 'first_frame' },
        { type: 'image_url', image_url: { url: PICTURE }, role: 'last_frame' },
      ],
    });
  });

  it('is not sent with a video that only this installation has', async () => {
    const video: OrderMedia = { role: 'reference_video', url: 'data:video/mp4;base64,AAAAIGZ0eXBpc29t' };
    const { error, bodies, submits } = await submit(subject, contract, { kind: 'r2v', media: [video] });
    expect(error).toMatchObject({ code: 'media_invalid', extra: { upstream: { retry: 'never', started: 'no' } } });
    expect([bodies, submits]).toEqual([[], []]);
  });

  it('has the URL for callbacks, which is not stored', async () => {
    const callbackUrl = 'https://gateway.example/callback?signature=sEcReT';
    const { bodies, submits } = await submit(subject, contract, {}, { callbackUrl });
    expect(submits[0]?.json).toMatchObject({ callback_url: callbackUrl });
    expect(JSON.stringify(bodies)).not.toContain('callback');
  });

  it.each(['A boat --dur 12', '--Resolution 1080p A boat', 'A boat\n--camerafixed true', 'A boat --rt'])(
    'is not sent with an option in its prompt: %s',
    async (text) => {
      const { error, bodies, submits } = await submit(subject, contract, { prompt: text });
      expect(error).toMatchObject({
        code: 'upstream_rejected',
        message: expect.stringMatching(/^The provider reads --[a-z]+ in a prompt as an option\./),
        extra: { upstream: { retry: 'never', started: 'no' } },
      });
      expect([bodies, submits]).toEqual([[], []]);
    },
  );

  it.each(['A boat -- during the night', 'A boat --style raw', 'the well--resolution'])(
    'is sent with a prompt that only looks like it: %s',
    async (text) => {
      const { submits } = await submit(subject, contract, { prompt: text });
      expect(submits[0]?.json).toMatchObject({ content: [{ type: 'text', text }] });
    },
  );
});

describe('a refused request', () => {
  const refusals: Readonly<Record<string, readonly [code: ErrorCode, retry: UpstreamOutcome['retry']]>> = {
    AuthenticationError: ['upstream_auth_failed', 'elsewhere'],
    AccessDenied: ['upstream_auth_failed', 'elsewhere'],
    AccountOverdueError: ['upstream_auth_failed', 'elsewhere'],
    ModelNotOpen: ['provider_model_not_found', 'elsewhere'],
    'InvalidEndpoint.NotFound': ['provider_model_not_found', 'elsewhere'],
    'InvalidEndpointOrModel.NotFound': ['provider_model_not_found', 'elsewhere'],
    InvalidParameter: ['upstream_rejected', 'never'],
    MissingParameter: ['upstream_rejected', 'never'],
    'InvalidParameter.TaskTypeConstraint': ['upstream_rejected', 'never'],
    InputTextSensitiveContentDetected: ['content_policy_violation', 'never'],
    InputImageSensitiveContentDetected: ['content_policy_violation', 'never'],
    'InputImageSensitiveContentDetected.PrivacyInformation': ['content_policy_violation', 'never'],
    'InputImageSensitiveContentDetected.PolicyViolation': ['content_policy_violation', 'never'],
    InputVideoSensitiveContentDetected: ['content_policy_violation', 'never'],
    'RateLimitExceeded.EndpointRPMExceeded': ['rate_limit_exceeded', 'elsewhere'],
    ModelAccountRpmRateLimitExceeded: ['rate_limit_exceeded', 'elsewhere'],
    QuotaExceeded: ['rate_limit_exceeded', 'elsewhere'],
    ServerOverloaded: ['upstream_invalid_response', 'elsewhere'],
    ModelLoadingError: ['upstream_invalid_response', 'elsewhere'],
  };

  it.each(arkErrors.map(([code], place) => [code, place] as const))('is judged by its code %s', async (code, place) => {
    const { error, submits } = await submit(subject, contract, { scenario: `code:${place}` });
    const [expected, retry] = refusals[code] ?? [];
    expect(error).toMatchObject(
      expected === undefined
        ? { extra: { upstream: { started: 'maybe' } } }
        : { code: expected, extra: { upstream: { retry, started: 'no' } } },
    );
    expect(submits).toHaveLength(1);
  });
});

describe('a running video', () => {
  it('ends with its link for 24 hours, the facts of the answer, the size of the file, and the charged tokens', async () => {
    const { receipt, providerJobId } = await begin(subject, contract, { aspectRatio: 'adaptive', seconds: 7 });
    expect(receipt).toEqual({ taskId: providerJobId });
    expect(providerJobId).toMatch(/^cgt-\d{14}-\w{5}$/);
    const startedAt = new Date();
    const words: string[] = [];
    let progress = await check(receipt, startedAt);
    for (; progress.status !== 'completed'; progress = await check(receipt, startedAt)) words.push(progress.status);
    const url = `${subject.vendor.cdnUrl}/results/good/${subject.vendor.jobs.length}.mp4`;
    expect(words).toEqual(['queued', 'in_progress']);
    expect(progress).toEqual({
      status: 'completed',
      video: {
        file: { url },
        publicUrl: url,
        width: 160,
        height: 90,
        fps: 24,
        durationSeconds: 7,
        expiresAt: new Date(startedAt.getTime() + 24 * 60 * 60 * 1_000),
      },
      bill: { units: '151200 tokens' },
    });
  });

  it.each(['gone', 'cdn-500'])('is completed without a size if the file cannot be read yet: %s', async (scenario) => {
    const { receipt } = await begin(subject, contract, { scenario });
    const { end } = await pollToEnd(subject, receipt);
    expect(end).toMatchObject({ status: 'completed', video: { fps: 24, durationSeconds: 5 } });
    expect(end?.status === 'completed' && end.video.width).toBeUndefined();
  });

  it.each([
    ['expire', 'upstream_timeout'],
    ['rejected', 'upstream_rejected'],
    ['moderated-output', 'content_policy_violation'],
  ])('that ends with %s has failed: %s', async (scenario, code) => {
    const { end } = await pollToEnd(subject, (await begin(subject, contract, { scenario })).receipt);
    expect(end).toMatchObject({ status: 'failed', code });
    expect(end).not.toHaveProperty('bill');
  });

  it.each(['cancelled', 'canceled'])('that was stopped in the console of ModelArk is cancelled: %s', async (status) => {
    const { receipt } = await begin(subject, contract, { scenario: 'hang' });
    const job = subject.vendor.jobs.at(-1);
    if (job) job.cancelled = true;
    subject.vendor.alterAnswers((reply) => ({ ...reply, body: { ...fieldsOf(reply.body), status } }));
    const ended = await check(receipt).finally(() => subject.vendor.alterAnswers());
    expect(ended).toMatchObject({ status: 'failed', code: 'cancelled' });
  });
});

describe('cancel', () => {
  const cancel = (receipt: Parameters<typeof makeRunning>[0]) =>
    subject.video.cancel?.(makeRunning(receipt), makeCall(subject.log));
  const methodsSince = (before: number) => subject.vendor.requests.slice(before).map(({ method }) => method);

  it('looks at a task and stops it while it is in the queue', async () => {
    const { receipt } = await begin(subject, contract);
    const before = subject.vendor.requests.length;
    expect(await cancel(receipt)).toBe('cancelled');
    expect(methodsSince(before)).toEqual(['GET', 'DELETE']);
    expect(await check(receipt)).toMatchObject({ status: 'failed', code: 'cancelled' });
  });

  it('deletes neither a running nor a finished task', async () => {
    const { receipt } = await begin(subject, contract);
    await check(receipt);
    const before = subject.vendor.requests.length;
    expect(await cancel(receipt)).toBe('too_late');
    expect((await check(receipt)).status).toBe('completed');
    expect(await cancel(receipt)).toBe('too_late');
    expect(methodsSince(before)).toEqual(['GET', 'GET', 'GET']);
  });

  it('is too late for a task that leaves the queue after the look', async () => {
    const { receipt } = await begin(subject, contract, { scenario: 'race' });
    expect(await cancel(receipt)).toBe('too_late');
    expect((await pollToEnd(subject, receipt)).end?.status).toBe('completed');
  });

  it.each(['poll401', 'poll500'])('fails if the look fails: %s', async (scenario) => {
    const { receipt } = await begin(subject, contract, { scenario });
    await expect(cancel(receipt)).rejects.toMatchObject({ extra: { upstream: { retry: 'later' } } });
  });
});

describe('the definition', () => {
  it('knows every binding of ByteDance in the catalog, and no other model', () => {
    expect(catalogBindings(bytedance).filter(({ binding }) => !bytedance.knows?.(binding))).toEqual([]);
    expect(bytedance.knows?.({ ...contract.binding, modelName: 'doubao-seedance-2-0-260128' })).toBe(false);
  });
});
