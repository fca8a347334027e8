import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../lib/domain/clock';
import type { LostStart } from '../../../lib/domain/video';
import { kling } from '../../../lib/providers/kling/index';
import { createTestClock } from '../../support/clock';
import { PICTURE } from '../../support/media-bytes';
import {
  KLING_ACCESS_KEY,
  KLING_API_KEY,
  KLING_SECRET_KEY,
  markedUrl,
  startFakeKling,
} from '../../support/upstreams/fake-kling';
import { gatheredChecksContract } from '../contract/gathered-checks';
import { makeCall, makeRunning } from '../contract/video';
import { refusalCodesContract, videoVendorContract, type RefusalCode } from '../contract/video-vendor';
import { bindingOf, bindingsFor, catalogBindings } from '../support/catalog-bindings';
import {
  begin,
  firstFrame,
  lastFrame,
  makeStart,
  makeVendorSubject,
  pollToEnd,
  submit,
  useVendorSubject,
  type VendorContract,
} from '../support/vendor-subject';
import { requestCasesContract } from '../contract/request-cases';
import { jobVendorContract } from '../contract/video-jobs';
import { PROMPT as prompt } from '../support/vendor-orders';
import { legacyCases, newCases, onlyLegacyCases } from './requests';

const withKey: VendorContract = {
  definition: kling,
  startVendor: startFakeKling,
  settings: ({ baseUrl }) => ({ KLING_API_KEY, KLING_BASE_URL: baseUrl }),
  binding: bindingOf(kling, 'kling-3.0'),
  isSubmit: ({ method }) => method === 'POST',
};
const withPair: VendorContract = {
  ...withKey,
  settings: ({ baseUrl }) => ({ KLING_ACCESS_KEY, KLING_SECRET_KEY, KLING_BASE_URL: baseUrl }),
};

videoVendorContract('Kling', withKey);
// Its time stands still, so the imitation does not compare it with that of the tokens.
videoVendorContract('Kling with a key pair', {
  ...withPair,
  startVendor: () => startFakeKling({ checksTime: false }),
});

type Fields = Readonly<Record<string, unknown>>;
const fieldsOf = (value: unknown): Fields => (typeof value === 'object' ? { ...value } : {});

for (const [generation, contract] of [
  ['the new generation', withKey],
  ['the legacy generation', withPair],
] as const)
  jobVendorContract(`Kling in ${generation}`, contract, {
    notOffered: [
      ['kling-3.0', { kind: 'video-edit' }],
      ['kling-3.0-turbo', { kind: 'r2v' }],
      ['kling-5.0', { kind: 't2v' }],
    ],
  });
const withKeyBindings = bindingsFor(kling, { KLING_API_KEY });
const isOnlyLegacy = ({ binding }: (typeof withKeyBindings)[number]) =>
  /^kling-(video-o1|2\.1|2\.[01]-master|1\.[056])$/.test(binding.modelName);

requestCasesContract('the new generation of Kling', withKey, newCases, {
  bindings: withKeyBindings.filter((one) => !isOnlyLegacy(one)),
  headers: { authorization: `Bearer ${KLING_API_KEY}` },
  added: ({ videoId }) => ({ options: { external_task_id: videoId } }),
});
requestCasesContract('the legacy generation of Kling with an API key', withKey, onlyLegacyCases, {
  bindings: withKeyBindings.filter(isOnlyLegacy),
  headers: { authorization: `Bearer ${KLING_API_KEY}` },
  added: ({ videoId }) => ({ external_task_id: videoId }),
});
requestCasesContract('the legacy generation of Kling', withPair, legacyCases, {
  bindings: bindingsFor(kling, { KLING_ACCESS_KEY, KLING_SECRET_KEY }),
  headers: { authorization: expect.stringMatching(/^Bearer ey/) },
  added: ({ videoId }) => ({ external_task_id: videoId }),
});

