import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { VideoModel } from '../../../lib/domain/model';
import type { OrderMedia, VideoBinding } from '../../../lib/domain/video';
import { pixverse } from '../../../lib/providers/pixverse/index';
import { orderFor, parseVideoRequest } from '../../../lib/videos/video-request';
import { PICTURE } from '../../support/media-bytes';
import {
  failure,
  FIRST_IMAGE_ID,
  PIXVERSE_KEY,
  startFakePixverse,
  type FakePixverse,
} from '../../support/upstreams/fake-pixverse';
import type { VendorReply } from '../../support/upstreams/fake-video-vendor';
import { videoModels } from '../../lib/catalog/video-models';
import { makeCall, makeRunning } from '../contract/video';
import {
  begin,
  catalogBindings,
  firstFrame,
  lastFrame,
  makeVendorSubject,
  pollToEnd,
  submit,
  refusalCodesContract,
  videoVendorContract,
  type RefusalCode,
  type VendorContract,
  type VendorSubject,
} from '../contract/video-vendor';

function bindingOf(model: VideoModel): VideoBinding {
  const binding = model.bindings.find(({ providerId }) => providerId === 'pixverse');
  if (!binding) throw new Error(`PixVerse does not serve ${model.id}.`);
  return binding;
}

function modelOf(id: string): VideoModel {
  const model = videoModels.find((candidate) => candidate.id === id);
  if (!model) throw new Error(`There is no model ${id}.`);
  return model;
}

const binding = bindingOf(modelOf('pixverse-v6-t2v'));

const contract: VendorContract = {
  definition: pixverse,
  startVendor: startFakePixverse,
  settings: ({ baseUrl }) => ({ PIXVERSE_API_KEY: PIXVERSE_KEY, PIXVERSE_BASE_URL: baseUrl }),
  binding,
  isSubmit: ({ method, path }) => method === 'POST' && path.endsWith('/generate'),
};

videoVendorContract('PixVerse', contract);

let fake: FakePixverse;
let subject: VendorSubject;
beforeAll(async () => {
  fake = await startFakePixverse();
  subject = await makeVendorSubject({ ...contract, startVendor: async () => fake });
});
afterAll(() => subject.close());

type Fields = Readonly<Record<string, unknown>>;
const prompt = 'A paper boat on a quiet river';

