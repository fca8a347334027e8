import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withBindings } from '../../../lib/catalog/binding-facts';
import type { OrderMedia } from '../../../lib/domain/video';
import { wavespeed } from '../../../lib/providers/wavespeed/index';
import { orderFor, parseVideoRequest } from '../../../lib/videos/video-request';
import { PICTURE } from '../../support/media-bytes';
import type { VendorReply } from '../../support/upstreams/fake-video-vendor';
import {
  failure,
  startFakeWavespeed,
  viduPath,
  WAVESPEED_KEY,
  type FakeWavespeed,
} from '../../support/upstreams/fake-wavespeed';
import { makeCall, makeRunning } from '../contract/video';
import {
  begin,
  catalogBindings,
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

const [vidu] = catalogBindings(wavespeed);
if (!vidu) throw new Error('WaveSpeed serves no model.');
const { model, binding } = vidu;

const contract: VendorContract = {
  definition: wavespeed,
  startVendor: startFakeWavespeed,
  settings: ({ baseUrl }) => ({ WAVESPEED_API_KEY: WAVESPEED_KEY, WAVESPEED_BASE_URL: baseUrl }),
  binding,
  order: { kind: 'start-end', media: [firstFrame, lastFrame] },
  isSubmit: ({ method, path }) => method === 'POST' && path === viduPath,
};

videoVendorContract('WaveSpeed', contract);

let fake: FakeWavespeed;
let subject: VendorSubject;
beforeAll(async () => {
  fake = await startFakeWavespeed();
  subject = await makeVendorSubject({ ...contract, startVendor: async () => fake });
});
afterAll(() => subject.close());

describe('the request for a video', () => {
  // What the path must receive, written by hand from the API reference.
  const prompt = 'A door opens';
  const [image, lastImage] = ['https://media.example.com/first.png', 'https://media.example.com/last.png'];
  const whole = {
    image,
    last_image: lastImage,
    prompt,
    duration: 5,
    resolution: '720p',
    bgm: true,
    movement_amplitude: 'auto',
  };
  const rows: readonly (readonly [request: Readonly<Record<string, unknown>>, expected: typeof whole | object])[] = [
    [{}, whole],
    [{ seconds: 2 }, { ...whole, duration: 2 }],
    [{ seconds: 8 }, { ...whole, duration: 8 }],
    [{ size: '1280x720' }, whole],
    [{ size: '720x1280' }, whole],
    [{ size: '960x960' }, whole],
    [{ bgm: true }, whole],
    [{ bgm: false }, { ...whole, bgm: false }],
    [{ seed: 0 }, { ...whole, seed: 0 }],
    [{ seed: 2_147_483_647 }, { ...whole, seed: 2_147_483_647 }],
    // WaveSpeed has no such fields.
    [{ watermark: true, remove_watermark: false }, whole],
  ];

  it.each(rows)('for %j has exactly these fields', async (request, expected) => {
    const body = { model: model.id, prompt, image_list: [image, lastImage], ...request };
    const order = orderFor(parseVideoRequest(body, false, model, [binding]).order, model, binding);
    const { error, bodies, submits } = await submit(subject, contract, { ...order, binding });
    expect(error).toBeUndefined();
    expect(submits.map(({ path, json }) => ({ path, json }))).toEqual([{ path: viduPath, json: expected }]);
    expect(bodies).toEqual([expected]);
  });

  it('is tried for every parameter, and for the shortest and the longest duration', () => {
    const { seconds, resolutions, parameters } = withBindings(model, [binding]).video;
    const durations = rows.map(([, expected]) => ('duration' in expected ? expected.duration : undefined));
    expect([resolutions, Math.min(...seconds), Math.max(...seconds)]).toEqual([['720p'], 2, 8]);
    expect(durations).toEqual(expect.arrayContaining([2, 8]));
    expect(parameters.filter((name) => !rows.some(([request]) => name in request))).toEqual([]);
  });

  it('has the key in its header, as every request has', async () => {
    const before = fake.requests.length;
    await pollToEnd(subject, (await begin(subject, contract)).receipt);
    const sent = fake.requests.slice(before);
    expect(sent.map(({ method }) => method)).toEqual(['POST', 'POST', 'POST', 'GET', 'GET', 'GET']);
    expect(new Set(sent.map(({ headers }) => headers.authorization))).toEqual(new Set([`Bearer ${WAVESPEED_KEY}`]));
  });

  it.each([
    ['vidu/start-end-to-video-q2-turbo', 't2v'],
    ['vidu/start-end-to-video-2.0', 'start-end'],
  ] as const)('is not sent for %s and a video of the kind %s', async (modelName, kind) => {
    const { error, bodies, submits } = await submit(subject, contract, { binding: { ...binding, modelName }, kind });
    expect(error).toMatchObject({
      code: 'provider_model_not_found',
      extra: { upstream: { retry: 'elsewhere', started: 'no' } },
    });
    expect([bodies, submits]).toEqual([[], []]);
  });
});

describe('the images of an order', () => {
  const jpeg = `data:image/jpeg;base64,${Buffer.from('\xff\xd8\xff\xe0\0\x10JFIF\0'.padEnd(40, '.'), 'latin1').toString('base64')}`;
  const frames: readonly OrderMedia[] = [
    { role: 'last_frame', url: jpeg },
    { role: 'first_frame', url: PICTURE },
  ];

  it('are uploaded without the key, before the point of no return, if they have no public address', async () => {
    const before = fake.downloads.length;
    const { submits } = await submit(subject, contract, { media: frames });
    const puts = fake.downloads.slice(before).filter(({ method }) => method === 'PUT');
    const uploaded = (end: string) => puts.find(({ path }) => path.endsWith(end));
    expect(puts).toHaveLength(2);
    expect(uploaded('image.png')?.raw.toString('base64')).toBe(PICTURE.split(',')[1]);
    expect(uploaded('image.jpeg')?.raw.toString('base64')).toBe(jpeg.split(',')[1]);
    for (const { headers, query } of puts) {
      expect([headers.authorization, query.get('signature')]).toEqual([undefined, 'abc']);
      expect(headers['content-type']).toMatch(/^image\/(png|jpeg)$/);
    }
    expect(submits[0]?.json).toMatchObject({
      image: fake.cdnUrl + (uploaded('image.png')?.path ?? ''),
      last_image: fake.cdnUrl + (uploaded('image.jpeg')?.path ?? ''),
    });
  });

  const slot = (upload: object): VendorReply => ({
    status: 200,
    body: { code: 200, message: 'success', data: { download_url: 'https://media.example.com/1.png', upload } },
  });
  const uploads: readonly (readonly [name: string, reply: VendorReply, code: string, retry: string])[] = [
    ['refused as invalid', failure(1401), 'upstream_rejected', 'never'],
    ['refused for its content', failure(1200), 'content_policy_violation', 'never'],
    ['refused for the key', failure(401), 'upstream_auth_failed', 'elsewhere'],
    ['refused for the balance', failure(402), 'upstream_auth_failed', 'elsewhere'],
    ['answered with an internal error', failure(5000), 'upstream_invalid_response', 'elsewhere'],
    ['answered with a page', { status: 502, body: '<html></html>' }, 'upstream_invalid_response', 'elsewhere'],
    ['answered without an address', slot({}), 'upstream_invalid_response', 'elsewhere'],
    ['cut off', { status: 200, drop: true }, 'upstream_invalid_response', 'elsewhere'],
  ];
  it.each(uploads)('end the start with nothing begun if one is %s', async (_name, reply, code, retry) => {
    fake.uploadReplies.push(reply);
    const { error, bodies, submits } = await submit(subject, contract, { media: frames });
    expect(error).toMatchObject({ code, extra: { upstream: { retry, started: 'no' } } });
    expect([bodies, submits]).toEqual([[], []]);
  });

  it('are uploaded to no private address', async () => {
    fake.uploadReplies.push(slot({ url: 'http://10.0.0.1/1.png', method: 'PUT', headers: {} }));
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

  it('may have begun if it claims success without an id, and has begun if an error has one', async () => {
    const { error } = await submit(subject, contract, { scenario: 'success-without-id' });
    expect(error).toMatchObject({ extra: { upstream: { started: 'maybe' } } });
    const { started } = await submit(subject, contract, { scenario: 'error-with-id' });
    expect((await pollToEnd(subject, started?.receipt ?? null)).end?.status).toBe('completed');
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
    const url = `${fake.cdnUrl}/results/good/${fake.jobs.length}.mp4`;
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
    const job = fake.jobs.at(-1);
    if (job) job.cancelled = true;
    const progress = await subject.video.check(makeRunning(receipt), makeCall(subject.log));
    expect(progress).toMatchObject({ status: 'failed', code: 'cancelled' });
  });

  it('with an unknown status is logged without text of WaveSpeed', async () => {
    const { receipt } = await begin(subject, contract, { scenario: 'weird' });
    const running = makeRunning(receipt);
    subject.log.lines.length = 0;
    for (let poll = 0; poll < 3; poll += 1) await subject.video.check(running, makeCall(subject.log));
    expect(subject.log.lines).toEqual([
      {
        level: 'warn',
        message: 'the upstream reported an unknown status of a video',
        fields: { provider: 'wavespeed', videoId: running.videoId },
      },
    ]);
  });

  it('cannot be cancelled, and keeps the standard pace', () => {
    expect([subject.video.cancel, subject.video.pace, subject.video.limits]).toEqual([undefined, undefined, undefined]);
  });
});

describe('the definition', () => {
  it('knows every binding of WaveSpeed in the catalog, and no other model', () => {
    expect(catalogBindings(wavespeed).filter(({ binding: one }) => !wavespeed.knows?.(one))).toEqual([]);
    expect(wavespeed.knows?.({ ...binding, modelName: 'vidu/start-end-to-video-2.0' })).toBe(false);
  });
});
