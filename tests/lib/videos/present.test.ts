import { describe, expect, it } from 'vitest';
import type { VideoRow } from '../../../lib/db/videos';
import { newId } from '../../../lib/domain/ids';
import { createLinks } from '../../../lib/videos/links';
import { presentSubmitted, presentVideo } from '../../../lib/videos/present';

const links = createLinks({ secret: 'x'.repeat(32), baseUrl: 'https://gate.example' });
const at = (second: number) => new Date(1_700_000_000_000 + second * 1_000 + 999);

function row(changes: Partial<VideoRow> = {}): VideoRow {
  return {
    id: newId('video'),
    orgId: newId('org'),
    keyId: newId('key'),
    mode: 'live',
    requestId: 'req_1',
    status: 'queued',
    model: 'acme-t2v',
    candidates: [{ provider: 'alpha', upstreamModel: 'secret-upstream-name' }],
    scenario: null,
    seconds: '5',
    size: '1280x720',
    quoteNanoUsd: 500_000_001n,
    quoteLines: [],
    costNanoUsd: null,
    holdId: newId('hold'),
    provider: 'alpha',
    upstreamModel: 'secret-upstream-name',
    credentialId: null,
    providerJobId: null,
    receipt: { secret: 'receipt' },
    startAttempt: 1,
    startedAt: null,
    checks: 0,
    checkedAt: null,
    inProgressAt: null,
    ignoredParams: [],
    deadlineAt: at(900),
    deadlineSeconds: 900,
    upstreamNanoUsd: null,
    upstreamUnits: null,
    file: null,
    archiveKey: null,
    fileBytes: null,
    upstreamResult: null,
    publicUrl: null,
    width: null,
    height: null,
    fps: null,
    durationSeconds: null,
    errorCode: null,
    errorMessage: null,
    expiresAt: null,
    webhookUrl: 'https://example.com/?secret=hook',
    bodyHash: 'secret-hash',
    answerCut: false,
    polledAt: null,
    replayed: false,
    createdAt: at(0),
    completedAt: null,
    deletedAt: null,
    ...changes,
  };
}
const finished = {
  status: 'completed',
  costNanoUsd: 500_000_001n,
  completedAt: at(60),
  expiresAt: at(3_600),
  file: { secret: 'file' },
} as const;
const keysOf = (video: object) => Object.keys(video).sort();

describe('the answer to a submission', () => {
  it("has the specification's nine keys, the cost and the mode, and no other", () => {
    const { id, ...video } = presentSubmitted(row());
    expect(id).toMatch(/^video_[0-9a-f]{32}$/);
    expect(video).toEqual({
      object: 'video',
      status: 'queued',
      progress: 0,
      model: 'acme-t2v',
      seconds: '5',
      size: '1280x720',
      usage: { duration_seconds: 5 },
      created_at: 1_700_000_000,
      cost: 0.500000001,
      mode: 'live',
    });
  });
});

describe('a video', () => {
  const always = [
    'cost',
    'created_at',
    'format',
    'id',
    'mode',
    'model',
    'object',
    'progress',
    'seconds',
    'size',
    'status',
    'usage',
  ];

  it.each(['queued', 'in_progress'] as const)(
    'that is %s shows what it will cost, and no field that is unknown yet',
    (status) => {
      // What a provider measured early is not shown before the end.
      const video = presentVideo(
        row({ status, width: 1_280, height: 720, fps: 24, durationSeconds: 5, expiresAt: at(9) }),
        links,
      );
      expect(keysOf(video)).toEqual(always);
      expect(video).toMatchObject({ status, progress: 0, cost: 0.500000001, format: 'mp4' });
      expect(keysOf(presentVideo(row({ status, providerJobId: 'job_1' }), links))).toEqual(
        [...always, 'provider_job_id'].sort(),
      );
    },
  );

  it('that is completed has every key of its kind, whole numbers where the specification has them', () => {
    const video = presentVideo(
      row({ ...finished, providerJobId: 'job_1', width: 1_278, height: 718, fps: 29.97, durationSeconds: 5.042 }),
      links,
    );
    expect(keysOf(video)).toEqual(
      [
        ...always,
        'completed_at',
        'duration_seconds',
        'expires_at',
        'fps',
        'height',
        'provider_job_id',
        'video_url',
        'width',
      ].sort(),
    );
    expect(video).toMatchObject({
      progress: 100,
      size: '1280x720',
      width: 1_278,
      height: 718,
      fps: 30,
      duration_seconds: 5.042,
      usage: { duration_seconds: 5.042 },
      seconds: '5',
      completed_at: 1_700_000_060,
      expires_at: 1_700_003_600,
    });
  });

  it('that is completed shows its length without a measurement, and no other estimate', () => {
    const video = presentVideo(row(finished), links);
    expect(video).toMatchObject({ duration_seconds: 5, usage: { duration_seconds: 5 } });
    for (const unknown of ['width', 'height', 'fps', 'provider_job_id']) expect(video).not.toHaveProperty(unknown);
  });

  it("has the provider's own link if that is public, otherwise a signed one that is the same at every read", () => {
    const own = row({ ...finished, publicUrl: 'https://cdn.example.com/v.mp4' });
    expect(presentVideo(own, links).video_url).toBe('https://cdn.example.com/v.mp4');
    const ours = row(finished);
    const { video_url: url } = presentVideo(ours, links);
    expect(links.recognise(String(url))).toEqual({ videoId: ours.id, expires: 1_700_003_600 });
    expect(presentVideo({ ...ours, polledAt: at(99) }, links).video_url).toBe(url);
  });

  it('that failed costs nothing, says why, and has no file', () => {
    const video = presentVideo(
      row({
        status: 'failed',
        costNanoUsd: 0n,
        completedAt: at(60),
        errorCode: 'generation_failed',
        errorMessage: 'No. You were not charged.',
        width: 1,
        durationSeconds: 1,
        expiresAt: at(9),
        publicUrl: 'https://cdn.example.com/v.mp4',
      }),
      links,
    );
    expect(keysOf(video)).toEqual([...always, 'completed_at', 'error'].sort());
    expect(video).toMatchObject({
      progress: 0,
      cost: 0,
      error: { message: 'No. You were not charged.', code: 'generation_failed' },
    });
  });

  it('never shows a null, nor anything internal', () => {
    for (const changes of [
      {},
      { status: 'in_progress' },
      finished,
      { status: 'failed', completedAt: at(1), costNanoUsd: 0n },
    ] as const) {
      const text = JSON.stringify(presentVideo(row(changes), links));
      expect(text).not.toMatch(/null|secret|alpha|req_1/);
    }
  });
});
