import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../../lib/domain/clock';
import type { OrderMedia, RunningVideo } from '../../../lib/domain/video';
import { runway } from '../../../lib/providers/runway/index';
import { mp4Bytes, PICTURE, pngBytes } from '../../support/media-bytes';
import {
  failure,
  RUNWAY_KEY,
  runwayBodies,
  startFakeRunway,
  type FakeRunway,
} from '../../support/upstreams/fake-runway';
import type { VendorReply } from '../../support/upstreams/fake-video-vendor';
import { makeCall, makeRunning, readBody } from '../contract/video';
import {
  begin,
  bindingOf,
  firstFrame,
  makeVendorSubject,
  pollToEnd,
  refusalCodesContract,
  submit,
  videoVendorContract,
  type VendorContract,
  type VendorSubject,
} from '../contract/video-vendor';
import { wireCasesContract } from '../contract/wire-cases';
import { runwayCases } from './inputs';

const contract: VendorContract = {
  definition: runway,
  startVendor: startFakeRunway,
  settings: ({ baseUrl }) => ({ RUNWAY_API_KEY: RUNWAY_KEY, RUNWAY_BASE_URL: baseUrl }),
  binding: bindingOf(runway, 'gen4.5'),
  isSubmit: ({ method, path }) => method === 'POST' && path.endsWith('_to_video'),
  moderatesLater: true,
};

videoVendorContract('Runway', contract);

describe('a request for a video to Runway', () => {
  wireCasesContract(contract, runwayCases, {
    as: async ({ url }) => ({ form: 'https', url }),
    read: async () => ({ bytes: png(720, 1280), contentType: 'image/png' }),
  });

  it('is tried with every model and path that the imitation has', () => {
    const known = Object.entries(runwayBodies).flatMap(([path, bodies]) =>
      bodies.map(({ shape }) => `${path} ${[...(shape.model as { values: Set<string> }).values].join()}`),
    );
    const tried = new Set(runwayCases.map(({ path, modelName }) => `${path} ${modelName}`));
    // The smaller Seedance models take images as the largest one does.
    expect(known.filter((name) => !tried.has(name) && !/image.*seedance2_/.test(name))).toEqual([]);
  });
});

