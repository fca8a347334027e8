import { describe, expect, it } from 'vitest';
import { replicate } from '../../../lib/providers/replicate/index';
import { PICTURE, pngBytes } from '../../support/media-bytes';
import { REPLICATE_KEY, replicateModels, startFakeReplicate } from '../../support/upstreams/fake-replicate';
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
import { cases } from './requests';

const contract: VendorContract = {
  definition: replicate,
  startVendor: startFakeReplicate,
  settings: ({ baseUrl }) => ({ REPLICATE_API_KEY: REPLICATE_KEY, REPLICATE_BASE_URL: baseUrl }),
  binding: bindingOf(replicate, 'kwaivgi/kling-v3-video'),
  isSubmit: ({ method, path }) => method === 'POST' && path.endsWith('/predictions'),
  isCancel: ({ path }) => path.endsWith('/cancel'),
  cancelNamesJob: true,
};

videoVendorContract('Replicate', contract);
jobVendorContract('Replicate', contract, {
  notOffered: [
    ['wan-video/wan-2.7-i2v', { kind: 't2v' }],
    ['kwaivgi/kling-v3-video', { kind: 'video-edit' }],
    ['minimax/video-01', { kind: 'start-end' }],
    ['openai/sora-2', { kind: 't2v' }],
  ],
});
requestCasesContract('Replicate', contract, cases, { headers: { authorization: `Bearer ${REPLICATE_KEY}` } });

describe('Replicate', () => {
  const subject = useVendorSubject(contract);

  const { check, cancel } = subject;
  const bindings = catalogBindings(replicate);
  it('serves all models of the fake, and knows no other', () => {
    expect(new Set(bindings.map(({ binding }) => binding.modelName))).toEqual(new Set(Object.keys(replicateModels)));
    expect(replicate.knows?.({ ...contract.binding, modelName: 'openai/sora-2' })).toBe(false);
  });

  it('sends images inside the request as data URLs', async () => {
    const { submits } = await submit(subject, contract, { kind: 'start-end', media: [lastFrame, firstFrame] });
    expect(submits[0]?.json).toMatchObject({ input: { start_image: PICTURE, end_image: PICTURE } });
  });

  it('does not wait for the video at the submit', async () => {
    const { submits } = await submit(subject, contract);
    expect([submits[0]?.headers.prefer, submits[0]?.headers.authorization]).toEqual([
      undefined,
      `Bearer ${REPLICATE_KEY}`,
    ]);
  });

  it('names the URL that Replicate calls at the end, and does not store it', async () => {
    const callbackUrl = 'https://gateway.example/internal/videos/video_1/callback?signature=a-b_c';
    const { bodies, submits } = await submit(subject, contract, {}, { callbackUrl });
    expect(submits[0]?.json).toMatchObject({ webhook: callbackUrl, webhook_events_filter: ['completed'] });
    expect(JSON.stringify(bodies)).not.toContain('callback');
  });

  it.each([
    [400, 'upstream_rejected', 'never'],
    [401, 'upstream_auth_failed', 'elsewhere'],
    [402, 'upstream_auth_failed', 'elsewhere'],
    [403, 'upstream_auth_failed', 'elsewhere'],
    [404, 'provider_model_not_found', 'elsewhere'],
    [422, 'upstream_rejected', 'never'],
    [429, 'rate_limit_exceeded', 'elsewhere'],
    [503, 'upstream_invalid_response', 'elsewhere'],
  ])('a submit with the status %i is %s and has begun nothing', async (status, code, retry) => {
    const { error, submits } = await submit(subject, contract, { scenario: `status:${status}` });
    expect(error).toMatchObject({ code, extra: { upstream: { retry, started: 'no' } } });
    expect(submits).toHaveLength(1);
  });

  it.each([409, 500, 502, 504])('a submit with the status %i may have begun', async (status) => {
    const { error } = await submit(subject, contract, { scenario: `status:${status}` });
    expect(error).toMatchObject({ extra: { upstream: { started: 'maybe' } } });
  });

  it.each(['good', 'list'])('ends with a link for an hour and the measures of its file: %s', async (scenario) => {
    const { receipt, providerJobId } = await begin(subject, contract, { scenario });
    expect(receipt).toEqual({ predictionId: providerJobId });
    const { end } = await pollToEnd(subject, receipt);
    const job = subject.vendor.jobs.at(-1);
    const url = `${subject.vendor.cdnUrl}/results/${scenario}/${job?.number}.mp4`;
    expect(end).toEqual({
      status: 'completed',
      video: {
        file: { url },
        publicUrl: url,
        width: expect.any(Number),
        height: expect.any(Number),
        fps: expect.any(Number),
        durationSeconds: expect.closeTo(2, 1),
        // The fake ends 90 seconds after the acceptance.
        expiresAt: new Date((job?.createdAt.getTime() ?? 0) + 90_000 + 60 * 60 * 1_000),
      },
      bill: { units: '41.5 seconds of work' },
    });
  });

  it('is made from an image inside the request, which Replicate repeats in every answer', async () => {
    const url = `data:image/png;base64,${pngBytes(3_000_000).toString('base64')}`;
    const { receipt } = await begin(subject, contract, { kind: 'i2v', media: [{ role: 'first_frame', url }] });
    expect((await pollToEnd(subject, receipt)).end).toMatchObject({ status: 'completed' });
  });

  it('ends with a prediction that was aborted before it began', async () => {
    const { end } = await pollToEnd(subject, (await begin(subject, contract, { scenario: 'aborted' })).receipt);
    expect(end).toMatchObject({ status: 'failed', code: 'generation_failed' });
  });

  it('cancels a running video, and not one that is finished or not known', async () => {
    const running = makeRunning((await begin(subject, contract, { scenario: 'hang' })).receipt);
    await check(running);
    expect(await cancel(running)).toBe('cancelled');
    expect(await check(running)).toMatchObject({ status: 'failed', code: 'cancelled' });
    const { receipt } = await begin(subject, contract);
    await pollToEnd(subject, receipt);
    expect(await cancel(makeRunning(receipt))).toBe('too_late');
    expect(await cancel(makeRunning({ predictionId: 'unknown' }))).toBe('too_late');
  });
});
