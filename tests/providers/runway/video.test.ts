import { describe, expect, it } from 'vitest';
import type { OrderMedia, RunningVideo } from '../../../lib/domain/video';
import { runway } from '../../../lib/providers/runway/index';
import { mp4Bytes, PICTURE, pngBytes } from '../../support/media-bytes';
import { failure, RUNWAY_KEY, runwayBodies, startFakeRunway } from '../../support/upstreams/fake-runway';
import type { VendorReply } from '../../support/upstreams/fake-video-vendor';
import { makeCall, makeRunning, readBody } from '../contract/video';
import { refusalCodesContract, videoVendorContract } from '../contract/video-vendor';
import { bindingOf } from '../support/catalog-bindings';
import { begin, firstFrame, pollToEnd, submit, useVendorSubject, type VendorContract } from '../support/vendor-subject';
import { requestCasesContract } from '../contract/request-cases';
import { jobVendorContract } from '../contract/video-jobs';
import { withImageOf } from '../support/vendor-orders';
import { cases } from './requests';

const dataUrl = (type: string, bytes: Uint8Array) => `data:${type};base64,${Buffer.from(bytes).toString('base64')}`;

const contract: VendorContract = {
  definition: runway,
  startVendor: startFakeRunway,
  settings: ({ baseUrl }) => ({ RUNWAY_API_KEY: RUNWAY_KEY, RUNWAY_BASE_URL: baseUrl }),
  binding: bindingOf(runway, 'gen4.5'),
  reference: 'renewable',
  isSubmit: ({ method, path }) => method === 'POST' && path.endsWith('_to_video'),
  isCancel: ({ method }) => method === 'DELETE',
  cancelNamesJob: true,
  moderatesLater: true,
  // The image is too large for the body of the submit.
  uploads: { kind: 'i2v', media: [{ role: 'first_frame', url: dataUrl('image/png', pngBytes(3_700_001)) }] },
};

videoVendorContract('Runway', contract);
jobVendorContract('Runway', contract, {
  notOffered: [
    ['gen4.5', { kind: 't2v', aspectRatio: '1:1' }],
    ['gen4.5', { kind: 'r2v' }],
    ['seedance2_fast', { kind: 't2v', resolution: '1080p' }],
    ['gen3a_turbo', { kind: 't2v' }],
    ['toString', { kind: 't2v' }],
  ],
});
requestCasesContract('Runway', contract, cases, {
  media: withImageOf(720, 1280),
  headers: { authorization: `Bearer ${RUNWAY_KEY}`, 'x-runway-version': '2024-11-06' },
});

describe('a request for a video to Runway', () => {
  it('is tried with every model and path that the imitation has', () => {
    const known = Object.entries(runwayBodies).flatMap(([path, bodies]) =>
      bodies.map(({ shape }) => `${path} ${[...(shape.model as { values: Set<string> }).values].join()}`),
    );
    const tried = new Set(cases.map(({ path, modelName }) => `${path} ${modelName}`));
    // The smaller Seedance models take images as the largest one does.
    expect(known.filter((name) => !tried.has(name) && !/image.*seedance2_/.test(name))).toEqual([]);
  });
});