describe.each([
  ['the new generation', withKey],
  ['the legacy generation', withPair],
] as const)('Kling in %s', (_generation, contract) => {
  const subject = useVendorSubject({ ...contract, startVendor: startFakeKling });

  const isNew = contract === withKey;
  const { check } = subject;
  it('sends images inside the request as base64 alone, and stores a marker in their place', async () => {
    const order = { kind: 'start-end', media: [lastFrame, firstFrame] } as const;
    const { bodies, submits } = await submit(subject, contract, order);
    const data = PICTURE.split(',')[1] ?? '';
    const marker = `(image/png, ${Buffer.from(data, 'base64').length} bytes)`;
    expect(JSON.stringify(submits[0]?.json).split(JSON.stringify(data))).toHaveLength(3);
    expect(JSON.stringify(bodies[0])).toBe(JSON.stringify(submits[0]?.json).replaceAll(data, marker));
  });

  it.each([
    ['a reference', 'r2v', 'reference_video'],
    ['a source', 'video-edit', 'source_video'],
  ] as const)('takes no video inside the request as %s', async (_name, kind, role) => {
    const media = [{ role, url: `data:video/mp4;base64,${Buffer.alloc(40).toString('base64')}` }];
    const binding = bindingOf(kling, 'kling-3.0-omni');
    const { error, bodies, submits } = await submit(subject, contract, { kind, media, binding });
    expect(error).toMatchObject({ code: 'media_invalid', extra: { upstream: { retry: 'never', started: 'no' } } });
    expect([bodies, submits]).toEqual([[], []]);
  });

  it('names the URL that Kling calls, and does not store it', async () => {
    const callbackUrl = 'https://gateway.example/internal/videos/video_1/callback?signature=a-b_c';
    const { bodies, submits } = await submit(subject, contract, {}, { callbackUrl });
    const body = fieldsOf(submits[0]?.json);
    expect((isNew ? fieldsOf(body.options) : body).callback_url).toBe(callbackUrl);
    expect(JSON.stringify(bodies)).not.toContain('callback');
  });

  const refusals: readonly RefusalCode[] = [
    [1000, 'upstream_auth_failed', 'elsewhere'],
    [1001, 'upstream_auth_failed', 'elsewhere'],
    [1002, 'upstream_auth_failed', 'elsewhere'],
    [1003, 'upstream_auth_failed', 'elsewhere'],
    [1004, 'upstream_auth_failed', 'elsewhere'],
    [1100, 'upstream_auth_failed', 'elsewhere'],
    [1101, 'upstream_auth_failed', 'elsewhere'],
    [1102, 'upstream_auth_failed', 'elsewhere'],
    [1103, 'provider_model_not_found', 'elsewhere'],
    [1200, 'upstream_rejected', 'never'],
    [1201, 'upstream_rejected', 'never'],
    [1202, 'provider_model_not_found', 'elsewhere'],
    [1203, 'provider_model_not_found', 'elsewhere'],
    [1300, 'content_policy_violation', 'never'],
    [1301, 'content_policy_violation', 'never'],
    [1302, 'rate_limit_exceeded', 'elsewhere'],
    [1303, 'rate_limit_exceeded', 'elsewhere'],
    [1304, 'upstream_auth_failed', 'elsewhere'],
    [5001, 'upstream_invalid_response', 'elsewhere'],
  ];
  refusalCodesContract({ subject: () => subject, contract }, refusals, [5000, 5002, 5999]);

  it('keeps every digit of an id that is a number', async () => {
    const { receipt, providerJobId } = await begin(subject, contract, { scenario: 'numeric-id' });
    expect(providerJobId).toBe(String(830_000_000_000_000_000n + BigInt(subject.vendor.jobs.length)));
    expect((await pollToEnd(subject, receipt)).end?.status).toBe('completed');
  });

  if (isNew)
    describe('checks', () => {
      gatheredChecksContract(subject, contract, ({ query }) => (query.get('task_ids') ?? '').split(',').length);
    });

  it('polls a task of Kling O1 at the path of its submit, whatever the credentials', async () => {
    const before = subject.vendor.requests.length;
    const { started } = await submit(subject, contract, { binding: bindingOf(kling, 'kling-video-o1') });
    const { end } = await pollToEnd(subject, started?.receipt ?? null);
    expect(end?.status).toBe('completed');
    const [, ...polls] = subject.vendor.requests.slice(before).map(({ method, path }) => `${method} ${path}`);
    expect(new Set(polls)).toEqual(new Set([`GET /v1/videos/omni-video/${started?.providerJobId}`]));
  });

  it('polls a single task as such', async () => {
    const before = subject.vendor.requests.length;
    const { started, submits } = await submit(subject, contract);
    await pollToEnd(subject, started?.receipt ?? null);
    const id = started?.providerJobId ?? '';
    const poll = isNew ? `GET /tasks?task_ids=${id}` : `GET ${submits[0]?.path}/${id}?`;
    expect(
      subject.vendor.requests
        .slice(before + 1)
        .map(({ method, path, query }) => `${method} ${path}?${query.toString()}`),
    ).toEqual([poll, poll, poll]);
  });

  it('ends with a file for 30 days, which is not shown to callers, and the charged units', async () => {
    const { receipt } = await begin(subject, contract);
    const running = makeRunning(receipt, { startedAt: new Date('2026-11-23T10:00:00Z') });
    // A task that Kling does not know after the first minute counts as lost; this one is known.
    let progress = await check(running);
    while (progress.status !== 'completed') progress = await check(running);
    expect(progress).toEqual({
      status: 'completed',
      video: {
        file: { url: `${subject.vendor.cdnUrl}/results/good/${subject.vendor.jobs.length}.mp4` },
        durationSeconds: 5,
        expiresAt: new Date('2026-12-23T10:00:00Z'),
      },
      ...(isNew && { bill: { units: '0.6 units' } }),
    });
  });

  it('delivers the file with the watermark if it was ordered, and else the one without', async () => {
    for (const watermark of [true, false]) {
      const { receipt } = await begin(subject, contract, { parameters: { watermark } });
      const url = `${subject.vendor.cdnUrl}/results/good/${subject.vendor.jobs.length}.mp4`;
      const { end } = await pollToEnd(subject, receipt);
      expect(end).toMatchObject({ video: { file: { url: watermark ? markedUrl(url) : url } } });
    }
  });

  describe('recover', () => {
    const lost = (change: Parameters<typeof makeStart>[1], ageSeconds = 0): LostStart => {
      const { submitting: _unused, ...start } = makeStart(contract, change);
      const sent = isNew ? { prompt } : { prompt, model_name: 'kling-v3' };
      return { ...start, submittedAt: new Date(Date.now() - ageSeconds * 1_000), sent };
    };
    const recover = (start: LostStart) => subject.video.recover?.(start, makeCall(subject.log));

    it.each(['drop', 'submit-500', 'submit-html', 'submit-empty'])(
      'finds the video of a submit that ended with %s, and follows it to its end',
      async (scenario) => {
        const start = lost({ scenario });
        await expect(
          subject.video.start({ ...start, submitting: async () => {} }, makeCall(subject.log)),
        ).rejects.toMatchObject({ extra: { upstream: { started: 'maybe' } } });
        const jobs = subject.vendor.jobs.length;
        const found = await recover(start);
        if (typeof found !== 'object') throw new Error(`The task was not found: ${found}`);
        expect(found.providerJobId).toBe(String(830_000_000_000_000_000n + BigInt(jobs)));
        expect((await pollToEnd(subject, found.receipt)).end?.status).toBe('completed');
        expect(subject.vendor.jobs).toHaveLength(jobs);
      },
    );

    it('leaves an unknown id open for a minute, and after it only if Kling does not promise to find every task', async () => {
      expect(await recover(lost({}, 30))).toBeUndefined();
      expect(await recover(lost({}, 90))).toBe(isNew ? 'not_started' : undefined);
    });

    it('looks for a task in the generation that was asked, whatever the credentials are now', async () => {
      const start = lost({});
      const { receipt } = await subject.video.start({ ...start, submitting: async () => {} }, makeCall(subject.log));
      const changed = await makeVendorSubject({
        ...(isNew ? withPair : withKey),
        startVendor: async () => ({ ...subject.vendor, close: async () => {} }),
      });
      const old = { ...start, submittedAt: new Date(0) };
      // The new generation takes no tokens, so that the task stays open. A key is good for both.
      const expected = isNew ? undefined : { receipt, providerJobId: expect.any(String) as string };
      expect(await changed.video.recover?.(old, makeCall(changed.log))).toEqual(expected);
      await changed.close();
    });

    it('leaves everything open if Kling does not answer', async () => {
      const clock = createTestClock();
      const silent = await makeVendorSubject({ ...contract, startVendor: () => startFakeKling() }, { clock });
      silent.vendor.stall();
      const asked = silent.video.recover?.(lost({}, 90), makeCall(silent.log));
      await expect.poll(() => silent.vendor.requests.length).toBe(1);
      await clock.advance(15_000);
      expect(await asked).toBeUndefined();
      await silent.close();
    });

    it('a refused key leaves it open too', async () => {
      const refused = await makeVendorSubject({
        ...contract,
        settings: ({ baseUrl }) => ({ KLING_API_KEY: 'of another account', KLING_BASE_URL: baseUrl }),
      });
      expect(await refused.video.recover?.(lost({}, 90), makeCall(refused.log))).toBeUndefined();
      await refused.close();
    });

    it('a submit that Kling refuses as a duplicate has begun, and is found', async () => {
      const start = lost({});
      const again = { ...start, submitting: async () => {} };
      const first = await subject.video.start(again, makeCall(subject.log));
      const jobs = subject.vendor.jobs.length;
      await expect(subject.video.start(again, makeCall(subject.log))).rejects.toMatchObject({
        extra: { upstream: { retry: 'later', started: 'maybe' } },
      });
      expect(subject.vendor.jobs).toHaveLength(jobs);
      expect(await recover(start)).toEqual(first);
    });
  });
});