describe('the request for a video', () => {
  const text = {
    model: 'v6',
    prompt,
    duration: 5,
    quality: '720p',
    aspect_ratio: '16:9',
    generate_audio_switch: false,
    generate_multi_clip_switch: false,
    thinking_type: 'auto',
    off_peak_mode: false,
  };
  // The ids of the images are added by the test.
  const image = {
    model: 'v6',
    prompt,
    duration: 5,
    quality: '720p',
    generate_audio_switch: false,
    generate_multi_clip_switch: false,
    thinking_type: 'auto',
    off_peak_mode: false,
  };
  const transition = {
    model: 'v6',
    prompt,
    duration: 5,
    quality: '720p',
    generate_audio_switch: false,
    thinking_type: 'auto',
    off_peak_mode: false,
  };
  const paths: Readonly<Record<string, string>> = {
    t2v: '/openapi/v2/video/text/generate',
    i2v: '/openapi/v2/video/img/generate',
    'start-end': '/openapi/v2/video/transition/generate',
  };
  const rows: readonly (readonly [model: string, request: Fields, expected: Fields])[] = [
    ['pixverse-v6-t2v', {}, text],
    ['pixverse-v6-t2v', { seconds: 1 }, { ...text, duration: 1 }],
    ['pixverse-v6-t2v', { seconds: '15' }, { ...text, duration: 15 }],
    ['pixverse-v6-t2v', { size: '640x360' }, { ...text, quality: '360p' }],
    ['pixverse-v6-t2v', { size: '960x540' }, { ...text, quality: '540p' }],
    ['pixverse-v6-t2v', { size: '1920x1080' }, { ...text, quality: '1080p' }],
    ['pixverse-v6-t2v', { size: '1080x1920' }, { ...text, quality: '1080p', aspect_ratio: '9:16' }],
    ['pixverse-v6-t2v', { size: '720x1280' }, { ...text, aspect_ratio: '9:16' }],
    ['pixverse-v6-t2v', { size: '960x960' }, { ...text, aspect_ratio: '1:1' }],
    ['pixverse-v6-t2v', { size: '1104x832' }, { ...text, aspect_ratio: '4:3' }],
    ['pixverse-v6-t2v', { size: '832x1104' }, { ...text, aspect_ratio: '3:4' }],
    ['pixverse-v6-t2v', { size: '1176x784' }, { ...text, aspect_ratio: '3:2' }],
    ['pixverse-v6-t2v', { size: '784x1176' }, { ...text, aspect_ratio: '2:3' }],
    ['pixverse-v6-t2v', { size: '1470x630' }, { ...text, aspect_ratio: '21:9' }],
    ['pixverse-v6-t2v', { seed: 0 }, { ...text, seed: 0 }],
    ['pixverse-v6-t2v', { seed: 2_147_483_647 }, { ...text, seed: 2_147_483_647 }],
    ['pixverse-v6-t2v', { generate_audio_switch: true }, { ...text, generate_audio_switch: true }],
    ['pixverse-v6-t2v', { generate_audio_switch: false }, text],
    ['pixverse-v6-t2v', { generate_multi_clip_switch: true }, { ...text, generate_multi_clip_switch: true }],
    ['pixverse-v6-t2v', { thinking_type: 'enabled' }, { ...text, thinking_type: 'enabled' }],
    ['pixverse-v6-t2v', { thinking_type: 'disabled' }, { ...text, thinking_type: 'disabled' }],
    ['pixverse-v6-i2v', {}, image],
    ['pixverse-v6-i2v', { seconds: 1 }, { ...image, duration: 1 }],
    ['pixverse-v6-i2v', { seconds: 15 }, { ...image, duration: 15 }],
    ['pixverse-v6-i2v', { size: '360x640' }, { ...image, quality: '360p' }],
    ['pixverse-v6-i2v', { size: '540x960' }, { ...image, quality: '540p' }],
    ['pixverse-v6-i2v', { size: '1440x1440' }, { ...image, quality: '1080p' }],
    ['pixverse-v6-i2v', { seed: 0 }, { ...image, seed: 0 }],
    ['pixverse-v6-i2v', { generate_audio_switch: true }, { ...image, generate_audio_switch: true }],
    ['pixverse-v6-i2v', { generate_multi_clip_switch: true }, { ...image, generate_multi_clip_switch: true }],
    ['pixverse-v6-i2v', { thinking_type: 'disabled' }, { ...image, thinking_type: 'disabled' }],
    ['pixverse-v6-transition', {}, transition],
    ['pixverse-v6-transition', { seconds: 1 }, { ...transition, duration: 1 }],
    ['pixverse-v6-transition', { seconds: 15 }, { ...transition, duration: 15 }],
    ['pixverse-v6-transition', { size: '640x360' }, { ...transition, quality: '360p' }],
    ['pixverse-v6-transition', { size: '960x540' }, { ...transition, quality: '540p' }],
    ['pixverse-v6-transition', { size: '1080x1920' }, { ...transition, quality: '1080p' }],
    ['pixverse-v6-transition', { size: '960x960' }, transition],
    ['pixverse-v6-transition', { seed: 0 }, { ...transition, seed: 0 }],
    ['pixverse-v6-transition', { generate_audio_switch: true }, { ...transition, generate_audio_switch: true }],
    // The vendor's API has no such field for a transition.
    ['pixverse-v6-transition', { generate_multi_clip_switch: true }, transition],
    ['pixverse-v6-transition', { thinking_type: 'enabled' }, { ...transition, thinking_type: 'enabled' }],
  ];

  it.each(rows)('of %s with %j has exactly the fields of the order', async (id, request, expected) => {
    const model = modelOf(id);
    const { kind } = model.video;
    const images = kind === 't2v' ? {} : kind === 'i2v' ? { image_url: PICTURE } : { image_list: [PICTURE, PICTURE] };
    const body = { model: id, prompt, ...images, ...request };
    const served = bindingOf(model);
    const order = orderFor(parseVideoRequest(body, false, model, [served]).order, model, served);
    const nextImage = FIRST_IMAGE_ID + fake.images.size;
    const { started, bodies, submits, error } = await submit(subject, contract, { ...order, binding: served });
    expect([error, started]).toEqual([undefined, expect.anything()]);
    const sent = {
      ...expected,
      ...(kind === 'i2v' && { img_id: nextImage }),
      ...(kind === 'start-end' && { first_frame_img: nextImage, last_frame_img: nextImage + 1 }),
    };
    expect(submits.map(({ path, json }) => ({ path, json }))).toEqual([{ path: paths[kind], json: sent }]);
    expect(bodies).toEqual([sent]);
  });

  it('is tried for every model, tier, ratio and parameter that PixVerse serves', () => {
    const served = videoModels.filter(({ bindings }) => bindings.some(({ providerId }) => providerId === 'pixverse'));
    expect(new Set(rows.map(([id]) => id))).toEqual(new Set(served.map(({ id }) => id)));
    for (const { id, video, bindings } of served) {
      const sent = rows.filter(([model]) => model === id);
      const values = (name: string) => new Set(sent.map(([, , expected]) => expected[name]));
      const { resolutions = video.resolutions, parameters = [] } =
        bindings.find(({ providerId }) => providerId === 'pixverse') ?? {};
      expect([...values('quality')]).toEqual(expect.arrayContaining([...resolutions]));
      if (video.aspectRatios.length > 0) expect(values('aspect_ratio')).toEqual(new Set(video.aspectRatios));
      expect(parameters.filter((name) => !sent.some(([, request]) => name in request))).toEqual([]);
    }
  });

  it('has the negative prompt if the binding takes one', async () => {
    const { submits } = await submit(subject, contract, { parameters: { negative_prompt: 'rain' } });
    expect(submits.map(({ json }) => json)).toMatchObject([{ negative_prompt: 'rain' }]);
  });

  it('is not sent for a kind of video that PixVerse does not make', async () => {
    const { error, bodies, submits } = await submit(subject, contract, { kind: 'video-edit' });
    expect(error).toMatchObject({
      code: 'provider_model_not_found',
      extra: { upstream: { retry: 'elsewhere', started: 'no' } },
    });
    expect([bodies, submits]).toEqual([[], []]);
  });

  it('has the key and a new trace id in its headers, as every request has', async () => {
    const before = fake.requests.length;
    const { started } = await submit(subject, contract, { kind: 'start-end', media: [firstFrame, lastFrame] });
    await pollToEnd(subject, started?.receipt ?? null);
    const sent = fake.requests.slice(before);
    expect(sent.length).toBeGreaterThan(5);
    expect(new Set(sent.map(({ headers }) => headers['api-key']))).toEqual(new Set([PIXVERSE_KEY]));
    expect(new Set(sent.map(({ headers }) => headers['ai-trace-id'])).size).toBe(sent.length);
  });
});

