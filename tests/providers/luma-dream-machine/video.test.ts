import { describe, expect, it } from 'vitest';
import { lumaDreamMachine } from '../../../lib/providers/luma-dream-machine/index';
import { DREAM_MACHINE_KEY, startFakeLumaDreamMachine } from '../../support/upstreams/fake-luma-dream-machine';
import { makeCall, makeRunning } from '../contract/video';
import { videoVendorContract } from '../contract/video-vendor';
import { bindingOf } from '../support/catalog-bindings';
import { begin, firstFrame, pollToEnd, submit, useVendorSubject, type VendorContract } from '../support/vendor-subject';
import { requestCasesContract } from '../contract/request-cases';
import { jobVendorContract } from '../contract/video-jobs';
import { cases } from './requests';

const contract: VendorContract = {
  definition: lumaDreamMachine,
  startVendor: startFakeLumaDreamMachine,
  settings: ({ baseUrl }) => ({
    LUMA_DREAM_MACHINE_API_KEY: DREAM_MACHINE_KEY,
    LUMA_DREAM_MACHINE_BASE_URL: `${baseUrl}/dream-machine/v1`,
  }),
  binding: bindingOf(lumaDreamMachine, 'ray-2'),
  isSubmit: ({ method }) => method === 'POST',
  unavailableMayHaveBegun: true,
  refusals: [
    { scenario: 'forbidden', code: 'upstream_auth_failed', retry: 'elsewhere' },
    { scenario: 'no-credits', code: 'upstream_auth_failed', retry: 'elsewhere' },
    { scenario: 'not-offered', code: 'provider_model_not_found', retry: 'elsewhere' },
    { scenario: 'too-large', code: 'request_too_large', retry: 'never' },
    { scenario: 'fields', code: 'upstream_rejected', retry: 'never' },
  ],
};

videoVendorContract('Dream Machine', contract);
jobVendorContract('Dream Machine', contract, {
  notOffered: [['ray-2', { kind: 'r2v' }]],
  mayHaveBegun: ['bad-gateway'],
});
requestCasesContract('Dream Machine', contract, cases, {
  headers: { authorization: `Bearer ${DREAM_MACHINE_KEY}` },
});

describe('Dream Machine', () => {
  const subject = useVendorSubject(contract);

  it('knows no other model', () => {
    expect(lumaDreamMachine.knows?.(bindingOf(lumaDreamMachine, 'ray-3.2'))).toBe(false);
  });

  it('reads an image inside the order at its published URL, and takes none without one', async () => {
    const publishedUrl = 'https://gateway.example/internal/videos/video_1/media/1.png?expires=1&signature=a-b_c';
    const { submits } = await submit(subject, contract, { kind: 'i2v', media: [{ ...firstFrame, publishedUrl }] });
    expect(submits[0]?.json).toMatchObject({ keyframes: { frame0: { type: 'image', url: publishedUrl } } });
    const { error, bodies, submits: none } = await submit(subject, contract, { kind: 'i2v', media: [firstFrame] });
    expect(error).toMatchObject({ code: 'media_invalid', extra: { upstream: { retry: 'never', started: 'no' } } });
    expect([bodies, none]).toEqual([[], []]);
  });

  it.each(['t2v', 'video-edit'] as const)(
    'sends the URL for callbacks of a %s, and stores it nowhere',
    async (kind) => {
      const callbackUrl = 'https://gateway.example/callback?signature=sEcReT';
      const media =
        kind === 'video-edit' ? [{ role: 'source_video', url: 'https://media.example/clip.mp4' } as const] : [];
      const { bodies, submits } = await submit(subject, contract, { kind, media }, { callbackUrl });
      expect(submits.map(({ json }) => json)).toMatchObject([{ callback_url: callbackUrl }]);
      expect(JSON.stringify(bodies)).not.toContain('callback');
    },
  );

  it('polls one URL, and ends with a link', async () => {
    const before = subject.vendor.requests.length;
    const started = await begin(subject, contract);
    expect(started).toEqual({ receipt: { generationId: started.providerJobId }, providerJobId: started.providerJobId });
    const running = makeRunning(started.receipt, { startedAt: new Date('2026-11-27T10:00:00Z') });
    const check = () => subject.video.check(running, makeCall(subject.log));
    expect([await check(), await check()]).toEqual([{ status: 'queued' }, { status: 'in_progress' }]);
    const url = `${subject.vendor.cdnUrl}/results/good/${subject.vendor.jobs.length}.mp4`;
    expect(await check()).toEqual({
      status: 'completed',
      video: { file: { url }, publicUrl: url, expiresAt: new Date('2026-11-27T11:00:00Z') },
    });
    const poll = `GET /dream-machine/v1/generations/${started.providerJobId}`;
    expect(subject.vendor.requests.slice(before + 1).map(({ method, path }) => `${method} ${path}`)).toEqual([
      poll,
      poll,
      poll,
    ]);
  });

  it('shows no text of a failed generation', async () => {
    const { end } = await pollToEnd(subject, (await begin(subject, contract, { scenario: 'fail' })).receipt);
    expect(end).toMatchObject({ status: 'failed', code: 'generation_failed' });
    expect(JSON.stringify(end)).not.toMatch(/renderer|node 7/);
  });

  it('cannot cancel, and keeps the standard pace', () => {
    expect([subject.video.cancel, subject.video.pace, subject.video.limits]).toEqual([undefined, undefined, undefined]);
  });
});