describe('the credentials of Kling', () => {
  it('are a token that is signed once and replaced before it ends', async () => {
    const clock = createTestClock(new Date());
    const subject = await makeVendorSubject(withPair, { clock });
    const { receipt } = await begin(subject, withPair, { scenario: 'hang' });
    const poll = () => subject.video.check(makeRunning(receipt), makeCall(subject.log));
    await poll();
    await clock.advance(27 * 60_000);
    await poll();
    await clock.advance(2 * 60_000);
    // The imitation finds the new token not valid yet, because its clock has not moved; so it was a new one.
    await expect(poll()).rejects.toMatchObject({ code: 'upstream_auth_failed' });
    const tokens = subject.vendor.requests.map(({ headers }) => headers.authorization);
    expect(new Set(tokens.slice(0, 3)).size).toBe(1);
    expect(tokens[3]).not.toBe(tokens[0]);
    await subject.close();
  });

  it('are a new token after a refused one', async () => {
    const fake = await startFakeKling();
    let nowMs = Date.now() - 2_000;
    // A second later the claims differ, and so does the token.
    const clock = { ...systemClock, nowMs: () => (nowMs += 1_000), now: () => new Date(nowMs) };
    const subject = await makeVendorSubject({ ...withPair, startVendor: async () => fake }, { clock });
    const { receipt } = await begin(subject, withPair, { scenario: 'hang' });
    fake.revokeTokens();
    const poll = () => subject.video.check(makeRunning(receipt), makeCall(subject.log));
    await expect(poll()).rejects.toMatchObject({
      code: 'upstream_auth_failed',
      extra: { upstream: { retry: 'later' } },
    });
    expect(await poll()).toMatchObject({ status: 'queued' });
    await subject.close();
  });

  it('poll a task of the other generation after an API key has replaced the pair', async () => {
    const fake = await startFakeKling();
    const startVendor = async () => fake;
    const old = await makeVendorSubject({ ...withPair, startVendor });
    const { receipt } = await begin(old, withPair);
    const current = await makeVendorSubject({ ...withKey, startVendor });
    expect((await pollToEnd(current, receipt)).end?.status).toBe('completed');
    await old.close();
    await current.close();
  });

  it('are the API key if the pair is set too', async () => {
    const subject = await makeVendorSubject({
      ...withKey,
      settings: (vendor) => ({ ...withPair.settings(vendor), ...withKey.settings(vendor) }),
    });
    const { submits } = await submit(subject, withKey);
    expect(submits.map(({ path, headers }) => [path, headers.authorization])).toEqual([
      ['/text-to-video/kling-3.0', `Bearer ${KLING_API_KEY}`],
    ]);
    await subject.close();
  });

  it('narrow what a pair of keys can order', () => {
    const models = bindingsFor(kling, { KLING_ACCESS_KEY, KLING_SECRET_KEY });
    expect(
      models.map(({ model, binding }) => [
        model.id,
        binding.resolutions,
        binding.promptCharacters,
        binding.parameters.includes('multi_clip'),
        binding.sourceSeconds,
      ]),
    ).toEqual([
      ['kling-3.0-t2v', ['720p', '1080p'], 2_500, true, undefined],
      ['kling-3.0-i2v', ['720p', '1080p'], 2_500, true, undefined],
      ['kling-3.0-start-end', ['720p', '1080p'], 2_500, false, undefined],
      ...['r2v', 't2v', 'i2v', 'start-end'].map((kind) => [
        `kling-3.0-omni-${kind}`,
        ['720p', '1080p'],
        2_500,
        false,
        undefined,
      ]),
      ['kling-3.0-omni-video-edit', ['720p', '1080p'], 2_500, false, { min: 3, max: 10 }],
      ...['t2v', 'i2v', 'start-end', 'r2v'].map((kind) => [
        `kling-o1-${kind}`,
        ['720p', '1080p'],
        2_500,
        false,
        undefined,
      ]),
      ['kling-o1-video-edit', ['720p', '1080p'], 2_500, false, { min: 3, max: 10 }],
      // It has neither Kling 4.0 nor 3.0 Turbo.
      ...['kling-2.6', 'kling-2.5-turbo'].flatMap((name) => [
        [`${name}-t2v`, ['720p', '1080p'], 2_500, false, undefined],
        [`${name}-i2v`, ['720p', '1080p'], 2_500, false, undefined],
        [`${name}-start-end`, ['1080p'], 2_500, false, undefined],
      ]),
      ...['kling-2.1-master-t2v', 'kling-2.1-master-i2v'].map((id) => [id, ['1080p'], 2_500, false, undefined]),
      ...['kling-2.1-pro-i2v', 'kling-2.1-pro-start-end'].map((id) => [id, ['1080p'], 2_500, false, undefined]),
      ['kling-2.1-i2v', ['720p'], 2_500, false, undefined],
      ...['kling-2.0-master-t2v', 'kling-2.0-master-i2v'].map((id) => [id, ['720p'], 2_500, false, undefined]),
      ...['kling-1.6-pro-i2v', 'kling-1.6-pro-start-end'].map((id) => [id, ['1080p'], 2_500, false, undefined]),
      ...['kling-1.6-t2v', 'kling-1.6-i2v'].map((id) => [id, ['720p'], 2_500, false, undefined]),
      ...['kling-1.5-pro-i2v', 'kling-1.5-pro-start-end'].map((id) => [id, ['1080p'], 2_500, false, undefined]),
      ...['kling-1.0-t2v', 'kling-1.0-i2v'].map((id) => [id, ['720p'], 2_500, false, undefined]),
    ]);
    expect(models[0]?.model.video.resolutions).toEqual(['720p', '1080p']);
    // An API key takes all as they are, but for the models and the parameters that only the legacy generation has.
    const whole = catalogBindings(kling).filter((one) => !isOnlyLegacy(one));
    expect(withKeyBindings.filter((one) => !isOnlyLegacy(one)).map(({ binding }) => binding)).toEqual(
      whole.map(({ binding }) => ({
        ...binding,
        parameters: binding.parameters.filter((name) => name !== 'negative_prompt' && name !== 'reference_voice'),
      })),
    );
    const withNegativePrompt = models.filter(({ binding }) => binding.parameters.includes('negative_prompt'));
    expect(withNegativePrompt.map(({ binding }) => [binding.modelName, binding.negativePromptCharacters])).toEqual(
      Object.entries({
        'kling-3.0': 3,
        'kling-2.6': 3,
        'kling-2.5-turbo': 3,
        'kling-2.1-master': 2,
        'kling-2.1': 3,
        'kling-2.0-master': 2,
        'kling-1.6': 4,
        'kling-1.5': 2,
        'kling-1.0': 2,
      }).flatMap(([name, tasks]) => Array.from({ length: tasks }, () => [name, 2_500])),
    );
    expect(
      models.filter(({ binding }) => binding.parameters.includes('reference_voice')).map(({ model }) => model.id),
    ).toEqual(['kling-3.0-i2v', 'kling-3.0-start-end', 'kling-2.6-i2v', 'kling-2.6-start-end']);
  });
});
