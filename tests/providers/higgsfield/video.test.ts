import { describe, expect, it } from 'vitest';
import { higgsfield } from '../../../lib/providers/higgsfield/index';
import { PICTURE } from '../../support/media-bytes';
import {
  failure,
  HIGGSFIELD_KEY,
  HIGGSFIELD_SECRET,
  startFakeHiggsfield,
} from '../../support/upstreams/fake-higgsfield';
import type { VendorReply } from '../../support/upstreams/fake-video-vendor';
import { makeRunning } from '../contract/video';
import {
  begin,
  bindingOf,
  firstFrame,
  pollToEnd,
  refusalCodesContract,
  submit,
  useVendorSubject,
  videoVendorContract,
  type VendorContract,
} from '../contract/video-vendor';
import { requestCasesContract } from '../contract/request-cases';
import { jobVendorContract } from '../contract/video-jobs';
import { first } from '../support/vendor-orders';
import { cases } from './requests';

const contract: VendorContract = {
  definition: higgsfield,
  startVendor: startFakeHiggsfield,
  settings: ({ baseUrl }) => ({
    HIGGSFIELD_API_KEY: HIGGSFIELD_KEY,
    HIGGSFIELD_API_SECRET: HIGGSFIELD_SECRET,
    HIGGSFIELD_BASE_URL: baseUrl,
  }),
  binding: bindingOf(higgsfield, 'dop-turbo'),
  order: { kind: 'i2v', media: [first] },
  isSubmit: ({ method, path }) => method === 'POST' && path.startsWith('/v1/image2video/'),
  moderatesLater: true,
  unavailableMayHaveBegun: true,
};

videoVendorContract('Higgsfield', contract);
jobVendorContract('Higgsfield', contract, {
  notOffered: [
    ['dop-turbo', { kind: 't2v', media: [] }],
    ['dop-standard', {}],
    ['toString', {}],
  ],
});
requestCasesContract('Higgsfield', contract, cases, {
  headers: { 'hf-api-key': HIGGSFIELD_KEY, 'hf-secret': HIGGSFIELD_SECRET },
});

describe('Higgsfield', () => {
  const subject = useVendorSubject({ ...contract, startVendor: startFakeHiggsfield });

  const { check } = subject;

  it('gets the pair of keys with every request', async () => {
    const before = subject.vendor.requests.length;
    await pollToEnd(subject, (await begin(subject, contract)).receipt);
    const sent = subject.vendor.requests.slice(before);
    expect(sent.length).toBeGreaterThan(3);
    for (const { headers } of sent)
      expect([headers['hf-api-key'], headers['hf-secret'], headers.authorization]).toEqual([
        HIGGSFIELD_KEY,
        HIGGSFIELD_SECRET,
        undefined,
      ]);
  });

  describe('an image without a public address', () => {
    const order = { media: [firstFrame] };

    it('is uploaded before the point of no return, without the keys', async () => {
      const before = subject.vendor.requests.length;
      const { bodies, submits } = await submit(subject, contract, order);
      const [slot, stored, ...others] = subject.vendor.requests.slice(before);
      expect(others).toEqual(submits);
      expect([slot?.path, slot?.json]).toEqual(['/files/generate-upload-url', { content_type: 'image/png' }]);
      expect([stored?.method, stored?.path]).toEqual(['PUT', expect.stringMatching(/^\/storage\//)]);
      const [url = ''] = [...subject.vendor.uploads.keys()].slice(-1);
      expect(subject.vendor.uploads.get(url)?.bytes.toString('base64')).toBe(PICTURE.split(',')[1]);
      expect(submits[0]?.json).toMatchObject({ params: { input_images: [{ type: 'image_url', image_url: url }] } });
      expect(bodies).toEqual([submits[0]?.json]);
    });

    const slot: VendorReply = {
      status: 200,
      body: { upload_url: 'http://10.0.0.1/', public_url: 'https://example.com/' },
    };
    const slots: readonly (readonly [name: string, reply: VendorReply, code: string, retry: string])[] = [
      ['is refused', failure(422), 'upstream_rejected', 'never'],
      ['is refused for the key', failure(401), 'upstream_auth_failed', 'elsewhere'],
      ['fails', failure(500), 'upstream_invalid_response', 'elsewhere'],
      ['is a page', { status: 200, body: '<html/>' }, 'upstream_invalid_response', 'elsewhere'],
      ['is cut off', { status: 200, drop: true }, 'upstream_invalid_response', 'elsewhere'],
      ['is at a private address', slot, 'upstream_invalid_response', 'later'],
    ];
    it.each(slots)('ends the start with nothing begun if its slot %s', async (_name, reply, code, retry) => {
      subject.vendor.uploadReplies.push(reply);
      const { error, bodies, submits } = await submit(subject, contract, order);
      expect(error).toMatchObject({ code, extra: { upstream: { retry, started: 'no' } } });
      expect([bodies, submits]).toEqual([[], []]);
    });

    it('ends the start with nothing begun if the storage refuses it', async () => {
      subject.vendor.storageReplies.push({ status: 403 });
      const { error, bodies, submits } = await submit(subject, contract, order);
      expect(error).toMatchObject({ extra: { upstream: { retry: 'elsewhere', started: 'no' } } });
      expect([bodies, submits]).toEqual([[], []]);
    });
  });

  describe('a refused submit', () => {
    refusalCodesContract(
      { subject: () => subject, contract },
      [
        [400, 'upstream_rejected', 'never'],
        [401, 'upstream_auth_failed', 'elsewhere'],
        [403, 'upstream_auth_failed', 'elsewhere'],
        [404, 'provider_model_not_found', 'elsewhere'],
        [422, 'upstream_rejected', 'never'],
        [429, 'rate_limit_exceeded', 'elsewhere'],
      ],
      [409, 500, 502, 503, 504],
    );

    it('names the field that Higgsfield refuses', async () => {
      const { error } = await submit(subject, contract, { seed: 1_000_001 });
      expect(error).toMatchObject({
        code: 'upstream_rejected',
        message: expect.stringContaining('body.params.seed: '),
      });
    });
  });

  it('ends a video with the link to the whole file and its facts', async () => {
    const startedAt = new Date();
    const { receipt, providerJobId } = await begin(subject, contract);
    expect(receipt).toEqual({ jobSetId: providerJobId });
    const running = makeRunning(receipt, { startedAt });
    expect([await check(running), await check(running)]).toEqual([{ status: 'queued' }, { status: 'in_progress' }]);
    const url = `${subject.vendor.cdnUrl}/results/good/${subject.vendor.jobs.length}.mp4`;
    expect(await check(running)).toEqual({
      status: 'completed',
      video: {
        file: { url },
        publicUrl: url,
        expiresAt: new Date(startedAt.getTime() + 7 * 24 * 60 * 60 * 1_000),
        width: 160,
        height: 90,
        fps: 12,
        durationSeconds: 2,
      },
    });
  });

  it('a job that was cancelled at Higgsfield is a cancelled video', async () => {
    const { receipt } = await begin(subject, contract, { scenario: 'canceled' });
    expect(await check(makeRunning(receipt))).toMatchObject({ status: 'failed', code: 'cancelled' });
  });

  it('cannot be cancelled, and has no limits and no pace of its own', () => {
    const { cancel, limits, pace, repeatable } = subject.video;
    expect([cancel, limits, pace, repeatable]).toEqual([undefined, undefined, undefined, undefined]);
  });
});
