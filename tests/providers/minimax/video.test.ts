import { describe, expect, it } from 'vitest';
import { minimax } from '../../../lib/providers/minimax/index';
import { PICTURE } from '../../support/media-bytes';
import { MINIMAX_KEY, startFakeMinimax } from '../../support/upstreams/fake-minimax';
import { RESULT } from '../../support/upstreams/fake-video-vendor';
import { makeCall, makeRunning, readBody } from '../contract/video';
import { requestCasesContract } from '../contract/request-cases';
import { jobVendorContract } from '../contract/video-jobs';
import { refusalCodesContract, videoVendorContract, type RefusalCode } from '../contract/video-vendor';
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

const v1: VendorContract = {
  definition: minimax,
  startVendor: startFakeMinimax,
  settings: ({ baseUrl }) => ({ MINIMAX_API_KEY: MINIMAX_KEY, MINIMAX_BASE_URL: baseUrl }),
  binding: bindingOf(minimax, 'MiniMax-Hailuo-2.3'),
  order: { seconds: 6, resolution: '768p' },
  reference: 'renewable',
  isSubmit: ({ method }) => method === 'POST',
};
const v2: VendorContract = {
  ...v1,
  binding: bindingOf(minimax, 'MiniMax-H3'),
  order: { seconds: 5, resolution: '768p', audio: true },
};

videoVendorContract("the first version of MiniMax' API", v1);
videoVendorContract("the second version of MiniMax' API", v2);
for (const [version, contract] of [
  ['first', v1],
  ['second', v2],
] as const)
  jobVendorContract(`the ${version} version of MiniMax' API`, contract, {
    notOffered: [
      ['MiniMax-Hailuo-2.3', { kind: 'start-end' }],
      ['MiniMax-Hailuo-2.3-Fast', { kind: 't2v' }],
      ['MiniMax-H3', { kind: 'video-edit' }],
      ['MiniMax-H3-Max', { kind: 'r2v' }],
      ['S2V-01', { kind: 't2v' }],
      ['T2V-01', { kind: 'i2v' }],
      ['T2V-02', { kind: 't2v' }],
    ],
  });
requestCasesContract('MiniMax', v1, cases, { headers: { authorization: `Bearer ${MINIMAX_KEY}` } });

