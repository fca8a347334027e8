import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withBindings } from '../../../lib/catalog/binding-facts';
import type { RunningVideo, VideoBinding, VideoOrder } from '../../../lib/domain/video';
import { replicate } from '../../../lib/providers/replicate/index';
import { orderFor, parseVideoRequest } from '../../../lib/videos/video-request';
import { validBody } from '../../lib/videos/valid-bodies';
import { PICTURE } from '../../support/media-bytes';
import { REPLICATE_KEY, replicateModels, startFakeReplicate } from '../../support/upstreams/fake-replicate';
import { makeCall, makeRunning } from '../contract/video';
import {
  begin,
  bindingOf,
  catalogBindings,
  firstFrame,
  lastFrame,
  makeVendorSubject,
  pollToEnd,
  submit,
  videoVendorContract,
  type VendorContract,
  type VendorSubject,
} from '../contract/video-vendor';
import { uncoveredValues } from '../contract/wire-cases';
import { absentOf, changed, mediaAt } from '../support/vendor-inputs';
import { IMAGE, prompt, replicateCases, type ReplicateCase } from './inputs';

const contract: VendorContract = {
  definition: replicate,
  startVendor: startFakeReplicate,
  settings: ({ baseUrl }) => ({ REPLICATE_API_KEY: REPLICATE_KEY, REPLICATE_BASE_URL: baseUrl }),
  binding: bindingOf(replicate, 'kwaivgi/kling-v3-video'),
  isSubmit: ({ method, path }) => method === 'POST' && path.endsWith('/predictions'),
};

videoVendorContract('Replicate', contract);

describe('Replicate', () => {
  let subject: VendorSubject;
  beforeAll(async () => {
    subject = await makeVendorSubject(contract);
  });
  afterAll(() => subject.close());

  const check = (running: RunningVideo) => subject.video.check(running, makeCall(subject.log));
  const cancel = (running: RunningVideo) => subject.video.cancel?.(running, makeCall(subject.log));
  const bindings = catalogBindings(replicate);
  const bindingFor = (id: string): VideoBinding => {
    const found = bindings.find(({ model }) => model.id === id);
    if (!found) throw new Error(`Replicate does not serve ${id}.`);
    return found.binding;
  };

  async function sentFor({ model, upstreamModel }: ReplicateCase, order: Partial<VideoOrder>): Promise<unknown> {
    const { error, bodies, submits } = await submit(subject, contract, { ...order, binding: bindingFor(model) });
    expect(error).toBeUndefined();
    expect(submits.map(({ path }) => path)).toEqual([`/v1/models/${upstreamModel}/predictions`]);
    expect(bodies).toEqual([submits[0]?.json]);
    return submits[0]?.json;
  }

  describe.each(replicateCases.map((one) => [one.model, one] as const))('%s', (model, one) => {
    const base = { ...one.order, prompt };

    it('receives every field of an order', async () => {
      expect(await sentFor(one, base)).toStrictEqual({ input: one.input });
    });

    it.each(one.changes.map(([change, expected]) => [JSON.stringify(change), change, expected] as const))(
      'receives the change %s',
      async (_text, change, expected) => {
        expect(await sentFor(one, { ...base, ...change })).toStrictEqual({ input: changed(one.input, expected) });
      },
    );

    it('has an expected input for each value of the binding', () => {
      const found = bindings.find((candidate) => candidate.model.id === model);
      expect(found && uncoveredValues(found.model, found.binding, one)).toEqual([]);
    });

    it('is accepted with any valid request', async () => {
      const unread = await makeVendorSubject(contract, { media: mediaAt({ image: IMAGE, video: IMAGE }) });
      const found = bindings.find((candidate) => candidate.model.id === model);
      if (!found) throw new Error(`There is no binding of ${model}.`);
      const pinned = withBindings(found.model, [found.binding]);
      for (const body of fc.sample(validBody(pinned), { numRuns: 20, seed: 1 })) {
        const { order } = parseVideoRequest(body, false, pinned, [found.binding]);
        const made = orderFor(order, pinned, found.binding);
        const change = { ...absentOf(made), ...made, binding: found.binding };
        const { error, submits } = await submit(unread, contract, change);
        expect([error, submits.length]).toEqual([undefined, 1]);
      }
      await unread.close();
    });
  });

  it('has cases for all bindings of the catalog and all models of the fake', () => {
    expect(replicateCases.map(({ model }) => model)).toEqual(bindings.map(({ model }) => model.id));
    expect(replicateCases.map(({ upstreamModel }) => upstreamModel)).toEqual(
      bindings.map(({ binding }) => binding.modelName),
    );
    expect(new Set(bindings.map(({ binding }) => binding.modelName))).toEqual(new Set(Object.keys(replicateModels)));
    expect(bindings.every(({ binding }) => replicate.knows?.(binding))).toBe(true);
    expect(replicate.knows?.({ ...contract.binding, modelName: 'minimax/video-01' })).toBe(false);
  });

  it.each([
    ['wan-video/wan-2.7-i2v', 't2v'],
    ['kwaivgi/kling-v3-video', 'video-edit'],
    ['minimax/video-01', 't2v'],
  ] as const)('does not order with %s a video of the kind %s', async (modelName, kind) => {
    const binding = { ...contract.binding, modelName };
    const { error, bodies, submits } = await submit(subject, contract, { kind, binding });
    expect(error).toMatchObject({
      code: 'provider_model_not_found',
      extra: { upstream: { retry: 'elsewhere', started: 'no' } },
    });
    expect([bodies, submits]).toEqual([[], []]);
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

  it('names the address that Replicate calls at the end, and does not store it', async () => {
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

  it('waits as long as a refused submit asks in its body', async () => {
    const { error } = await submit(subject, contract, { prompt: 'A boat that waits', scenario: 'ratelimit:1' });
    expect(error).toMatchObject({ code: 'rate_limit_exceeded', extra: { upstream: { retryAfterMs: 3_000 } } });
  });

  it('a success without an id may have begun, and an error with one has begun', async () => {
    const { error } = await submit(subject, contract, { scenario: 'success-without-id' });
    expect(error).toMatchObject({ extra: { upstream: { started: 'maybe' } } });
    const { started } = await submit(subject, contract, { scenario: 'error-with-id' });
    expect((await pollToEnd(subject, started?.receipt ?? null)).end?.status).toBe('completed');
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

  it('logs an unknown status without text of the vendor', async () => {
    const running = makeRunning((await begin(subject, contract, { scenario: 'weird' })).receipt);
    subject.log.lines.length = 0;
    for (let poll = 0; poll < 3; poll += 1) await check(running);
    expect(subject.log.lines).toEqual([
      {
        level: 'warn',
        message: 'the upstream reported an unknown status of a video',
        fields: { provider: 'replicate', videoId: running.videoId },
      },
    ]);
  });
});
