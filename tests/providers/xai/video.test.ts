import { describe, expect, it } from 'vitest';
import { xai } from '../../../lib/providers/xai/index';
import { mp4Bytes, PICTURE } from '../../support/media-bytes';
import { startFakeXai, XAI_KEY } from '../../support/upstreams/fake-xai';
import { makeCall, makeRunning } from '../contract/video';
import { videoVendorContract } from '../contract/video-vendor';
import { bindingOf } from '../support/catalog-bindings';
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

const BASE = 'grok-imagine-video';
const NEWER = 'grok-imagine-video-1.5';

const contract: VendorContract = {
  definition: xai,
  startVendor: startFakeXai,
  settings: ({ baseUrl }) => ({ XAI_API_KEY: XAI_KEY, XAI_BASE_URL: `${baseUrl}/v1` }),
  binding: bindingOf(xai, BASE),
  order: { audio: true },
  isSubmit: ({ method }) => method === 'POST',
  pollsNameNoJob: true,
  refusals: [
    { scenario: 'guidelines', code: 'content_policy_violation', retry: 'never' },
    { scenario: 'wrong-key', code: 'upstream_auth_failed', retry: 'elsewhere' },
    { scenario: 'forbidden', code: 'upstream_auth_failed', retry: 'elsewhere' },
    { scenario: 'no-credits', code: 'upstream_auth_failed', retry: 'elsewhere' },
    { scenario: 'not-offered', code: 'provider_model_not_found', retry: 'elsewhere' },
  ],
};

videoVendorContract('xAI', contract);
jobVendorContract('xAI', contract, {
  notOffered: [
    [BASE, { kind: 'start-end' }],
    [NEWER, { kind: 'video-edit' }],
    ['grok-2', { kind: 't2v' }],
    ['constructor', { kind: 't2v' }],
  ],
  mayHaveBegun: ['unknown-error'],
});
requestCasesContract('xAI', contract, cases, { headers: { authorization: `Bearer ${XAI_KEY}` } });

describe('xAI', () => {
  const subject = useVendorSubject(contract);

  it('knows no model whose fields and price are not known', () => {
    expect(xai.knows?.(bindingOf(xai, 'grok-imagine-video-2.0'))).toBe(false);
  });

  it('takes images and videos inside the request as data URLs', async () => {
    const binding = bindingOf(xai, NEWER);
    const frames = await submit(subject, contract, { kind: 'start-end', media: [lastFrame, firstFrame], binding });
    expect(frames.submits[0]?.json).toMatchObject({ image: { url: PICTURE }, last_frame: { url: PICTURE } });
    const url = `data:video/mp4;base64,${mp4Bytes().toString('base64')}`;
    const edit = await submit(subject, contract, { kind: 'video-edit', media: [{ role: 'source_video', url }] });
    expect(edit.submits[0]?.json).toMatchObject({ video: { url } });
  });

  it('gets the key in the header only', async () => {
    const { submits } = await submit(subject, contract);
    expect(submits.map(({ headers, query }) => [headers.authorization, query.size])).toEqual([
      [`Bearer ${XAI_KEY}`, 0],
    ]);
    expect(submits[0]?.raw.includes(XAI_KEY)).toBe(false);
  });

  it('polls one URL, and ends with the link for an hour, the length and the cost', async () => {
    const before = subject.vendor.requests.length;
    const started = await begin(subject, contract);
    expect(started).toEqual({ receipt: { requestId: started.providerJobId }, providerJobId: started.providerJobId });
    const running = makeRunning(started.receipt, { startedAt: new Date('2026-11-23T10:00:00Z') });
    const check = () => subject.video.check(running, makeCall(subject.log));
    expect([await check(), await check()]).toEqual([{ status: 'in_progress' }, { status: 'in_progress' }]);
    const url = `${subject.vendor.cdnUrl}/results/good/${subject.vendor.jobs.length}.mp4`;
    expect(await check()).toEqual({
      status: 'completed',
      video: { file: { url }, publicUrl: url, durationSeconds: 5, expiresAt: new Date('2026-11-23T11:00:00Z') },
      // Five seconds at 720p.
      bill: { nanoUsd: 350_000_000n },
    });
    const poll = `GET /v1/videos/${started.providerJobId}`;
    expect(subject.vendor.requests.slice(before + 1).map(({ method, path }) => `${method} ${path}`)).toEqual([
      poll,
      poll,
      poll,
    ]);
  });

  it.each(['pending-json', 'pending-text', 'no-status', 'stored', 'early'])(
    'reads the answers of %s as those of a completed video',
    async (scenario) => {
      const { end, words, errors } = await pollToEnd(subject, (await begin(subject, contract, { scenario })).receipt);
      expect([words, errors]).toEqual([['in_progress', 'in_progress', 'completed'], []]);
      const url = `${subject.vendor.cdnUrl}/results/${scenario}/${subject.vendor.jobs.length}.mp4`;
      expect(end).toMatchObject({ video: { file: { url } } });
    },
  );

  it.each([
    ['over', 'upstream_timeout'],
    ['failed-moderated', 'content_policy_violation'],
    ['failed-invalid', 'upstream_rejected'],
    ['failed-precondition', 'upstream_rejected'],
    ['failed-permission', 'upstream_auth_failed'],
  ])('an end of %s is a failed video: %s', async (scenario, code) => {
    const { end } = await pollToEnd(subject, (await begin(subject, contract, { scenario })).receipt);
    expect(end).toMatchObject({ status: 'failed', code });
    expect(JSON.stringify(end)).not.toMatch(/decoded|rejected by content|too long|team/);
  });

  it('a video that was cancelled at xAI has failed as cancelled', async () => {
    const { receipt } = await begin(subject, contract, { scenario: 'hang' });
    const job = subject.vendor.jobs.at(-1);
    if (job) job.cancelled = true;
    const progress = await subject.video.check(makeRunning(receipt), makeCall(subject.log));
    expect(progress).toMatchObject({ status: 'failed', code: 'cancelled' });
  });

  it('says what a refused result has cost', async () => {
    const { end } = await pollToEnd(
      subject,
      (await begin(subject, contract, { scenario: 'moderated-output' })).receipt,
    );
    expect(end).toMatchObject({ code: 'content_policy_violation', bill: { nanoUsd: 350_000_000n } });
  });

  it('cannot cancel, and keeps the standard pace', () => {
    expect([subject.video.cancel, subject.video.pace, subject.video.limits]).toEqual([undefined, undefined, undefined]);
  });
});