describe('the images of an order', () => {
  const png = PICTURE;
  const jpeg = `data:image/jpeg;base64,${Buffer.from('\xff\xd8\xff\xe0\0\x10JFIF\0'.padEnd(40, '.'), 'latin1').toString('base64')}`;
  const frames: readonly OrderMedia[] = [
    { role: 'last_frame', url: jpeg },
    { role: 'first_frame', url: png },
  ];
  const base64Of = (url: string) => url.split(',')[1];
  const uploaded = async (image: File | undefined) =>
    image && Buffer.from(await image.arrayBuffer()).toString('base64');

  it('are uploaded as files, the first frame first, before the point of no return', async () => {
    const nextImage = FIRST_IMAGE_ID + fake.images.size;
    const before = fake.requests.length;
    const { submits } = await submit(subject, contract, { kind: 'start-end', media: frames });
    expect(fake.requests.slice(before).map(({ path }) => path)).toEqual([
      '/openapi/v2/image/upload',
      '/openapi/v2/image/upload',
      '/openapi/v2/video/transition/generate',
    ]);
    const [first, last] = [fake.images.get(nextImage), fake.images.get(nextImage + 1)];
    expect([first?.type, first?.name, last?.type, last?.name]).toEqual([
      'image/png',
      'image.png',
      'image/jpeg',
      'image.jpeg',
    ]);
    expect(await uploaded(first)).toBe(base64Of(png));
    expect(await uploaded(last)).toBe(base64Of(jpeg));
    expect(submits[0]?.json).toMatchObject({ first_frame_img: nextImage, last_frame_img: nextImage + 1 });
  });

  const html: VendorReply = { status: 502, body: '<html>Bad gateway</html>' };
  const uploads: readonly (readonly [name: string, reply: VendorReply, code: string, retry: string])[] = [
    ['refused for its format', failure(500_032), 'media_invalid', 'never'],
    ['refused for its size', failure(500_030), 'media_invalid', 'never'],
    ['refused as a parameter', failure(400_017), 'media_invalid', 'never'],
    ['answered with a 400 of an unknown code', { ...failure(499_999), status: 400 }, 'media_invalid', 'never'],
    ['too large for the server', { ...failure(499_999), status: 413 }, 'media_invalid', 'never'],
    ['refused for its content', failure(500_054), 'content_policy_violation', 'never'],
    ['refused for the key', failure(10_005), 'upstream_auth_failed', 'elsewhere'],
    ['refused for now', failure(500_069), 'upstream_invalid_response', 'elsewhere'],
    ['answered with an internal error', { ...failure(500_100), status: 500 }, 'upstream_invalid_response', 'elsewhere'],
    ['answered with an unknown code', failure(99_999), 'upstream_invalid_response', 'elsewhere'],
    ['answered with a page', html, 'upstream_invalid_response', 'elsewhere'],
    ['answered with nothing', { status: 200 }, 'upstream_invalid_response', 'elsewhere'],
    [
      'answered without an id',
      { status: 200, body: { ErrCode: 0, Resp: {} } },
      'upstream_invalid_response',
      'elsewhere',
    ],
    ['cut off', { status: 200, drop: true }, 'upstream_invalid_response', 'elsewhere'],
  ];
  it.each(uploads)('end the start with nothing begun if one is %s', async (_name, reply, code, retry) => {
    fake.uploadReplies.push(reply);
    const { error, bodies, submits } = await submit(subject, contract, { kind: 'start-end', media: frames });
    expect(error).toMatchObject({ code, extra: { upstream: { retry, started: 'no' } } });
    expect([bodies, submits]).toEqual([[], []]);
  });
});

