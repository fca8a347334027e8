import { describe, expect, it } from 'vitest';
import type { VideoOrder } from '../../../lib/domain/video';
import { fal } from '../../../lib/providers/fal/index';
import { createTestClock } from '../../support/clock';
import { PICTURE, pngOfSize } from '../../support/media-bytes';
import { FAL_KEY, startFakeFal } from '../../support/upstreams/fake-fal';
import { falSchemas } from '../../support/upstreams/fal-schemas';
import { makeCall, makeRunning } from '../contract/video';
import { videoVendorContract } from '../contract/video-vendor';
import { bindingOf, catalogBindings } from '../support/catalog-bindings';
import {
  begin,
  firstFrame,
  lastFrame,
  makeVendorSubject,
  pollToEnd,
  submit,
  useVendorSubject,
  type VendorContract,
} from '../support/vendor-subject';
import { requestCasesContract } from '../contract/request-cases';
import { imageReference, unshaped, videoReference, withImageOf } from '../support/vendor-orders';
import { cases } from './requests/index';

const contract: VendorContract = {
  definition: fal,
  startVendor: startFakeFal,
  settings: ({ baseUrl }) => ({ FAL_API_KEY: FAL_KEY, FAL_BASE_URL: baseUrl, FAL_KEYS_BASE_URL: baseUrl }),
  binding: bindingOf(fal, 'fal-ai/wan/v2.7/text-to-video'),
  isSubmit: ({ method }) => method === 'POST',
  isCancel: ({ method }) => method === 'PUT',
};

videoVendorContract('fal', contract);
requestCasesContract('fal', contract, cases, {
  bindings: catalogBindings(fal).filter(({ binding }) => fal.knows?.(binding)),
  media: withImageOf(720, 1280),
  headers: { authorization: `Key ${FAL_KEY}` },
});

