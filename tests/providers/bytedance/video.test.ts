import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ErrorCode, UpstreamOutcome } from '../../../lib/domain/errors';
import type { OrderMedia } from '../../../lib/domain/video';
import { withBindings } from '../../../lib/catalog/binding-facts';
import { bytedance } from '../../../lib/providers/bytedance/index';
import { orderFor, parseVideoRequest } from '../../../lib/videos/video-request';
import { PICTURE } from '../../support/media-bytes';
import { arkErrors, arkPath, BYTEDANCE_KEY, startFakeBytedance } from '../../support/upstreams/fake-bytedance';
import type { FakeVideoVendor } from '../../support/upstreams/fake-video-vendor';
import { validBody } from '../../lib/videos/valid-bodies';
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
import { cases, prompt, type SeedanceCase } from './inputs';

const contract: VendorContract = {
  definition: bytedance,
  startVendor: startFakeBytedance,
  settings: ({ baseUrl }) => ({ BYTEDANCE_API_KEY: BYTEDANCE_KEY, BYTEDANCE_BASE_URL: `${baseUrl}/api/v3` }),
  binding: bindingOf(bytedance, 'dreamina-seedance-2-0-260128'),
  isSubmit: ({ method }) => method === 'POST',
};

videoVendorContract('ByteDance', contract);

let fake: FakeVideoVendor;
let subject: VendorSubject;
beforeAll(async () => {
  fake = await startFakeBytedance();
  subject = await makeVendorSubject({ ...contract, startVendor: async () => fake });
});
afterAll(() => subject.close());

const check = (receipt: Parameters<typeof makeRunning>[0], startedAt = new Date()) =>
  subject.video.check(makeRunning(receipt, { startedAt }), makeCall(subject.log));

describe.each(cases.map((one) => [one.id, one] as const))('the request for %s', (id, one) => {
  const found = catalogBindings(bytedance).find(({ model }) => model.id === id);
  if (!found) throw new Error(`ByteDance does not serve ${id}.`);
  const { model, binding } = found;

  /** The body of a request as the gateway makes it of a body of the API. */
  async function sentFor(request: SeedanceCase['body']): Promise<unknown> {
    const body = { model: id, prompt, ...one.media, ...request };
    const order = orderFor(parseVideoRequest(body, false, model, [binding]).order, model, binding);
    const { error, bodies, submits } = await submit(subject, contract, { ...order, binding });
    expect(error).toBeUndefined();
    expect(submits.map(({ path }) => path)).toEqual([arkPath]);
    expect(bodies).toEqual([submits[0]?.json]);
    return submits[0]?.json;
  }

  it('has every field', async () => {
    expect(await sentFor({})).toStrictEqual(one.body);
  });

  it.each(one.changes.map(([request, change]) => [JSON.stringify(request), request, change] as const))(
    'has the change %s',
    async (_text, request, change) => {
      expect(await sentFor(request)).toStrictEqual({ ...one.body, ...change });
    },
  );

  it('is accepted for any valid request', async () => {
    const pinned = withBindings(model, [binding]);
    for (const body of fc.sample(validBody(pinned), { numRuns: 10, seed: 1 })) {
      const order = orderFor(parseVideoRequest(body, false, pinned, [binding]).order, pinned, binding);
      const { error, submits } = await submit(subject, contract, { ...order, binding });
      expect([error, submits.length, order]).toEqual([undefined, 1, order]);
    }
  });

  it('is tried for every tier, ratio, parameter, and the shortest and the longest duration', () => {
    const bodies: readonly SeedanceCase['body'][] = [one.body, ...one.changes.map(([, change]) => change)];
    const has = (field: string, value: unknown) => bodies.some((body) => body[field] === value);
    const { resolutions, aspectRatios, seconds, parameters } = withBindings(model, [binding]).video;
    expect([
      ...resolutions.filter((tier) => !has('resolution', tier)),
      ...aspectRatios.filter((ratio) => !has('ratio', ratio)),
      ...[Math.min(...seconds), Math.max(...seconds)].filter((length) => !has('duration', length)),
      ...parameters.filter((name) => !one.changes.some(([request]) => name in request)),
    ]).toEqual([]);
  });
});

