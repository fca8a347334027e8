import { beforeEach, describe, expect, it } from 'vitest';
import type { OrderMedia } from '../../../lib/domain/video';
import { pixverse } from '../../../lib/providers/pixverse/index';
import { PICTURE, pngBytes } from '../../support/media-bytes';
import { failure, FIRST_IMAGE_ID, PIXVERSE_KEY, startFakePixverse } from '../../support/upstreams/fake-pixverse';
import type { VendorReply } from '../../support/upstreams/fake-video-vendor';
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
import { urlsAlone } from '../support/vendor-orders';
import { cases } from './requests';

const binding = bindingOf(pixverse, 'v6');

const contract: VendorContract = {
  definition: pixverse,
  startVendor: startFakePixverse,
  settings: ({ baseUrl }) => ({ PIXVERSE_API_KEY: PIXVERSE_KEY, PIXVERSE_BASE_URL: baseUrl }),
  binding,
  isSubmit: ({ method, path }) => method === 'POST' && path.endsWith('/generate'),
  uploads: { kind: 'i2v', media: [firstFrame] },
};

videoVendorContract('PixVerse', contract);
jobVendorContract('PixVerse', contract, {
  notOffered: [
    ['v6', { kind: 'video-edit' }],
    ['v6', { kind: 'r2v' }],
  ],
  logged: { status: 10 },
});
requestCasesContract('PixVerse', contract, cases, {
  media: {
    ...urlsAlone,
    as: async () => ({ form: 'bytes', bytes: pngBytes(), contentType: 'image/png', release() {} }),
  },
  headers: { 'api-key': PIXVERSE_KEY },
  // The images of an order are the last ones that were uploaded.
  added(_sent, { vendor }, { kind, media }) {
    const uploads = vendor.requests.filter(({ path }) => path === '/openapi/v2/image/upload').length;
    const lastImage = FIRST_IMAGE_ID + uploads - 1;
    if (kind === 't2v') return {};
    if (kind === 'r2v') {
      const ids = media.map((_image, index) => lastImage - media.length + 1 + index);
      return {
        image_references: ids.map((id, index) => ({ type: 'subject', img_id: id, ref_name: `img${index + 1}` })),
      };
    }
    return kind === 'i2v' ? { img_id: lastImage } : { first_frame_img: lastImage - 1, last_frame_img: lastImage };
  },
});

const subject = useVendorSubject({ ...contract, startVendor: startFakePixverse });

describe('the request for a video', () => {
  it('has a space after each name of a reference that the prompt cites', async () => {
    const { submits } = await submit(subject, contract, {
      binding: bindingOf(pixverse, 'c1'),
      kind: 'r2v',
      prompt: '@img1, seen by @img2 in the rain of @img1',
      media: [
        { role: 'reference_image', url: PICTURE },
        { role: 'reference_image', url: PICTURE },
      ],
    });
    expect(submits.map(({ json }) => json)).toMatchObject([{ prompt: '@img1 , seen by @img2 in the rain of @img1' }]);
  });

  it('has the key and a new trace id in its headers, as every request has', async () => {
    const before = subject.vendor.requests.length;
    const { started } = await submit(subject, contract, { kind: 'start-end', media: [firstFrame, lastFrame] });
    await pollToEnd(subject, started?.receipt ?? null);
    const sent = subject.vendor.requests.slice(before);
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
    const nextImage = FIRST_IMAGE_ID + subject.vendor.images.size;
    const before = subject.vendor.requests.length;
    const { submits } = await submit(subject, contract, { kind: 'start-end', media: frames });
    expect(subject.vendor.requests.slice(before).map(({ path }) => path)).toEqual([
      '/openapi/v2/image/upload',
      '/openapi/v2/image/upload',
      '/openapi/v2/video/transition/generate',
    ]);
    const [first, last] = [subject.vendor.images.get(nextImage), subject.vendor.images.get(nextImage + 1)];
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
    [
      'answered with an id that is none',
      { status: 200, body: { ErrCode: 0, Resp: { img_id: -1 } } },
      'upstream_invalid_response',
      'elsewhere',
    ],
    ['cut off', { status: 200, drop: true }, 'upstream_invalid_response', 'elsewhere'],
  ];
  it.each(uploads)('end the start with nothing begun if one is %s', async (_name, reply, code, retry) => {
    subject.vendor.uploadReplies.push(reply);
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
    expect(long.providerJobId).toBe(String(9_007_199_254_740_993n + BigInt(subject.vendor.jobs.length)));
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
    const url = `${subject.vendor.cdnUrl}/results/good/${subject.vendor.jobs.length}.mp4`;
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
    const job = subject.vendor.jobs.at(-1);
    if (job) job.cancelled = true;
    const progress = await subject.video.check(makeRunning(receipt), makeCall(subject.log));
    expect(progress).toMatchObject({ status: 'failed', code: 'cancelled' });
  });

  it('that fails says what PixVerse charged for it', async () => {
    const { end } = await pollToEnd(subject, (await begin(subject, contract, { scenario: 'fail' })).receipt);
    expect(end).toMatchObject({ status: 'failed', bill: { units: '0 credits', nanoUsd: 0n } });
  });

  it('cannot be cancelled, and keeps the standard pace', () => {
    expect([subject.video.cancel, subject.video.pace, subject.video.limits]).toEqual([undefined, undefined, undefined]);
  });
});

describe('the definition', () => {
  it('orders only the versions whose fields it knows', () => {
    expect(pixverse.knows?.(binding)).toBe(true);
    expect(pixverse.knows?.({ ...binding, modelName: 'v3' })).toBe(false);
  });

  it('knows every binding of PixVerse in the catalog', () => {
    expect(catalogBindings(pixverse).filter(({ binding: one }) => !pixverse.knows?.(one))).toEqual([]);
  });
});