describe('fal', () => {
  const subject = useVendorSubject(contract);

  const { check } = subject;

  /** The bodies that fal receives for an order of this endpoint; the last one is the accepted submit. */
  async function sentFor(endpoint: string, order: Partial<VideoOrder>): Promise<unknown> {
    const { error, bodies, submits } = await submit(subject, contract, { ...order, binding: bindingOf(fal, endpoint) });
    expect(error).toBeUndefined();
    expect(submits).toHaveLength(1);
    expect(submits[0]?.path).toBe(`/${endpoint}`);
    expect(bodies).toEqual([submits[0]?.json]);
    return submits[0]?.json;
  }

  it('has an expected body for every endpoint of the fake', () => {
    const named = [...new Set(cases.map(({ path }) => path.slice(1)))];
    expect(named.toSorted()).toEqual(Object.keys(falSchemas).toSorted());
    expect(named.every((endpoint) => fal.knows?.(bindingOf(fal, endpoint)))).toBe(true);
    expect(fal.knows?.(bindingOf(fal, 'fal-ai/sora-2/text-to-video'))).toBe(false);
  });

  it.each([
    ['v6', 720, 1280, '9:16'],
    ['v6', 1280, 720, '16:9'],
    ['v6', 1000, 1000, '1:1'],
    ['v6', 600, 820, '3:4'],
    ['v6', 2500, 1000, '21:9'],
    ['v5.6', 2500, 1000, '16:9'],
  ])(
    'a transition of PixVerse %s without a ratio has that of its first image: %d by %d is %s',
    async (version, width, height, ratio) => {
      const image = (w: number, h: number) => `data:image/png;base64,${pngOfSize(w, h).toString('base64')}`;
      const sent = await sentFor(`fal-ai/pixverse/${version}/transition`, {
        kind: 'start-end',
        media: [
          { role: 'first_frame', url: image(width, height) },
          { role: 'last_frame', url: image(640, 360) },
        ],
        ...unshaped,
      });
      expect(sent).toMatchObject({ aspect_ratio: ratio });
    },
  );

  it('requests the usual priority, and the lifetime of the file that it states', async () => {
    const { submits, started } = await submit(subject, contract);
    expect(submits[0]?.headers).toMatchObject({
      'x-fal-object-lifecycle-preference': '{"expiration_duration_seconds":604800}',
      'x-fal-queue-priority': 'normal',
    });
    const startedAt = new Date('2026-11-23T10:00:00Z');
    let progress = await check(makeRunning(started?.receipt ?? null, { startedAt }));
    while (progress.status !== 'completed')
      progress = await check(makeRunning(started?.receipt ?? null, { startedAt }));
    expect(progress.video.expiresAt).toEqual(new Date('2026-11-30T10:00:00Z'));
  });

  it('names the URL that fal calls at the end', async () => {
    const callbackUrl = 'https://gateway.example/internal/videos/video_1/callback?signature=a-b_c';
    const { submits } = await submit(subject, contract, {}, { callbackUrl });
    expect([...(submits[0]?.query ?? [])]).toEqual([['fal_webhook', callbackUrl]]);
  });

  it('uses the URLs that fal returned, at the configured origin only', async () => {
    const before = subject.vendor.requests.length;
    const { started } = await submit(subject, contract, { binding: bindingOf(fal, 'fal-ai/wan/v2.7/text-to-video') });
    await pollToEnd(subject, started?.receipt ?? null);
    const id = started?.providerJobId ?? '';
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
    expect(subject.vendor.requests.slice(before).map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /fal-ai/wan/v2.7/text-to-video',
      `GET /fal-ai/wan/requests/${id}/status`,
      `GET /fal-ai/wan/requests/${id}/status`,
      `GET /fal-ai/wan/requests/${id}/status`,
      `GET /fal-ai/wan/requests/${id}`,
    ]);
  });

  it('reports the measures, the public link and the bill of a finished video', async () => {
    const { receipt } = await begin(subject, contract, { scenario: 'good' });
    const { end } = await pollToEnd(subject, receipt);
    const url = `${subject.vendor.cdnUrl}/results/good/${subject.vendor.jobs.length}.mp4`;
    expect(end).toEqual({
      status: 'completed',
      video: {
        file: { url },
        publicUrl: url,
        width: 640,
        height: 360,
        fps: 24,
        durationSeconds: 2,
        expiresAt: expect.any(Date),
      },
      bill: { units: '5 units' },
    });
  });

  it('reports the bill of a video that the content policy ended', async () => {
    const { end } = await pollToEnd(
      subject,
      (await begin(subject, contract, { scenario: 'moderated-output' })).receipt,
    );
    expect(end).toMatchObject({ status: 'failed', bill: { units: '5 units' } });
  });

  it.each([
    ['content-policy-violation', 'content_policy_violation'],
    ['file-download-error', 'media_unreachable'],
    ['file-too-large', 'media_too_large'],
    ['image-load-error', 'media_invalid'],
    ['image-too-small', 'media_invalid'],
    ['image-too-large', 'media_invalid'],
    ['video-duration-too-long', 'media_invalid'],
    ['video-duration-too-short', 'media_invalid'],
    ['unsupported-image-format', 'media_invalid'],
    ['unsupported-video-format', 'media_invalid'],
    ['face-detection-error', 'media_invalid'],
    ['no-media-generated', 'generation_failed'],
    ['internal-server-error', 'generation_failed'],
    ['downstream-service-error', 'generation_failed'],
    ['downstream-service-unavailable', 'generation_failed'],
    ['generation-timeout', 'upstream_timeout'],
    ['client-cancelled', 'cancelled'],
    ['client-disconnected', 'cancelled'],
    ['literal-error', 'upstream_rejected'],
    ['greater-than-equal', 'upstream_rejected'],
    ['feature-not-supported', 'upstream_rejected'],
    ['bad-request', 'upstream_rejected'],
  ])('a result with the error %s is %s', async (error, code) => {
    const { end, errors } = await pollToEnd(
      subject,
      (await begin(subject, contract, { scenario: `error-${error}` })).receipt,
    );
    expect(errors).toEqual([]);
    expect(end).toMatchObject({ status: 'failed', code, message: expect.stringMatching(/^[A-Z].{10,}\.$/s) });
  });

  it('an error of the platform ends a video only when its result stays unreadable', async () => {
    const { receipt } = await begin(subject, contract, { scenario: 'result-500:9' });
    for (const status of ['queued', 'in_progress']) expect(await check(makeRunning(receipt))).toMatchObject({ status });
    for (const failures of [0, 1, 2])
      await expect(check(makeRunning(receipt, { failures }))).rejects.toMatchObject({
        extra: { upstream: { retry: 'later' } },
      });
    expect(await check(makeRunning(receipt, { failures: 3 }))).toMatchObject({
      status: 'failed',
      code: 'generation_failed',
    });
  });

  it('a page instead of a result never ends a video', async () => {
    const { receipt } = await begin(subject, contract, { scenario: 'result-html:1' });
    await check(makeRunning(receipt));
    await check(makeRunning(receipt));
    await expect(check(makeRunning(receipt, { failures: 9 }))).rejects.toMatchObject({
      extra: { upstream: { retry: 'later' } },
    });
    expect(await check(makeRunning(receipt, { failures: 10 }))).toMatchObject({ status: 'completed' });
  });

  it('a result that is not there yet leaves the video in progress', async () => {
    const { words, end } = await pollToEnd(
      subject,
      (await begin(subject, contract, { scenario: 'result-early:2' })).receipt,
    );
    expect(words).toEqual(['queued', 'in_progress', 'in_progress', 'in_progress', 'completed']);
    expect(end?.status).toBe('completed');
  });

  it('a refused submit names the pause that fal asks for', async () => {
    const { error } = await submit(subject, contract, { scenario: 'ratelimit:2' });
    expect(error).toMatchObject({ extra: { upstream: { retryAfterMs: 2_000 } } });
  });

  it('an endpoint that is not in the table is not submitted', async () => {
    const binding = bindingOf(fal, 'fal-ai/sora-2/text-to-video');
    const { error, bodies, submits } = await submit(subject, contract, { binding });
    expect(error).toMatchObject({
      code: 'provider_model_not_found',
      extra: { upstream: { retry: 'elsewhere', started: 'no' } },
    });
    expect([bodies, submits]).toEqual([[], []]);
  });

  it('sends a reference video to the endpoint of a newer Kling that takes it', async () => {
    const sameRequestAs = 'fal-ai/kling-video/o3/pro/reference-to-video';
    const modelName = 'fal-ai/kling-video/o9/pro/reference-to-video';
    const binding = { ...bindingOf(fal, sameRequestAs), modelName, sameRequestAs };
    const pathsFor = async (media: VideoOrder['media']) =>
      (await submit(subject, contract, { kind: 'r2v', media, binding })).submits.map(({ path }) => path);
    expect(await pathsFor([videoReference])).toEqual(['/fal-ai/kling-video/o9/pro/video-to-video/reference']);
    expect(await pathsFor([imageReference])).toEqual([`/${modelName}`]);
  });

  it('passes data URLs as they are, in the order of the frames', async () => {
    const sent = await sentFor('fal-ai/kling-video/v3/standard/image-to-video', {
      kind: 'start-end',
      media: [lastFrame, firstFrame],
    });
    expect(sent).toMatchObject({ start_image_url: PICTURE, end_image_url: PICTURE });
  });

  it('a cancelled video fails as cancelled, and cannot be cancelled again', async () => {
    const { receipt } = await begin(subject, contract, { scenario: 'hang' });
    await check(makeRunning(receipt));
    const cancel = () => subject.video.cancel?.(makeRunning(receipt), makeCall(subject.log));
    expect(await cancel()).toBe('requested');
    expect(await check(makeRunning(receipt))).toMatchObject({ status: 'failed', code: 'cancelled' });
    expect(await cancel()).toBe('too_late');
  });

  it('a job that fal does not know is too late to cancel', async () => {
    const { receipt } = await begin(subject, contract, { scenario: 'hang' });
    const unknown = JSON.parse(JSON.stringify(receipt).replace(/requests\/[0-9a-f-]+/g, 'requests/unknown'));
    expect(await subject.video.cancel?.(makeRunning(unknown), makeCall(subject.log))).toBe('too_late');
  });

  it('is asked again about a job if it does not answer within 15 seconds', async () => {
    const clock = createTestClock();
    const silent = await makeVendorSubject(contract, { clock });
    const { receipt } = await begin(silent, contract, { scenario: 'poll-hang:1' });
    const checked = silent.video.check(makeRunning(receipt), makeCall(silent.log));
    checked.catch(() => {});
    await expect.poll(() => silent.vendor.requests.length).toBe(2);
    await clock.advance(15_000);
    await expect(checked).rejects.toMatchObject({ code: 'upstream_timeout', extra: { upstream: { retry: 'later' } } });
    await silent.close();
  });

  it('has no limits and no pace of its own, because fal states none', () => {
    expect([subject.video.limits, subject.video.pace, subject.video.repeatable]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});