describe('a refused request', () => {
  const refusals: readonly RefusalCode[] = [
    [10_001, 'upstream_auth_failed', 'elsewhere'],
    [10_003, 'upstream_auth_failed', 'elsewhere'],
    [10_005, 'upstream_auth_failed', 'elsewhere'],
    [400_011, 'upstream_rejected', 'never'],
    [400_012, 'upstream_auth_failed', 'elsewhere'],
    [400_013, 'upstream_rejected', 'never'],
    [400_017, 'upstream_rejected', 'never'],
    [400_018, 'upstream_rejected', 'never'],
    [400_019, 'upstream_rejected', 'never'],
    [400_032, 'upstream_rejected', 'never'],
    [500_008, 'upstream_rejected', 'never'],
    [500_020, 'upstream_auth_failed', 'elsewhere'],
    [500_030, 'upstream_rejected', 'never'],
    [500_031, 'upstream_rejected', 'never'],
    [500_032, 'upstream_rejected', 'never'],
    [500_033, 'upstream_rejected', 'never'],
    [500_042, 'upstream_rejected', 'never'],
    [500_044, 'rate_limit_exceeded', 'elsewhere'],
    [500_054, 'content_policy_violation', 'never'],
    [500_063, 'content_policy_violation', 'never'],
    [500_069, 'upstream_invalid_response', 'elsewhere'],
    [500_090, 'upstream_auth_failed', 'elsewhere'],
  ];
  refusalCodesContract({ subject: () => subject, contract }, refusals, [1, 99_999, 400_999, 500_100]);

  it('that claims success without an id may have begun', async () => {
    const { error } = await submit(subject, contract, { scenario: 'success-without-id' });
    expect(error).toMatchObject({ extra: { upstream: { started: 'maybe' } } });
  });

  it('that has an id beside its error has begun', async () => {
    const { started } = await submit(subject, contract, { scenario: 'error-with-id' });
    const { end } = await pollToEnd(subject, started?.receipt ?? null);
    expect(end?.status).toBe('completed');
  });
});