describe.each([
  ['first', v1],
  ['second', v2],
] as const)("the %s version of MiniMax' API", (version, contract) => {
  const subject = useVendorSubject({ ...contract, startVendor: startFakeMinimax });

  const isFirst = version === 'first';
  const { check } = subject;

  it('gets images inside the request as data URLs', async () => {
    const binding = bindingOf(minimax, isFirst ? 'MiniMax-Hailuo-02' : 'MiniMax-H3');
    const order = { kind: 'start-end', media: [lastFrame, firstFrame], binding } as const;
    const { submits } = await submit(subject, contract, order);
    expect(submits.map(({ json }) => JSON.stringify(json).split(JSON.stringify(PICTURE)).length)).toEqual([3]);
  });

  it('gets the URL for callbacks, which is no part of the stored body', async () => {
    const callbackUrl = 'https://gateway.example/callback';
    const { bodies, submits } = await submit(subject, contract, {}, { callbackUrl });
    expect(submits.map(({ json }) => json)).toMatchObject([{ callback_url: callbackUrl }]);
    expect(JSON.stringify(bodies)).not.toContain('callback');
  });

  const refusals: readonly RefusalCode[] = [
    [1002, 'rate_limit_exceeded', 'elsewhere'],
    [1004, 'upstream_auth_failed', 'elsewhere'],
    [1008, 'upstream_auth_failed', 'elsewhere'],
    [1026, 'content_policy_violation', 'never'],
    [1027, 'content_policy_violation', 'never'],
    [1039, 'rate_limit_exceeded', 'elsewhere'],
    [1041, 'upstream_invalid_response', 'elsewhere'],
    [1042, 'upstream_rejected', 'never'],
    [2013, 'upstream_rejected', 'never'],
    [2049, 'upstream_auth_failed', 'elsewhere'],
    [2056, 'upstream_auth_failed', 'elsewhere'],
  ];
  refusalCodesContract({ subject: () => subject, contract }, refusals, [1000, 1001, 1024, 1033, 9999]);

  it('gives ids that are kept as text', async () => {
    const { receipt, providerJobId } = await begin(subject, contract, { scenario: 'numeric-id' });
    expect(providerJobId).toBe(String(106_916_112_212_000 + subject.vendor.jobs.length));
    expect((await pollToEnd(subject, receipt)).end?.status).toBe('completed');
  });

  it('is polled with the id, and asked for the URL of a file if it names only an id', async () => {
    const before = subject.vendor.requests.length;
    const { receipt, providerJobId } = await begin(subject, contract);
    await pollToEnd(subject, receipt);
    const poll = isFirst
      ? `GET /v1/query/video_generation?task_id=${providerJobId}`
      : `GET /v2/query/video_generation/${providerJobId}?`;
    const file = `GET /v1/files/retrieve?file_id=${205_258_526_306_000 + subject.vendor.jobs.length}`;
    expect(
      subject.vendor.requests
        .slice(before + 1)
        .map(({ method, path, query }) => `${method} ${path}?${query.toString()}`),
    ).toEqual([poll, poll, poll, ...(isFirst ? [file] : [])]);
  });

  it('ends with a file for nine hours, what is known of it, and what was charged', async () => {
    const { receipt } = await begin(subject, contract);
    const running = makeRunning(receipt, { startedAt: new Date('2026-11-23T10:00:00Z') });
    const words: string[] = [];
    let progress = await check(running);
    for (; progress.status !== 'completed'; progress = await check(running)) words.push(progress.status);
    expect(words).toEqual(['queued', 'in_progress']);
    expect(progress).toEqual({
      status: 'completed',
      video: {
        file: { url: `${subject.vendor.cdnUrl}/results/good/${subject.vendor.jobs.length}.mp4` },
        ...(isFirst ? { width: 1366, height: 768 } : { durationSeconds: 5 }),
        expiresAt: new Date('2026-11-23T19:00:00Z'),
      },
      ...(!isFirst && { bill: { units: '5 seconds' } }),
    });
  });

  it('gives a new link to a file whose first link is over', async () => {
    const { receipt } = await begin(subject, contract, { scenario: 'renewed' });
    const { end } = await pollToEnd(subject, receipt);
    if (end?.status !== 'completed') throw new Error('The video did not complete.');
    const { file } = end.video;
    await expect(subject.video.open(file, undefined, makeCall(subject.log))).rejects.toMatchObject({
      code: 'video_expired',
    });
    const renewed = await subject.video.refresh?.({ receipt, file }, makeCall(subject.log));
    const content = await subject.video.open(renewed ?? null, undefined, makeCall(subject.log));
    expect((await readBody(content)).equals(RESULT)).toBe(true);
  });

  it('has no new link for a task that it does not know any more', async () => {
    const receipt = { wire: isFirst ? 'v1' : 'v2', taskId: '1' };
    await expect(
      subject.video.refresh?.({ receipt, file: { url: subject.vendor.cdnUrl } }, makeCall(subject.log)),
    ).rejects.toMatchObject({ code: 'video_expired' });
  });

  it('cannot cancel a video, and is polled every ten seconds', () => {
    expect([subject.video.cancel, subject.video.pace]).toEqual([undefined, { firstMs: 10_000, minMs: 10_000 }]);
  });

  if (isFirst) {
    it('fails a video whose file has no URL', async () => {
      const { end } = await pollToEnd(subject, (await begin(subject, contract, { scenario: 'no-link' })).receipt);
      expect(end).toMatchObject({ status: 'failed', code: 'generation_failed' });
    });
  } else {
    it.each([
      [400, 'upstream_rejected', 'never', 'no'],
      [401, 'upstream_auth_failed', 'elsewhere', 'no'],
      [402, 'upstream_auth_failed', 'elsewhere', 'no'],
      [422, 'upstream_rejected', 'never', 'no'],
      [429, 'rate_limit_exceeded', 'elsewhere', 'no'],
      [500, 'upstream_invalid_response', 'later', 'maybe'],
    ] as const)('refuses with the status %i and no code', async (status, code, retry, started) => {
      const { error } = await submit(subject, contract, { scenario: `status:${status}` });
      expect(error).toMatchObject({ code, extra: { upstream: { retry, started } } });
    });

    it('ends a video that MiniMax gave up, and one that was cancelled there', async () => {
      const { end } = await pollToEnd(subject, (await begin(subject, contract, { scenario: 'expires' })).receipt);
      expect(end).toMatchObject({ status: 'failed', code: 'upstream_timeout', bill: { units: '5 seconds' } });
      const { receipt } = await begin(subject, contract, { scenario: 'hang' });
      subject.vendor.jobs.forEach((job) => (job.cancelled = true));
      expect(await check(makeRunning(receipt))).toMatchObject({ status: 'failed', code: 'cancelled' });
    });
  }
});
