import { describe, expect, it } from 'vitest';
import type { OrderMedia } from '../../../lib/domain/video';
import { wavespeed } from '../../../lib/providers/wavespeed/index';
import { PICTURE } from '../../support/media-bytes';
import type { VendorReply } from '../../support/upstreams/fake-video-vendor';
import { failure, startFakeWavespeed, WAVESPEED_KEY, wavespeedModels } from '../../support/upstreams/fake-wavespeed';
import { makeCall, makeRunning } from '../contract/video';
import { refusalCodesContract, videoVendorContract, type RefusalCode } from '../contract/video-vendor';
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

const binding = bindingOf(wavespeed, 'vidu/start-end-to-video-q2-turbo');

const contract: VendorContract = {
  definition: wavespeed,
  startVendor: startFakeWavespeed,
  settings: ({ baseUrl }) => ({ WAVESPEED_API_KEY: WAVESPEED_KEY, WAVESPEED_BASE_URL: baseUrl }),
  binding,
  order: { kind: 'start-end', media: [firstFrame, lastFrame] },
  isSubmit: ({ method, path }) => method === 'POST' && /^\/api\/v3\/(?!media|predictions)/.test(path),
  uploads: {},
};

videoVendorContract('WaveSpeed', contract);
jobVendorContract('WaveSpeed', contract, {
  notOffered: [
    ['vidu/start-end-to-video-q2-turbo', { kind: 't2v' }],
    ['google/veo3.1/text-to-video', { kind: 'i2v' }],
    ['vidu/start-end-to-video-2.0', { kind: 'start-end' }],
  ],
});
requestCasesContract('WaveSpeed', contract, cases, { headers: { authorization: `Bearer ${WAVESPEED_KEY}` } });

const subject = useVendorSubject({ ...contract, startVendor: startFakeWavespeed });

describe('the request for a video', () => {
  it('has the key in its header, as every request has', async () => {
    const before = subject.vendor.requests.length;
    await pollToEnd(subject, (await begin(subject, contract)).receipt);
    const sent = subject.vendor.requests.slice(before);
    expect(sent.map(({ method }) => method)).toEqual(['POST', 'POST', 'POST', 'GET', 'GET', 'GET']);
    expect(new Set(sent.map(({ headers }) => headers.authorization))).toEqual(new Set([`Bearer ${WAVESPEED_KEY}`]));
  });
});

describe('the images of an order', () => {
  const jpeg = `data:image/jpeg;base64,${Buffer.from('\xff\xd8\xff\xe0\0\x10JFIF\0'.padEnd(40, '.'), 'latin1').toString('base64')}`;
  const frames: readonly OrderMedia[] = [
    { role: 'last_frame', url: jpeg },
    { role: 'first_frame', url: PICTURE },
  ];

  it('are uploaded without the key, before the point of no return, if they have no public URL', async () => {
    const before = subject.vendor.downloads.length;
    const { submits } = await submit(subject, contract, { media: frames });
    const puts = subject.vendor.downloads.slice(before).filter(({ method }) => method === 'PUT');
    const uploaded = (end: string) => puts.find(({ path }) => path.endsWith(end));
    expect(puts).toHaveLength(2);
    expect(uploaded('image.png')?.raw.toString('base64')).toBe(PICTURE.split(',')[1]);
    expect(uploaded('image.jpeg')?.raw.toString('base64')).toBe(jpeg.split(',')[1]);
    for (const { headers, query } of puts) {
      expect([headers.authorization, query.get('signature')]).toEqual([undefined, 'abc']);
      expect(headers['content-type']).toMatch(/^image\/(png|jpeg)$/);
    }
    expect(submits[0]?.json).toMatchObject({
      image: subject.vendor.cdnUrl + (uploaded('image.png')?.path ?? ''),
      last_image: subject.vendor.cdnUrl + (uploaded('image.jpeg')?.path ?? ''),
    });
  });

  const slot = (upload: object, url = 'https://media.example.com/1.png'): VendorReply => ({
    status: 200,
    body: { code: 200, message: 'success', data: { download_url: url, upload } },
  });
  const uploads: readonly (readonly [name: string, reply: VendorReply, code: string, retry: string])[] = [
    ['refused as invalid', failure(1401), 'upstream_rejected', 'never'],
    ['refused for its content', failure(1200), 'content_policy_violation', 'never'],
    ['refused for the key', failure(401), 'upstream_auth_failed', 'elsewhere'],
    ['refused for the balance', failure(402), 'upstream_auth_failed', 'elsewhere'],
    ['answered with an internal error', failure(5000), 'upstream_invalid_response', 'elsewhere'],
    ['answered with a page', { status: 502, body: '<html></html>' }, 'upstream_invalid_response', 'elsewhere'],
    ['answered without a URL', slot({}), 'upstream_invalid_response', 'elsewhere'],
    [
      'answered with no URL to name',
      slot({ url: 'https://a.example/1' }, 'x'),
      'upstream_invalid_response',
      'elsewhere',
    ],
    ['cut off', { status: 200, drop: true }, 'upstream_invalid_response', 'elsewhere'],
  ];
  it.each(uploads)('end the start with nothing begun if one is %s', async (_name, reply, code, retry) => {
    subject.vendor.uploadReplies.push(reply);
    const { error, bodies, submits } = await submit(subject, contract, { media: frames });
    expect(error).toMatchObject({ code, extra: { upstream: { retry, started: 'no' } } });
    expect([bodies, submits]).toEqual([[], []]);
  });

  it('are uploaded to no private address', async () => {
    subject.vendor.uploadReplies.push(slot({ url: 'http://10.0.0.1/1.png', method: 'PUT', headers: {} }));
    const { error, submits } = await submit(subject, contract, { media: frames });
    expect(error).toMatchObject({ extra: { upstream: { started: 'no' } } });
    expect(submits).toEqual([]);
  });
});