describe('Runway', () => {
  const subject = useVendorSubject({ ...contract, startVendor: startFakeRunway });

  const { check } = subject;

  it('gets the key and the version of the API with every request', async () => {
    const before = subject.vendor.requests.length;
    const { receipt } = await begin(subject, contract);
    await pollToEnd(subject, receipt);
    const sent = subject.vendor.requests.slice(before);
    expect(sent.length).toBeGreaterThan(3);
    for (const { headers } of sent)
      expect([headers.authorization, headers['x-runway-version']]).toEqual([`Bearer ${RUNWAY_KEY}`, '2024-11-06']);
  });

  describe('the media of an order', () => {
    const image = (url: string): OrderMedia => ({ role: 'first_frame', url });
    const i2v = { kind: 'i2v' } as const;

    it('are sent inside the request up to 3.7 MB', async () => {
      const largest = dataUrl('image/png', pngBytes(3_700_000));
      const before = subject.vendor.requests.length;
      const { submits } = await submit(subject, contract, { ...i2v, media: [image(largest)] });
      expect(submits[0]?.json).toMatchObject({ promptImage: [{ uri: largest, position: 'first' }] });
      expect(subject.vendor.requests.length).toBe(before + 1);
    });

    it('are uploaded before the point of no return if they are larger', async () => {
      const bytes = pngBytes(3_700_001);
      const before = subject.vendor.requests.length;
      const { submits, bodies } = await submit(subject, contract, {
        ...i2v,
        media: [image(dataUrl('image/png', bytes))],
      });
      const [slot, stored, order] = subject.vendor.requests.slice(before);
      expect(
        [slot, stored, order].map((request) => `${request?.method} ${request?.path.split('/', 3).join('/')}`),
      ).toEqual([
        'POST /v1/uploads',
        expect.stringMatching(/^POST \/storage\/[0-9a-f-]{36}$/),
        'POST /v1/image_to_video',
      ]);
      expect(slot?.json).toEqual({ filename: 'media.png', type: 'ephemeral' });
      expect(stored?.headers.authorization).toBeUndefined();
      const [uri = ''] = [...subject.vendor.uploads.keys()].slice(-1);
      expect(submits[0]?.json).toMatchObject({ promptImage: [{ uri, position: 'first' }] });
      expect(bodies).toEqual([submits[0]?.json]);
      const file = subject.vendor.uploads.get(uri);
      expect([file?.name, file?.type]).toEqual(['media.png', 'image/png']);
      expect(Buffer.from((await file?.arrayBuffer()) ?? new ArrayBuffer(0)).equals(bytes)).toBe(true);
    });

    it('are uploaded as a video if they are one', async () => {
      const source: OrderMedia = { role: 'source_video', url: dataUrl('video/mp4', mp4Bytes(3_700_001)) };
      const binding = bindingOf(runway, 'aleph2');
      const { submits } = await submit(subject, contract, { kind: 'video-edit', media: [source], binding });
      const [uri = ''] = [...subject.vendor.uploads.keys()].slice(-1);
      expect(submits[0]?.json).toMatchObject({ videoUri: uri });
      expect([subject.vendor.uploads.get(uri)?.name, subject.vendor.uploads.get(uri)?.type]).toEqual([
        'media.mp4',
        'video/mp4',
      ]);
    });

    const slot: VendorReply = {
      status: 200,
      body: { uploadUrl: 'http://10.0.0.1/', fields: {}, runwayUri: 'runway://x' },
    };
    const other = { uploadUrl: 'http://10.0.0.1/', fields: {}, runwayUri: 'https://example.com/' };
    const uploads: readonly (readonly [name: string, replies: readonly VendorReply[], code: string, retry: string])[] =
      [
        ['whose slot is refused', [failure(400)], 'upstream_rejected', 'never'],
        ['whose slot is refused for the key', [failure(401)], 'upstream_auth_failed', 'elsewhere'],
        ['whose slot fails', [failure(500)], 'upstream_invalid_response', 'elsewhere'],
        ['whose slot is a page', [{ status: 200, body: '<html/>' }], 'upstream_invalid_response', 'elsewhere'],
        ['whose slot is cut off', [{ status: 200, drop: true }], 'upstream_invalid_response', 'elsewhere'],
        ['whose slot is at a private address', [slot], 'upstream_invalid_response', 'later'],
        ['whose slot has no URI', [{ status: 200, body: other }], 'upstream_invalid_response', 'elsewhere'],
      ];
    it.each(uploads)(
      'end the start with nothing begun if they have an upload %s',
      async (_name, replies, code, retry) => {
        subject.vendor.uploadReplies.push(...replies);
        const media = [image(dataUrl('image/png', pngBytes(3_700_001)))];
        const { error, bodies, submits } = await submit(subject, contract, { ...i2v, media });
        expect(error).toMatchObject({ code, extra: { upstream: { retry, started: 'no' } } });
        expect([bodies, submits]).toEqual([[], []]);
      },
    );

    it('end the start with nothing begun if the storage refuses them', async () => {
      subject.vendor.storageReplies.push({ status: 403 });
      const media = [image(dataUrl('image/png', pngBytes(3_700_001)))];
      const { error, submits } = await submit(subject, contract, { ...i2v, media });
      expect(error).toMatchObject({ extra: { upstream: { retry: 'elsewhere', started: 'no' } } });
      expect(submits).toEqual([]);
    });
  });

  describe('a refused submit', () => {
    refusalCodesContract(
      { subject: () => subject, contract },
      [
        [400, 'upstream_rejected', 'never'],
        [401, 'upstream_auth_failed', 'elsewhere'],
        [403, 'upstream_auth_failed', 'elsewhere'],
        [404, 'provider_model_not_found', 'elsewhere'],
        [429, 'rate_limit_exceeded', 'elsewhere'],
        [502, 'upstream_invalid_response', 'elsewhere'],
        [503, 'upstream_invalid_response', 'elsewhere'],
      ],
      [500, 504],
    );

    it('names the field that Runway refuses', async () => {
      const { error } = await submit(subject, contract, { seconds: 11 });
      expect(error).toMatchObject({ code: 'upstream_rejected', message: expect.stringContaining('duration: ') });
    });

    it('names as much of the field as can be read', async () => {
      const issues = [{ path: ['references', { toString: 1 }, 0], message: 'Too small.' }];
      subject.vendor.alterAnswers(() => ({ status: 400, body: { error: 'Invalid body.', issues } }));
      const { error } = await submit(subject, contract).finally(() => subject.vendor.alterAnswers());
      expect(error).toMatchObject({ code: 'upstream_rejected', message: 'Invalid body. references.0: Too small.' });
    });
  });

  it('ends a video with its link, the charged credits, and the facts of the file', async () => {
    const startedAt = new Date();
    const { receipt, providerJobId } = await begin(subject, contract);
    expect(receipt).toEqual({ taskId: providerJobId });
    const running = makeRunning(receipt, { startedAt });
    expect([await check(running), await check(running)]).toEqual([{ status: 'queued' }, { status: 'in_progress' }]);
    const url = `${subject.vendor.cdnUrl}/results/good/${subject.vendor.jobs.length}.mp4?_jwt=3`;
    expect(await check(running)).toEqual({
      status: 'completed',
      video: {
        file: { url },
        publicUrl: url,
        expiresAt: new Date(startedAt.getTime() + 24 * 60 * 60 * 1_000),
        width: 160,
        height: 90,
        fps: 12,
        durationSeconds: 2,
      },
      bill: { units: '60 credits', nanoUsd: 600_000_000n },
    });
  });

  it('queues what the account may not run yet', async () => {
    const { receipt } = await begin(subject, contract, { scenario: 'throttled' });
    expect(await check(makeRunning(receipt))).toEqual({ status: 'queued' });
    expect((await pollToEnd(subject, receipt)).end?.status).toBe('completed');
  });

  it.each([
    ['safety-input-text', 'content_policy_violation'],
    ['safety-input-image', 'content_policy_violation'],
    ['safety-output-video', 'content_policy_violation'],
    ['input--preprocessing-safety-text', 'content_policy_violation'],
    ['asset-invalid', 'media_invalid'],
    ['input--preprocessing-internal', 'generation_failed'],
    ['internal-bad--output-code01', 'generation_failed'],
    ['internal', 'generation_failed'],
    ['third--party-unavailable', 'generation_failed'],
    ['safetyless', 'generation_failed'],
  ])('a task with the failure code %s is %s, and its credits are reported', async (code, expected) => {
    const { receipt } = await begin(subject, contract, { scenario: `failure-${code}` });
    const { end } = await pollToEnd(subject, receipt);
    expect(end).toMatchObject({ status: 'failed', code: expected, bill: { nanoUsd: 600_000_000n } });
  });

  it('charges for input that it refuses', async () => {
    const { receipt } = await begin(subject, contract, { scenario: 'moderated-input' });
    expect((await pollToEnd(subject, receipt)).end).toMatchObject({
      code: 'content_policy_violation',
      bill: { units: '60 credits', nanoUsd: 600_000_000n },
    });
  });

  describe('the link of a finished video', () => {
    const refresh = (receipt: Parameters<NonNullable<typeof subject.video.refresh>>[0]['receipt']) =>
      subject.video.refresh?.({ receipt, file: { url: 'https://example.com/' } }, makeCall(subject.log));

    it('is renewed by the task when it has ended', async () => {
      const { receipt } = await begin(subject, contract, { scenario: 'stale-link' });
      const { end } = await pollToEnd(subject, receipt);
      const file = end?.status === 'completed' ? end.video.file : null;
      const open = (one: typeof file) => subject.video.open(one, undefined, makeCall(subject.log));
      await expect(open(file)).rejects.toMatchObject({ code: 'upstream_content_unavailable' });
      const renewed = (await refresh(receipt)) ?? null;
      expect(renewed).toEqual({
        url: `${subject.vendor.cdnUrl}/results/good/${subject.vendor.jobs.length}.mp4?_jwt=4`,
      });
      expect((await readBody(await open(renewed))).length).toBeGreaterThan(1_024);
    });

    it('cannot be renewed when Runway has deleted the task or has no file', async () => {
      await expect(refresh({ taskId: 'deleted' })).rejects.toMatchObject({ code: 'video_expired' });
      const { receipt } = await begin(subject, contract, { scenario: 'nourl' });
      await pollToEnd(subject, receipt);
      await expect(refresh(receipt)).rejects.toMatchObject({ code: 'video_expired' });
    });

    it('may be renewed later if Runway does not answer', async () => {
      const { receipt } = await begin(subject, contract, { scenario: 'poll500:1' });
      await expect(refresh(receipt)).rejects.toMatchObject({ extra: { upstream: { retry: 'later' } } });
    });
  });

  describe('a cancellation', () => {
    const cancel = (receipt: RunningVideo['receipt']) =>
      subject.video.cancel?.(makeRunning(receipt), makeCall(subject.log));
    const deletions = () => subject.vendor.requests.filter(({ method }) => method === 'DELETE').length;

    it('ends a task that waits or runs', async () => {
      for (const polls of [0, 1]) {
        const { receipt } = await begin(subject, contract, { scenario: 'hang' });
        for (let poll = 0; poll < polls; poll += 1) await check(makeRunning(receipt));
        expect(await cancel(receipt)).toBe('cancelled');
        expect(await check(makeRunning(receipt))).toMatchObject({ code: 'cancelled', bill: { nanoUsd: 0n } });
      }
    });

    it.each(['good', 'fail', 'weird'])('never deletes a task of %s that is not known to run', async (scenario) => {
      const { receipt } = await begin(subject, contract, { scenario });
      await check(makeRunning(receipt));
      await check(makeRunning(receipt));
      const before = deletions();
      expect(await cancel(receipt)).toBe('too_late');
      expect(deletions()).toBe(before);
    });

    it('of a task that Runway does not know is too late', async () => {
      expect(await cancel({ taskId: 'unknown' })).toBe('too_late');
    });

    it('may be repeated if Runway does not answer', async () => {
      const { receipt } = await begin(subject, contract, { scenario: 'poll503:1' });
      await expect(cancel(receipt)).rejects.toMatchObject({ extra: { upstream: { retry: 'later' } } });
    });
  });

  it('is polled every five seconds at most, and may leave a video waiting for 20 minutes', () => {
    expect([subject.video.pace, subject.video.waitTimeoutMs, subject.video.limits]).toEqual([
      { firstMs: 5_000, minMs: 5_000 },
      1_200_000,
      undefined,
    ]);
  });

  it('gets a picture of the test inside the request', async () => {
    const { submits } = await submit(subject, contract, { kind: 'i2v', media: [firstFrame] });
    expect(submits[0]?.json).toMatchObject({ promptImage: [{ uri: PICTURE, position: 'first' }] });
  });
});