it('has an expected body for each model that ByteDance serves', () => {
  expect(new Set(cases.map(({ id }) => id))).toEqual(new Set(catalogBindings(bytedance).map(({ model }) => model.id)));
});

describe('a request', () => {
  it('has the key in its header, as every request has', async () => {
    const before = fake.requests.length;
    const { receipt } = await begin(subject, contract);
    await pollToEnd(subject, receipt);
    const sent = fake.requests.slice(before);
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

  it('has the address for callbacks, which is not stored', async () => {
    const callbackUrl = 'https://gateway.example/callback?signature=sEcReT';
    const { bodies, submits } = await submit(subject, contract, {}, { callbackUrl });
    expect(submits[0]?.json).toMatchObject({ callback_url: callbackUrl });
    expect(JSON.stringify(bodies)).not.toContain('callback');
  });

  it.each([
    ['dreamina-seedance-2-0-260128', 'video-edit'],
    ['seedance-1-5-pro-251215', 'r2v'],
    ['seedance-1-0-pro-fast-251015', 'start-end'],
    ['seedance-9-0', 't2v'],
  ] as const)('is not sent if %s does not make a video of the kind %s', async (modelName, kind) => {
    const binding = { ...contract.binding, modelName };
    const { error, bodies, submits } = await submit(subject, contract, { binding, kind });
    expect(error).toMatchObject({
      code: 'provider_model_not_found',
      extra: { upstream: { retry: 'elsewhere', started: 'no' } },
    });
    expect([bodies, submits]).toEqual([[], []]);
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

  it('names the pause that ModelArk asks for', async () => {
    const { error } = await submit(subject, contract, { prompt: 'A boat that waits', scenario: 'ratelimit:1' });
    expect(error).toMatchObject({ code: 'rate_limit_exceeded', extra: { upstream: { retryAfterMs: 3_000 } } });
  });

  it('may have begun if it claims success without an id, and has begun if an error has one', async () => {
    const { error } = await submit(subject, contract, { scenario: 'success-without-id' });
    expect(error).toMatchObject({ extra: { upstream: { started: 'maybe' } } });
    const { started } = await submit(subject, contract, { scenario: 'error-with-id' });
    expect((await pollToEnd(subject, started?.receipt ?? null)).end?.status).toBe('completed');
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
    const url = `${fake.cdnUrl}/results/good/${fake.jobs.length}.mp4`;
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

  it('that was stopped in the console of ModelArk is cancelled', async () => {
    const { receipt } = await begin(subject, contract, { scenario: 'hang' });
    const job = fake.jobs.at(-1);
    if (job) job.cancelled = true;
    expect(await check(receipt)).toMatchObject({ status: 'failed', code: 'cancelled' });
  });

  it('with an unknown status is logged without text of ModelArk', async () => {
    const { receipt } = await begin(subject, contract, { scenario: 'weird' });
    const running = makeRunning(receipt);
    subject.log.lines.length = 0;
    for (let poll = 0; poll < 3; poll += 1) await subject.video.check(running, makeCall(subject.log));
    expect(subject.log.lines).toEqual([
      {
        level: 'warn',
        message: 'the upstream reported an unknown status of a video',
        fields: { provider: 'bytedance', videoId: running.videoId },
      },
    ]);
  });
});

describe('cancel', () => {
  const cancel = (receipt: Parameters<typeof makeRunning>[0]) =>
    subject.video.cancel?.(makeRunning(receipt), makeCall(subject.log));
  const methodsSince = (before: number) => fake.requests.slice(before).map(({ method }) => method);

  it('looks at a task and stops it while it is in the queue', async () => {
    const { receipt } = await begin(subject, contract);
    const before = fake.requests.length;
    expect(await cancel(receipt)).toBe('cancelled');
    expect(methodsSince(before)).toEqual(['GET', 'DELETE']);
    expect(await check(receipt)).toMatchObject({ status: 'failed', code: 'cancelled' });
  });

  it('deletes neither a running nor a finished task', async () => {
    const { receipt } = await begin(subject, contract);
    await check(receipt);
    const before = fake.requests.length;
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