describe('Runway', () => {
  let fake: FakeRunway;
  let subject: VendorSubject;
  beforeAll(async () => {
    fake = await startFakeRunway();
    subject = await makeVendorSubject({ ...contract, startVendor: async () => fake });
  });
  afterAll(() => subject.close());

  const check = (running: RunningVideo) => subject.video.check(running, makeCall(subject.log));

  it.each([
    ['gen4.5', { kind: 't2v', aspectRatio: '1:1' }],
    ['gen4.5', { kind: 'r2v' }],
    ['seedance2_fast', { kind: 't2v', resolution: '1080p' }],
    ['gen3a_turbo', { kind: 't2v' }],
    ['toString', { kind: 't2v' }],
  ] as const)('is sent no order that it cannot make with %s: %j', async (modelName, order) => {
    const binding = bindingOf(runway, modelName);
    const { error, bodies, submits } = await submit(subject, contract, { ...order, binding });
    expect(error).toMatchObject({
      code: 'provider_model_not_found',
      extra: { upstream: { retry: 'elsewhere', started: 'no' } },
    });
    expect([bodies, submits]).toEqual([[], []]);
    expect(runway.knows?.(binding)).toBe(modelName !== 'gen3a_turbo' && modelName !== 'toString');
  });

  it('gets the key and the version of the API with every request', async () => {
    const before = fake.requests.length;
    const { receipt } = await begin(subject, contract);
    await pollToEnd(subject, receipt);
    const sent = fake.requests.slice(before);
    expect(sent.length).toBeGreaterThan(3);
    for (const { headers } of sent)
      expect([headers.authorization, headers['x-runway-version']]).toEqual([`Bearer ${RUNWAY_KEY}`, '2024-11-06']);
  });

  describe('the media of an order', () => {
    const dataUrl = (type: string, bytes: Uint8Array) => `data:${type};base64,${Buffer.from(bytes).toString('base64')}`;
    const image = (url: string): OrderMedia => ({ role: 'first_frame', url });
    const i2v = { kind: 'i2v' } as const;

    it('are sent inside the request up to 3.7 MB', async () => {
      const largest = dataUrl('image/png', pngBytes(3_700_000));
      const before = fake.requests.length;
      const { submits } = await submit(subject, contract, { ...i2v, media: [image(largest)] });
      expect(submits[0]?.json).toMatchObject({ promptImage: [{ uri: largest, position: 'first' }] });
      expect(fake.requests.length).toBe(before + 1);
    });

    it('are uploaded before the point of no return if they are larger', async () => {
      const bytes = pngBytes(3_700_001);
      const before = fake.requests.length;
      const { submits, bodies } = await submit(subject, contract, {
        ...i2v,
        media: [image(dataUrl('image/png', bytes))],
      });
      const [slot, stored, order] = fake.requests.slice(before);
      expect(
        [slot, stored, order].map((request) => `${request?.method} ${request?.path.split('/', 3).join('/')}`),
      ).toEqual([
        'POST /v1/uploads',
        expect.stringMatching(/^POST \/storage\/[0-9a-f-]{36}$/),
        'POST /v1/image_to_video',
      ]);
      expect(slot?.json).toEqual({ filename: 'media.png', type: 'ephemeral' });
      expect(stored?.headers.authorization).toBeUndefined();
      const [uri = ''] = [...fake.uploads.keys()].slice(-1);
      expect(submits[0]?.json).toMatchObject({ promptImage: [{ uri, position: 'first' }] });
      expect(bodies).toEqual([submits[0]?.json]);
      const file = fake.uploads.get(uri);
      expect([file?.name, file?.type]).toEqual(['media.png', 'image/png']);
      expect(Buffer.from((await file?.arrayBuffer()) ?? new ArrayBuffer(0)).equals(bytes)).toBe(true);
    });

    it('are uploaded as a video if they are one', async () => {
      const source: OrderMedia = { role: 'source_video', url: dataUrl('video/mp4', mp4Bytes(3_700_001)) };
      const binding = bindingOf(runway, 'aleph2');
      const { submits } = await submit(subject, contract, { kind: 'video-edit', media: [source], binding });
      const [uri = ''] = [...fake.uploads.keys()].slice(-1);
      expect(submits[0]?.json).toMatchObject({ videoUri: uri });
      expect([fake.uploads.get(uri)?.name, fake.uploads.get(uri)?.type]).toEqual(['media.mp4', 'video/mp4']);
    });

    const slot: VendorReply = {
      status: 200,
      body: { uploadUrl: 'http://10.0.0.1/', fields: {}, runwayUri: 'runway://x' },
    };
    const uploads: readonly (readonly [name: string, replies: readonly VendorReply[], code: string, retry: string])[] =
      [
        ['whose slot is refused', [failure(400)], 'upstream_rejected', 'never'],
        ['whose slot is refused for the key', [failure(401)], 'upstream_auth_failed', 'elsewhere'],
        ['whose slot fails', [failure(500)], 'upstream_invalid_response', 'elsewhere'],
        ['whose slot is a page', [{ status: 200, body: '<html/>' }], 'upstream_invalid_response', 'elsewhere'],
        ['whose slot is cut off', [{ status: 200, drop: true }], 'upstream_invalid_response', 'elsewhere'],
        ['whose slot is at a private address', [slot], 'upstream_invalid_response', 'later'],
      ];
    it.each(uploads)(
      'end the start with nothing begun if they have an upload %s',
      async (_name, replies, code, retry) => {
        fake.uploadReplies.push(...replies);
        const media = [image(dataUrl('image/png', pngBytes(3_700_001)))];
        const { error, bodies, submits } = await submit(subject, contract, { ...i2v, media });
        expect(error).toMatchObject({ code, extra: { upstream: { retry, started: 'no' } } });
        expect([bodies, submits]).toEqual([[], []]);
      },
    );

    it('end the start with nothing begun if the storage refuses them', async () => {
      fake.storageReplies.push({ status: 403 });
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

    it('that claims success without an id may have begun', async () => {
      const { error } = await submit(subject, contract, { scenario: 'success-without-id' });
      expect(error).toMatchObject({ extra: { upstream: { started: 'maybe' } } });
    });

    it('that has an id beside its error has begun', async () => {
      const { receipt } = await begin(subject, contract, { scenario: 'error-with-id' });
      expect((await pollToEnd(subject, receipt)).end?.status).toBe('completed');
    });
  });

  it('ends a video with its link, the charged credits, and the facts of the file', async () => {
    const startedAt = new Date();
    const { receipt, providerJobId } = await begin(subject, contract);
    expect(receipt).toEqual({ taskId: providerJobId });
    const running = makeRunning(receipt, { startedAt });
    expect([await check(running), await check(running)]).toEqual([{ status: 'queued' }, { status: 'in_progress' }]);
    const url = `${fake.cdnUrl}/results/good/${fake.jobs.length}.mp4?_jwt=3`;
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

  it('logs an unknown status without text of the vendor', async () => {
    const { receipt } = await begin(subject, contract, { scenario: 'weird' });
    const running = makeRunning(receipt);
    await check(running);
    await check(running);
    subject.log.lines.length = 0;
    expect(await check(running)).toEqual({ status: 'in_progress' });
    expect(subject.log.lines).toEqual([
      {
        level: 'warn',
        message: 'the upstream reported an unknown status of a video',
        fields: { provider: 'runway', videoId: running.videoId },
      },
    ]);
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
      expect(renewed).toEqual({ url: `${fake.cdnUrl}/results/good/${fake.jobs.length}.mp4?_jwt=4` });
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
    const deletions = () => fake.requests.filter(({ method }) => method === 'DELETE').length;

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
    expect([subject.video.pace, subject.video.waitLimitMs, subject.video.limits]).toEqual([
      { firstMs: 5_000, minMs: 5_000 },
      1_200_000,
      undefined,
    ]);
  });

  it('has 30 seconds for the answer to a submit, which is not repeated', async () => {
    const impatient = await makeVendorSubject(contract, {
      clock: { ...systemClock, after: (ms, run) => systemClock.after(ms === 30_000 ? 20 : ms, run) },
    });
    const { error, submits } = await submit(impatient, contract, { scenario: 'slow-submit' });
    expect(error).toMatchObject({ code: 'upstream_timeout', extra: { upstream: { started: 'maybe' } } });
    expect(submits).toHaveLength(1);
    await impatient.close();
  });

  it('gets a picture of the test inside the request', async () => {
    const { submits } = await submit(subject, contract, { kind: 'i2v', media: [firstFrame] });
    expect(submits[0]?.json).toMatchObject({ promptImage: [{ uri: PICTURE, position: 'first' }] });
  });
});

/** The beginning of a PNG image of that size. */
function png(width: number, height: number): Buffer {
  const bytes = Buffer.alloc(33);
  bytes.write('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1');
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return bytes;
}