describe('a refused request', () => {
  const refusals: readonly RefusalCode[] = [
    [400, 'upstream_rejected', 'never'],
    [401, 'upstream_auth_failed', 'elsewhere'],
    [402, 'upstream_auth_failed', 'elsewhere'],
    [403, 'upstream_auth_failed', 'elsewhere'],
    [404, 'provider_model_not_found', 'elsewhere'],
    [429, 'rate_limit_exceeded', 'elsewhere'],
    [1200, 'content_policy_violation', 'never'],
    [1400, 'upstream_rejected', 'never'],
    [1401, 'upstream_rejected', 'never'],
    [1402, 'upstream_rejected', 'never'],
    [5003, 'upstream_invalid_response', 'elsewhere'],
  ];
  refusalCodesContract({ subject: () => subject, contract }, refusals, [500, 502, 5000, 5004, 5999]);

  it('for our balance says nothing of it to the caller', async () => {
    const { error } = await submit(subject, contract, { scenario: 'balance' });
    expect(error instanceof Error && error.message).not.toMatch(/credit|top up|balance/i);
  });
});

describe('a running video', () => {
  it('ends with its link for three days and the facts of its file', async () => {
    const { receipt, providerJobId } = await begin(subject, contract);
    expect(receipt).toEqual({ predictionId: providerJobId });
    const running = makeRunning(receipt, { startedAt: new Date('2026-11-23T10:00:00Z') });
    const check = () => subject.video.check(running, makeCall(subject.log));
    const words: string[] = [];
    let progress = await check();
    for (; progress.status !== 'completed'; progress = await check()) words.push(progress.status);
    const url = `${subject.vendor.cdnUrl}/results/good/${subject.vendor.jobs.length}.mp4`;
    expect(words).toEqual(['queued', 'in_progress']);
    expect(progress).toEqual({
      status: 'completed',
      video: {
        file: { url },
        publicUrl: url,
        width: 160,
        height: 90,
        fps: expect.any(Number) as number,
        durationSeconds: expect.closeTo(2, 1) as number,
        expiresAt: new Date('2026-11-26T10:00:00Z'),
      },
    });
  });

  it.each([
    ['failed:1200', 'content_policy_violation'],
    ['failed:1400', 'upstream_rejected'],
    ['failed:1401', 'upstream_rejected'],
    ['failed:1402', 'media_unreachable'],
    ['failed:1405', 'generation_failed'],
    ['failed:5000', 'generation_failed'],
    ['failed:5004', 'upstream_timeout'],
    ['timeout', 'upstream_timeout'],
    ['deleted', 'cancelled'],
  ])('that ends with %s has failed: %s', async (scenario, code) => {
    const { end } = await pollToEnd(subject, (await begin(subject, contract, { scenario })).receipt);
    expect(end).toMatchObject({ status: 'failed', code });
  });

  it('that was stopped in the console of WaveSpeed is cancelled', async () => {
    const { receipt } = await begin(subject, contract, { scenario: 'hang' });
    const job = subject.vendor.jobs.at(-1);
    if (job) job.cancelled = true;
    const progress = await subject.video.check(makeRunning(receipt), makeCall(subject.log));
    expect(progress).toMatchObject({ status: 'failed', code: 'cancelled' });
  });

  it('cannot be cancelled, and keeps the standard pace', () => {
    expect([subject.video.cancel, subject.video.pace, subject.video.limits]).toEqual([undefined, undefined, undefined]);
  });
});

describe('the definition', () => {
  it('knows the models of the fake, which are those of the catalog, and no other', () => {
    const names = catalogBindings(wavespeed).map(({ binding: one }) => one.modelName);
    expect(new Set(names)).toEqual(new Set(Object.keys(wavespeedModels)));
    for (const modelName of names) expect(wavespeed.knows?.({ ...binding, modelName })).toBe(true);
    for (const modelName of ['vidu/start-end-to-video-2.0', 'constructor'])
      expect(wavespeed.knows?.({ ...binding, modelName })).toBe(false);
  });
});