describe('a running video', () => {
  let startedAt: Date;
  beforeEach(() => {
    startedAt = new Date();
  });

  it('is known by its id as text, with every digit', async () => {
    const short = await begin(subject, contract);
    expect(short).toEqual({ receipt: { videoId: short.providerJobId }, providerJobId: short.providerJobId });
    expect(short.providerJobId).toMatch(/^301\d{12}$/);
    const long = await begin(subject, contract, { scenario: 'long-id' });
    expect(long.providerJobId).toBe(String(9_007_199_254_740_993n + BigInt(fake.jobs.length)));
    expect((await pollToEnd(subject, long.receipt)).end?.status).toBe('completed');
  });

  it('ends with its link, its real size and the charged credits', async () => {
    const { receipt } = await begin(subject, contract, { aspectRatio: '9:16', audio: true });
    const running = makeRunning(receipt, { startedAt });
    const statuses: string[] = [];
    let progress = await subject.video.check(running, makeCall(subject.log));
    for (; progress.status === 'in_progress' || progress.status === 'queued';) {
      statuses.push(progress.status);
      progress = await subject.video.check(running, makeCall(subject.log));
    }
    const url = `${fake.cdnUrl}/results/good/${fake.jobs.length}.mp4`;
    expect(statuses).toEqual(['in_progress', 'in_progress']);
    expect(progress).toEqual({
      status: 'completed',
      video: {
        file: { url },
        publicUrl: url,
        width: 720,
        height: 1280,
        expiresAt: new Date(startedAt.getTime() + 7 * 24 * 60 * 60 * 1_000),
      },
      bill: { units: '60 credits', nanoUsd: 600_000_000n },
    });
  });

  it('that was deleted at PixVerse is cancelled', async () => {
    const { receipt } = await begin(subject, contract, { scenario: 'hang' });
    const job = fake.jobs.at(-1);
    if (job) job.cancelled = true;
    const progress = await subject.video.check(makeRunning(receipt), makeCall(subject.log));
    expect(progress).toMatchObject({ status: 'failed', code: 'cancelled' });
  });

  it('that fails says what PixVerse charged for it', async () => {
    const { end } = await pollToEnd(subject, (await begin(subject, contract, { scenario: 'fail' })).receipt);
    expect(end).toMatchObject({ status: 'failed', bill: { units: '0 credits', nanoUsd: 0n } });
  });

  it('with an unknown status is logged with its number and without text of the vendor', async () => {
    const { receipt } = await begin(subject, contract, { scenario: 'weird' });
    const running = makeRunning(receipt);
    subject.log.lines.length = 0;
    const statuses: string[] = [];
    for (let poll = 0; poll < 3; poll += 1)
      statuses.push((await subject.video.check(running, makeCall(subject.log))).status);
    expect(statuses).toEqual(['in_progress', 'in_progress', 'in_progress']);
    expect(subject.log.lines).toEqual([
      {
        level: 'warn',
        message: 'the upstream reported an unknown status of a video',
        fields: { provider: 'pixverse', videoId: running.videoId, status: 10 },
      },
    ]);
  });

  it('cannot be cancelled, and keeps the standard pace', () => {
    expect([subject.video.cancel, subject.video.pace, subject.video.limits]).toEqual([undefined, undefined, undefined]);
  });
});

describe('the definition', () => {
  it('orders only V6, whose fields it knows', () => {
    expect(pixverse.knows?.(binding)).toBe(true);
    expect(pixverse.knows?.({ ...binding, modelName: 'v5.5' })).toBe(false);
  });

  it('knows every binding of PixVerse in the catalog', () => {
    expect(catalogBindings(pixverse).filter(({ binding: one }) => !pixverse.knows?.(one))).toEqual([]);
  });
});
