import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningVideo } from '../../../lib/domain/video';
import { minimax } from '../../../lib/providers/minimax/index';
import { PICTURE } from '../../support/media-bytes';
import { MINIMAX_KEY, startFakeMinimax } from '../../support/upstreams/fake-minimax';
import { RESULT, type FakeVideoVendor } from '../../support/upstreams/fake-video-vendor';
import { makeCall, makeRunning, readBody } from '../contract/video';
import { videoRequestsContract } from '../contract/video-requests';
import {
  begin,
  bindingOf,
  firstFrame,
  lastFrame,
  makeVendorSubject,
  pollToEnd,
  refusalCodesContract,
  submit,
  videoVendorContract,
  type RefusalCode,
  type VendorContract,
  type VendorSubject,
} from '../contract/video-vendor';
import { v1Cases, v2Cases } from './requests';

const v1: VendorContract = {
  definition: minimax,
  startVendor: startFakeMinimax,
  settings: ({ baseUrl }) => ({ MINIMAX_API_KEY: MINIMAX_KEY, MINIMAX_BASE_URL: baseUrl }),
  binding: bindingOf(minimax, 'MiniMax-Hailuo-2.3'),
  order: { seconds: 6, resolution: '768p' },
  isSubmit: ({ method }) => method === 'POST',
};
const v2: VendorContract = {
  ...v1,
  binding: bindingOf(minimax, 'MiniMax-H3'),
  order: { seconds: 5, resolution: '768p', audio: true },
};

videoVendorContract("the first version of MiniMax' API", v1);
videoVendorContract("the second version of MiniMax' API", v2);
videoRequestsContract('MiniMax', v1, [...v1Cases, ...v2Cases]);

describe.each([
  ['first', v1],
  ['second', v2],
] as const)("the %s version of MiniMax' API", (version, contract) => {
  let fake: FakeVideoVendor;
  let subject: VendorSubject;
  beforeAll(async () => {
    fake = await startFakeMinimax();
    subject = await makeVendorSubject({ ...contract, startVendor: async () => fake });
  });
  afterAll(() => subject.close());

  const isFirst = version === 'first';
  const check = (running: RunningVideo) => subject.video.check(running, makeCall(subject.log));

  it('gets images inside the request as data URLs', async () => {
    const binding = bindingOf(minimax, isFirst ? 'MiniMax-Hailuo-02' : 'MiniMax-H3');
    const order = { kind: 'start-end', media: [lastFrame, firstFrame], binding } as const;
    const { submits } = await submit(subject, contract, order);
    expect(submits.map(({ json }) => JSON.stringify(json).split(JSON.stringify(PICTURE)).length)).toEqual([3]);
  });

  it.each([
    ['MiniMax-Hailuo-2.3', 'start-end'],
    ['MiniMax-Hailuo-2.3-Fast', 't2v'],
    ['MiniMax-H3', 'video-edit'],
    ['MiniMax-H3-Max', 'r2v'],
    ['S2V-01', 'r2v'],
  ] as const)('is not asked for a video of %s of the kind %s', async (modelName, kind) => {
    const binding = bindingOf(minimax, modelName);
    const { error, bodies, submits } = await submit(subject, contract, { kind, binding });
    expect(error).toMatchObject({
      code: 'provider_model_not_found',
      extra: { upstream: { retry: 'elsewhere', started: 'no' } },
    });
    expect([bodies, submits]).toEqual([[], []]);
  });

  it('gets no address for callbacks, because it would begin with a challenge', async () => {
    const { submits } = await submit(subject, contract, {}, { callbackUrl: 'https://gateway.example/callback' });
    expect(JSON.stringify(submits.map(({ json }) => json))).not.toContain('callback');
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

  it('a success without an id may have begun, and an error with one has begun', async () => {
    const { error } = await submit(subject, contract, { scenario: 'success-without-id' });
    expect(error).toMatchObject({ extra: { upstream: { started: 'maybe' } } });
    const { started } = await submit(subject, contract, { scenario: 'error-with-id' });
    expect((await pollToEnd(subject, started?.receipt ?? null)).end?.status).toBe('completed');
  });

  it('gives ids that are kept as text', async () => {
    const { receipt, providerJobId } = await begin(subject, contract, { scenario: 'numeric-id' });
    expect(providerJobId).toBe(String(106_916_112_212_000 + fake.jobs.length));
    expect((await pollToEnd(subject, receipt)).end?.status).toBe('completed');
  });

  it('is polled with the id, and asked for the address of a file if it names only an id', async () => {
    const before = fake.requests.length;
    const { receipt, providerJobId } = await begin(subject, contract);
    await pollToEnd(subject, receipt);
    const poll = isFirst
      ? `GET /v1/query/video_generation?task_id=${providerJobId}`
      : `GET /v2/query/video_generation/${providerJobId}?`;
    const file = `GET /v1/files/retrieve?file_id=${205_258_526_306_000 + fake.jobs.length}`;
    expect(
      fake.requests.slice(before + 1).map(({ method, path, query }) => `${method} ${path}?${query.toString()}`),
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
        file: { url: `${fake.cdnUrl}/results/good/${fake.jobs.length}.mp4` },
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
      subject.video.refresh?.({ receipt, file: { url: fake.cdnUrl } }, makeCall(subject.log)),
    ).rejects.toMatchObject({ code: 'video_expired' });
  });

  it('logs an unknown status without text of MiniMax', async () => {
    const { receipt } = await begin(subject, contract, { scenario: 'weird' });
    subject.log.lines.length = 0;
    const running = makeRunning(receipt);
    for (let poll = 0; poll < 3; poll += 1) await check(running);
    expect(subject.log.lines).toEqual([
      {
        level: 'warn',
        message: 'the upstream reported an unknown status of a video',
        fields: { provider: 'minimax', videoId: running.videoId },
      },
    ]);
  });

  it('cannot cancel a video, and is polled every ten seconds', () => {
    expect([subject.video.cancel, subject.video.pace]).toEqual([undefined, { firstMs: 10_000, minMs: 10_000 }]);
  });

  if (isFirst) {
    it('fails a video whose file has no address', async () => {
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
      fake.jobs.forEach((job) => (job.cancelled = true));
      expect(await check(makeRunning(receipt))).toMatchObject({ status: 'failed', code: 'cancelled' });
    });
  }
});
