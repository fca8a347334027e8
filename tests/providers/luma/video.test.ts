import { describe, expect, it } from 'vitest';
import { luma } from '../../../lib/providers/luma/index';
import { PICTURE } from '../../support/media-bytes';
import { LUMA_KEY, startFakeLuma } from '../../support/upstreams/fake-luma';
import { makeCall, makeRunning } from '../contract/video';
import { videoVendorContract } from '../contract/video-vendor';
import { bindingOf } from '../support/catalog-bindings';
import { begin, firstFrame, pollToEnd, submit, useVendorSubject, type VendorContract } from '../support/vendor-subject';
import { requestCasesContract } from '../contract/request-cases';
import { jobVendorContract } from '../contract/video-jobs';
import { cases } from './requests';

// Luma's client on npm knows only the older Dream Machine API, so no client checks the imitation.

const contract: VendorContract = {
  definition: luma,
  startVendor: startFakeLuma,
  settings: ({ baseUrl }) => ({ LUMA_API_KEY: LUMA_KEY, LUMA_BASE_URL: `${baseUrl}/v1` }),
  binding: bindingOf(luma, 'ray-3.2'),
  isSubmit: ({ method }) => method === 'POST',
  refusals: [
    { scenario: 'forbidden', code: 'upstream_auth_failed', retry: 'elsewhere' },
    { scenario: 'no-credits', code: 'upstream_auth_failed', retry: 'elsewhere' },
    { scenario: 'not-offered', code: 'provider_model_not_found', retry: 'elsewhere' },
    { scenario: 'too-large', code: 'request_too_large', retry: 'never' },
    { scenario: 'fields', code: 'upstream_rejected', retry: 'never' },
  ],
};

videoVendorContract('Luma', contract);
jobVendorContract('Luma', contract, {
  notOffered: [['ray-3.2', { kind: 'r2v' }]],
  mayHaveBegun: ['bad-gateway'],
});
requestCasesContract('Luma', contract, cases, { headers: { authorization: `Bearer ${LUMA_KEY}` } });

describe('Luma', () => {
  const subject = useVendorSubject(contract);

  it('knows no other model', () => {
    expect(luma.knows?.(bindingOf(luma, 'ray-2'))).toBe(false);
  });

  it('reads an image inside the order at its published URL, and takes none without one', async () => {
    const publishedUrl = 'https://gateway.example/internal/videos/video_1/media/1.png?expires=1&signature=a-b_c';
    const { submits } = await submit(subject, contract, { kind: 'i2v', media: [{ ...firstFrame, publishedUrl }] });
    expect(submits[0]?.json).toMatchObject({ video: { keyframes: [{ url: publishedUrl }] } });
    const { error, bodies, submits: none } = await submit(subject, contract, { kind: 'i2v', media: [firstFrame] });
    expect(error).toMatchObject({ code: 'media_invalid', extra: { upstream: { retry: 'never', started: 'no' } } });
    expect([bodies, none]).toEqual([[], []]);
    expect(firstFrame.url).toBe(PICTURE);
  });

  it('gets the key in the header only', async () => {
    const { submits } = await submit(subject, contract);
    expect(submits.map(({ headers, query }) => [headers.authorization, query.size])).toEqual([
      [`Bearer ${LUMA_KEY}`, 0],
    ]);
    expect(submits[0]?.raw.includes(LUMA_KEY)).toBe(false);
  });

  it('polls one URL, and ends with a link for an hour', async () => {
    const before = subject.vendor.requests.length;
    const started = await begin(subject, contract);
    expect(started).toEqual({ receipt: { generationId: started.providerJobId }, providerJobId: started.providerJobId });
    const running = makeRunning(started.receipt, { startedAt: new Date('2026-11-23T10:00:00Z') });
    const check = () => subject.video.check(running, makeCall(subject.log));
    expect([await check(), await check()]).toEqual([{ status: 'queued' }, { status: 'in_progress' }]);
    const url = `${subject.vendor.cdnUrl}/results/good/${subject.vendor.jobs.length}.mp4`;
    expect(await check()).toEqual({
      status: 'completed',
      video: { file: { url }, publicUrl: url, expiresAt: new Date('2026-11-23T11:00:00Z') },
    });
    const poll = `GET /v1/generations/${started.providerJobId}`;
    expect(subject.vendor.requests.slice(before + 1).map(({ method, path }) => `${method} ${path}`)).toEqual([
      poll,
      poll,
      poll,
    ]);
  });

  it.each([
    ['content-moderated', 'content_policy_violation'],
    ['generation-failed', 'generation_failed'],
    ['output-not-found', 'generation_failed'],
    ['rate-limited', 'generation_failed'],
    ['budget-exhausted', 'upstream_auth_failed'],
    ['image-too-large', 'media_too_large'],
    ['unsupported-format', 'media_invalid'],
    ['corrupt-input', 'media_invalid'],
    ['invalid-request', 'upstream_rejected'],
    ['something-new', 'generation_failed'],
  ])('a generation that failed with %s is a failed video: %s', async (scenario, code) => {
    const { end } = await pollToEnd(subject, (await begin(subject, contract, { scenario })).receipt);
    expect(end).toMatchObject({ status: 'failed', code, message: expect.stringMatching(/^[A-Z].{10,}\.$/) });
    expect(JSON.stringify(end)).not.toMatch(/The generation failed|budget|credit/);
  });

  it('cannot cancel, and keeps the standard pace', () => {
    expect([subject.video.cancel, subject.video.pace, subject.video.limits]).toEqual([undefined, undefined, undefined]);
  });
});
