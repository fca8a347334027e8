import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withBindings } from '../../../lib/catalog/binding-facts';
import type { RunningVideo, VideoBinding, VideoOrder } from '../../../lib/domain/video';
import { alibaba } from '../../../lib/providers/alibaba/index';
import { orderFor, parseVideoRequest } from '../../../lib/videos/video-request';
import { validBody } from '../../lib/videos/valid-bodies';
import { PICTURE } from '../../support/media-bytes';
import {
  ALIBABA_KEY,
  alibabaModels,
  errorCodes,
  startFakeAlibaba,
  SUBMIT_PATH,
} from '../../support/upstreams/fake-alibaba';
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
import { alibabaCases, CLIP, IMAGE, imageReference, prompt, videoReference } from './inputs';

const contract: VendorContract = {
  definition: alibaba,
  startVendor: startFakeAlibaba,
  settings: ({ baseUrl }) => ({ ALIBABA_API_KEY: ALIBABA_KEY, ALIBABA_BASE_URL: baseUrl }),
  binding: bindingOf(alibaba, 'wan2.7-t2v'),
  isSubmit: ({ method, path }) => method === 'POST' && path === SUBMIT_PATH,
};

videoVendorContract('Alibaba', contract);

describe('Alibaba', () => {
  let subject: VendorSubject;
  beforeAll(async () => {
    subject = await makeVendorSubject(contract);
  });
  afterAll(() => subject.close());

  const check = (running: RunningVideo) => subject.video.check(running, makeCall(subject.log));
  const cancel = (running: RunningVideo) => subject.video.cancel?.(running, makeCall(subject.log));
  const bindings = catalogBindings(alibaba);
  const bindingFor = (id: string): VideoBinding => {
    const found = bindings.find(({ model }) => model.id === id);
    if (!found) throw new Error(`Alibaba does not serve ${id}.`);
    return found.binding;
  };

  async function sentFor(model: string, order: Partial<VideoOrder>): Promise<unknown> {
    const { error, bodies, submits } = await submit(subject, contract, { ...order, binding: bindingFor(model) });
    expect(error).toBeUndefined();
    expect(bodies).toEqual([submits[0]?.json]);
    expect(submits).toHaveLength(1);
    return submits[0]?.json;
  }

  describe.each(alibabaCases.map((one) => [one.model, one] as const))('%s', (model, one) => {
    const base = { ...one.order, prompt };

    it('receives every field of an order', async () => {
      expect(await sentFor(model, base)).toStrictEqual(one.body);
    });

    it.each(one.changes.map(([change, expected]) => [JSON.stringify(change), change, expected] as const))(
      'receives the change %s',
      async (_text, change, expected) => {
        expect(await sentFor(model, { ...base, ...change })).toStrictEqual(changed(one.body, expected));
      },
    );

    it('has an expected body for each value of the binding', () => {
      const found = bindings.find((candidate) => candidate.model.id === model);
      expect(found && uncoveredValues(found.model, found.binding, one)).toEqual([]);
    });

    it('is accepted with any valid request', async () => {
      const unread = await makeVendorSubject(contract, { media: mediaAt({ image: IMAGE, video: CLIP }) });
      const found = bindings.find((candidate) => candidate.model.id === model);
      if (!found) throw new Error(`There is no binding of ${model}.`);
      const { binding } = found;
      const pinned = withBindings(found.model, [binding]);
      for (const body of fc.sample(validBody(pinned), { numRuns: 20, seed: 1 })) {
        const { order } = parseVideoRequest(body, false, pinned, [binding]);
        const made = orderFor(order, pinned, binding);
        const { error, submits } = await submit(unread, contract, { ...absentOf(made), ...made, binding });
        // Neither the number of references in total nor the form of the voice is a fact of the catalog.
        const { reference_voice: voice = IMAGE } = made.parameters;
        const references = made.media.filter(({ role }) => role.startsWith('reference_')).length;
        const isRefused = (references > 5 && binding.modelName.startsWith('wan')) || !String(voice).includes('://');
        if (isRefused) expect(error).toMatchObject({ code: 'media_invalid' });
        else expect([error, submits.length]).toEqual([undefined, 1]);
      }
      await unread.close();
    });
  });

  it('has cases for all bindings of the catalog and all models of the fake', () => {
    expect(alibabaCases.map(({ model }) => model).toSorted()).toEqual(bindings.map(({ model }) => model.id).toSorted());
    expect(bindings.every(({ binding }) => alibaba.knows?.(binding))).toBe(true);
    expect(new Set(bindings.map(({ binding }) => binding.modelName))).toEqual(new Set(Object.keys(alibabaModels)));
    expect(alibaba.knows?.({ ...contract.binding, modelName: 'wan2.5-t2v-preview' })).toBe(false);
  });

  it.each([
    ['wan2.7-t2v', 'i2v'],
    ['wan2.7-i2v', 't2v'],
    ['happyhorse-1.0-video-edit', 'r2v'],
    ['wan9.9-t2v', 't2v'],
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

  it.each([
    ['a video inside the request', [{ ...videoReference, url: `data:video/mp4;base64,${'AAAA'.repeat(20)}` }], {}],
    [
      'more than five references',
      [...Array.from({ length: 3 }, () => videoReference), ...Array.from({ length: 3 }, () => imageReference)],
      {},
    ],
    ['a voice that is no address', [imageReference], { reference_voice: 'Alice' }],
  ])('refuses %s before anything has begun', async (_name, media, parameters) => {
    const binding = bindingFor('wan-2.7-r2v');
    const { error, bodies, submits } = await submit(subject, contract, { kind: 'r2v', media, parameters, binding });
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

  it('waits as long as a refused submit asks', async () => {
    const { error } = await submit(subject, contract, { prompt: 'A boat that waits', scenario: 'ratelimit:1' });
    expect(error).toMatchObject({ code: 'rate_limit_exceeded', extra: { upstream: { retryAfterMs: 3_000 } } });
  });

  it('a success without an id may have begun, and an error with one has begun', async () => {
    const { error } = await submit(subject, contract, { scenario: 'success-without-id' });
    expect(error).toMatchObject({ extra: { upstream: { started: 'maybe' } } });
    const { started } = await submit(subject, contract, { scenario: 'error-with-id' });
    expect((await pollToEnd(subject, started?.receipt ?? null)).end?.status).toBe('completed');
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

  it('logs an unknown status without text of the vendor', async () => {
    const running = makeRunning((await begin(subject, contract, { scenario: 'weird' })).receipt);
    subject.log.lines.length = 0;
    for (let poll = 0; poll < 3; poll += 1) await check(running);
    expect(subject.log.lines).toEqual([
      {
        level: 'warn',
        message: 'the upstream reported an unknown status of a video',
        fields: { provider: 'alibaba', videoId: running.videoId },
      },
    ]);
  });

  it('leaves ten seconds between two checks', () => {
    expect(subject.video.pace).toEqual({ firstMs: 10_000, minMs: 10_000 });
  });

  it('serves text models and videos with the same key', () => {
    expect(alibaba.capabilities).toEqual(['messages', 'video']);
    expect(alibaba.settings.map(({ name }) => name)).toEqual(['ALIBABA_API_KEY', 'ALIBABA_BASE_URL']);
  });
});
