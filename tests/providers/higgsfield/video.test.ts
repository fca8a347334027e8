import { describe, expect, it } from 'vitest';
import { fieldsOf } from '../../../lib/domain/json';
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
import { refusalCodesContract, videoVendorContract } from '../contract/video-vendor';
import { bindingOf } from '../support/catalog-bindings';
import {
  begin,
  firstFrame,
  makeVendorSubject,
  pollToEnd,
  submit,
  useVendorSubject,
  type VendorContract,
} from '../support/vendor-subject';
import { requestCasesContract, type OrderCase } from '../contract/request-cases';
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
  uploads: { media: [firstFrame] },
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

const second: VendorContract = {
  ...contract,
  settings: (vendor) => ({ ...contract.settings(vendor), HIGGSFIELD_API_VERSION: '2' }),
  wrongSettings: (vendor) => ({
    ...contract.settings(vendor),
    HIGGSFIELD_API_VERSION: '2',
    HIGGSFIELD_API_SECRET: 'wrong',
  }),
  isCancel: ({ path }) => path.endsWith('/cancel'),
};
const secondCases = cases.map((one): OrderCase => ({
  ...one,
  body: fieldsOf(one.body.params),
  changes: one.changes.map(([ordered, body]) => [ordered, fieldsOf(body.params)]),
}));

videoVendorContract("the second generation of Higgsfield's API", second);
jobVendorContract("the second generation of Higgsfield's API", second, { notOffered: [['dop-standard', {}]] });
requestCasesContract("the second generation of Higgsfield's API", second, secondCases, {
  headers: { authorization: `Key ${HIGGSFIELD_KEY}:${HIGGSFIELD_SECRET}` },
});

describe("the second generation of Higgsfield's API", () => {
  const subject = useVendorSubject({ ...second, startVendor: startFakeHiggsfield });

  it('names the URL that it calls in the query, and does not store it', async () => {
    const callbackUrl = 'https://gateway.example/internal/videos/video_1/callback?signature=a-b_c';
    const { bodies, submits } = await submit(subject, second, {}, { callbackUrl });
    expect(submits[0]?.query.get('hf_webhook')).toBe(callbackUrl);
    expect(JSON.stringify(bodies)).not.toContain('callback');
    expect(subject.video.receiveCallback).toBeUndefined();
  });

  it('cancels a video while it is queued', async () => {
    const { receipt, providerJobId } = await begin(subject, second);
    expect(receipt).toEqual({ requestId: providerJobId });
    expect(await subject.cancel(makeRunning(receipt))).toBe('requested');
    expect(await subject.check(makeRunning(receipt))).toMatchObject({ status: 'failed', code: 'cancelled' });
  });

  it('does not cancel what has begun, or what it does not know', async () => {
    const { receipt } = await begin(subject, second);
    for (let polls = 0; polls < 2; polls += 1) await subject.check(makeRunning(receipt));
    expect(await subject.cancel(makeRunning(receipt))).toBe('too_late');
    expect(await subject.cancel(makeRunning({ requestId: 'unknown' }))).toBe('too_late');
  });

  it('still reads the videos of the first one, which cannot be cancelled', async () => {
    const { vendor } = subject;
    const first = await makeVendorSubject({
      ...contract,
      startVendor: async () => ({ ...vendor, close: async () => {} }),
    });
    const { receipt } = await begin(first, contract);
    expect(await subject.cancel(makeRunning(receipt))).toBe('unsupported');
    expect((await pollToEnd(subject, receipt)).end?.status).toBe('completed');
    await first.close();
  });

  it('is chosen by a number', async () => {
    await expect(() =>
      makeVendorSubject({ ...contract, settings: () => ({ HIGGSFIELD_API_VERSION: 'v2' }) }),
    ).rejects.toThrow('HIGGSFIELD_API_VERSION must be 1 or 2.');
  });
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

  it('names as much of a refused field as can be read', async () => {
    const detail = [{ loc: ['body', { toString: 1 }, 0], msg: 'Too small.' }];
    subject.vendor.alterAnswers(() => ({ status: 422, body: { detail } }));
    const { error } = await submit(subject, contract).finally(() => subject.vendor.alterAnswers());
    expect(error).toMatchObject({ code: 'upstream_rejected', message: 'body.0: Too small.' });
  });

  describe('an image without a public URL', () => {
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
    const named = (publicUrl: string): VendorReply => ({
      status: 200,
      body: { upload_url: 'https://storage.example.com/', public_url: publicUrl },
    });
    const slots: readonly (readonly [name: string, reply: VendorReply, code: string, retry: string])[] = [
      ['is refused', failure(422), 'upstream_rejected', 'never'],
      ['is refused for the key', failure(401), 'upstream_auth_failed', 'elsewhere'],
      ['fails', failure(500), 'upstream_invalid_response', 'elsewhere'],
      ['is a page', { status: 200, body: '<html/>' }, 'upstream_invalid_response', 'elsewhere'],
      ['is cut off', { status: 200, drop: true }, 'upstream_invalid_response', 'elsewhere'],
      ['is at a private address', slot, 'upstream_invalid_response', 'later'],
      ['leads to no URL', named('javascript:alert(1)'), 'upstream_invalid_response', 'elsewhere'],
      ['leads to too long a URL', named(`https://a/${'x'.repeat(9_000)}`), 'upstream_invalid_response', 'elsewhere'],
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
