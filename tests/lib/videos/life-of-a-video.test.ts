import { afterEach, describe, expect, it } from 'vitest';
import type { VideoModel } from '../../../lib/domain/model';
import { GatewayError, upstreamFailed, upstreamRefused } from '../../../lib/domain/errors';
import { parseUsd } from '../../../lib/domain/money';
import { perSecond } from '../../../lib/catalog/price-table';
import { wholeSeconds } from '../../../lib/domain/video-tiers';
import { firstEdition, videoModel } from '../../../lib/catalog/model-entry';
import { createChaos, type Chaos } from '../../support/chaos-provider';
import { makeGateway, type TestGateway, type TestGatewayOptions } from '../../support/gateway';
import { addSecondCheck } from '../../support/jobs';

// The flow from submission to the end, with providers that the test controls.

const price = perSecond('made up for tests', { '720p': '0.10' });

/** A model that `first` serves, and `second` when the first cannot. */
function servedBy(...providers: string[]): VideoModel {
  return videoModel({
    id: 'acme-t2v',
    name: 'Acme',
    description: 'Serves tests.',
    family: 'acme',
    created: firstEdition,
    kind: 't2v',
    seconds: wholeSeconds(1, 10),
    defaultSeconds: 5,
    resolutions: ['720p'],
    defaultResolution: '720p',
    aspectRatios: ['16:9'],
    fps: { default: 24 },
    audio: 'none',
    parameters: [],
    price,
    bindings: providers.map((providerId) => ({ providerId, modelName: `acme-at-${providerId}` })),
  });
}

let running: TestGateway | undefined;
afterEach(async () => {
  await running?.close();
  running = undefined;
});

async function start(chaos: readonly Chaos[], options: TestGatewayOptions = {}) {
  const [testProvider] = chaos;
  const test = await makeGateway({
    providers: chaos.map(({ definition }) => definition),
    ...(testProvider ? { testProvider: testProvider.definition } : {}),
    models: [servedBy(...chaos.map(({ definition }) => definition.id))],
    ...options,
  });
  running = test;
  const caller = await test.caller('live');
  const submit = async (extra: Record<string, unknown> = {}) => {
    const { video } = await test.gateway.videos.submit(caller, {
      body: { model: 'acme-t2v', prompt: 'a cat', ...extra },
      textOnly: false,
      requestId: 'req_1',
      automaticRetry: false,
    });
    return video.id;
  };
  const read = async (id: string) => (await test.gateway.videos.get(caller, id)).video;
  const credits = () => test.gateway.accounts.credits(caller);
  return { ...test, caller, submit, read, credits };
}

describe('submitVideo', () => {
  it('holds the quoted cost and answers with a queued video before any provider is called', async () => {
    const a = createChaos('a');
    a.onStart = () => new Promise(() => {});
    const { submit, read, credits } = await start([a], { config: { role: 'web' } });
    const id = await submit({ seconds: 7 });
    expect(await read(id)).toMatchObject({
      id,
      object: 'video',
      status: 'queued',
      progress: 0,
      seconds: '7',
      size: '1280x720',
      cost: 0.7,
      mode: 'live',
      usage: { duration_seconds: 7 },
    });
    expect(await credits()).toMatchObject({ available: '24.3', held: '0.7', spent: '0' });
    expect(a.calls.starts).toHaveLength(0);
  });

  it('leaves no row behind when the credits do not suffice', async () => {
    const { submit, db } = await start([createChaos('a')]);
    for (let n = 0; n < 25; n += 1) await submit({ seconds: 10 });
    await expect(submit()).rejects.toMatchObject({
      code: expect.stringMatching(/insufficient_credits|credits_held_by_running_jobs/) as string,
    });
    expect((await db.query('select count(*)::int as n from videos')).rows).toEqual([{ n: 25 }]);
  });
});

describe('video.start and video.check', () => {
  it('completes a video, charges the quote once, and shows what the provider measured', async () => {
    const a = createChaos('a');
    const { submit, read, credits, settle, pass } = await start([a]);
    const id = await submit();
    await settle();
    expect(await read(id)).toMatchObject({ status: 'queued', provider_job_id: `job-of-${id}` });
    await pass(6_000);
    const video = await read(id);
    expect(video).toMatchObject({
      status: 'completed',
      progress: 100,
      cost: 0.5,
      width: 1280,
      height: 720,
      fps: 24,
      duration_seconds: 5,
      format: 'mp4',
      usage: { duration_seconds: 5 },
    });
    expect(video).not.toHaveProperty('error');
    expect(await credits()).toMatchObject({ available: '24.5', held: '0', spent: '0.5' });
    await pass(60_000);
    expect(a.calls.checks).toHaveLength(1);
  });

  it('releases everything when the provider reports a failure', async () => {
    const a = createChaos('a');
    a.onCheck = async () => ({ status: 'failed', code: 'generation_failed', message: 'The scene could not be drawn.' });
    const { submit, read, credits, settle, pass } = await start([a]);
    const id = await submit();
    await settle();
    await pass(6_000);
    expect(await read(id)).toMatchObject({
      status: 'failed',
      cost: 0,
      error: { code: 'generation_failed', message: 'The scene could not be drawn. You were not charged.' },
    });
    expect(await credits()).toMatchObject({ available: '25', held: '0', spent: '0' });
  });

  it('a 503 while polling leaves the video in progress, and it completes later', async () => {
    const a = createChaos('a');
    a.onCheck = async (_id, call) => {
      if (call === 1) return { status: 'in_progress' };
      if (call < 4) throw upstreamFailed({ retry: 'later', started: 'maybe' }, 'answered 503');
      return { status: 'completed', video: { expiresAt: 'kept', file: null, width: 640, height: 360 } };
    };
    const { submit, read, settle, pass } = await start([a]);
    const id = await submit();
    await settle();
    await pass(6_000);
    await pass(6_000);
    await pass(15_000);
    expect(await read(id)).toMatchObject({ status: 'in_progress' });
    await pass(60_000);
    expect(await read(id)).toMatchObject({ status: 'completed' });
    expect(a.calls.starts).toHaveLength(1);
  });

  it('fails at the deadline, uncharged, and a later success changes nothing', async () => {
    const a = createChaos('a');
    a.onCheck = async () => ({ status: 'in_progress' });
    const { submit, read, credits, settle, pass } = await start([a]);
    const id = await submit();
    await settle();
    for (let minute = 0; minute < 17; minute += 1) await pass(60_000);
    expect(await read(id)).toMatchObject({
      status: 'failed',
      cost: 0,
      error: {
        code: 'upstream_timeout',
        message: 'The provider did not finish the video within 15 minutes. You were not charged.',
      },
    });
    expect(a.calls.cancels).toEqual([id]);
    expect(await credits()).toMatchObject({ available: '25', held: '0' });
  });
});

describe('fallback', () => {
  it('calls the next provider when the first certainly began nothing, and keeps the price that was held', async () => {
    const [a, b] = [createChaos('a'), createChaos('b')];
    a.onStart = async () => {
      throw upstreamFailed({ retry: 'elsewhere', started: 'no' }, 'connection refused');
    };
    const { submit, read, settle, pass, db } = await start([a, b]);
    const id = await submit();
    await settle();
    await pass(6_000);
    expect(await read(id)).toMatchObject({ status: 'completed', cost: 0.5 });
    expect(b.calls.starts).toHaveLength(1);
    const { rows } = await db.query('select attempt, provider, outcome from video_attempts order by attempt');
    expect(rows).toEqual([
      { attempt: 1, provider: 'a', outcome: 'failed' },
      { attempt: 2, provider: 'b', outcome: 'accepted' },
    ]);
  });

  it('calls no other provider when the content was refused', async () => {
    const [a, b] = [createChaos('a'), createChaos('b')];
    a.onStart = async () => {
      throw upstreamRefused('The prompt was refused by the content policy.');
    };
    const { submit, read, settle } = await start([a, b]);
    const id = await submit();
    await settle();
    expect(await read(id)).toMatchObject({ status: 'failed', error: { code: 'content_policy_violation' } });
    expect(b.calls.starts).toHaveLength(0);
  });

  it('never calls a second time when work may have begun: the video fails uncharged as a possible orphan', async () => {
    const [a, b] = [createChaos('a'), createChaos('b')];
    a.onStart = async () => {
      throw upstreamFailed({ retry: 'later', started: 'maybe' }, 'socket closed');
    };
    const { submit, read, settle, pass, log } = await start([a, b]);
    const id = await submit();
    await settle();
    await pass(60_000);
    expect(await read(id)).toMatchObject({ status: 'failed', cost: 0, error: { code: 'upstream_unconfirmed' } });
    expect([a.calls.starts.length, b.calls.starts.length]).toEqual([1, 0]);
    expect(log.lines.some(({ message }) => message.includes('possible orphan'))).toBe(true);
  });

  it('calls a provider that recognises our id again when its answer was lost', async () => {
    const a = createChaos('a', { repeatable: true });
    a.onStart = async (_start, call) => {
      if (call === 1) throw upstreamFailed({ retry: 'later', started: 'maybe' }, 'socket closed');
      return {};
    };
    const { submit, read, settle, pass } = await start([a]);
    const id = await submit();
    await settle();
    await pass(6_000);
    await pass(6_000);
    expect(await read(id)).toMatchObject({ status: 'completed' });
    expect(a.calls.starts.map(({ videoId }) => videoId)).toEqual([id, id]);
  });

  it('waits and retries when every provider is busy, for as long as each says', async () => {
    const a = createChaos('a');
    a.onStart = async (_start, call) => {
      if (call <= 2) throw upstreamFailed({ retry: 'later', started: 'no', retryAfterMs: 30_000 }, '429');
      return {};
    };
    const { submit, read, settle, pass } = await start([a]);
    const id = await submit();
    await settle();
    await pass(20_000);
    expect(a.calls.starts).toHaveLength(1);
    await pass(11_000);
    await pass(31_000);
    expect(a.calls.starts).toHaveLength(3);
    await pass(6_000);
    expect(await read(id)).toMatchObject({ status: 'completed' });
  });
});

describe('cancel', () => {
  it('a video without a provider can always be cancelled; the webhook reports it', async () => {
    const { submit, read, gateway, caller, credits, db } = await start([createChaos('a')], {
      config: { role: 'web' },
      lookup: async () => ['93.184.216.34'],
    });
    const id = await submit({ webhook: 'https://example.com/hook' });
    expect(await gateway.videos.cancel(caller, id)).toMatchObject({
      status: 'failed',
      cost: 0,
      error: { code: 'cancelled' },
    });
    expect(await credits()).toMatchObject({ available: '25', held: '0' });
    await expect(gateway.videos.cancel(caller, id)).rejects.toMatchObject({ code: 'video_finished' });
    const { rows } = await db.query('select event, body from webhook_deliveries');
    expect(rows).toEqual([{ event: 'video.failed', body: JSON.stringify(await read(id)) }]);
  });

  it('a provider that cannot stop changes nothing', async () => {
    const a = createChaos('a');
    a.onCheck = async () => ({ status: 'in_progress' });
    const { submit, read, gateway, caller, settle, pass } = await start([a]);
    const id = await submit();
    await settle();
    await pass(6_000);
    await expect(gateway.videos.cancel(caller, id)).rejects.toMatchObject({ code: 'cancel_not_supported' });
    expect(await read(id)).toMatchObject({ status: 'in_progress' });
  });

  it('stops at the provider what began during the cancellation', async () => {
    const a = createChaos('a');
    let begin: () => void = () => {};
    a.onStart = () => new Promise((resolve) => (begin = () => resolve({})));
    a.onCancel = async () => 'cancelled';
    const { submit, read, gateway, caller, settle } = await start([a]);
    const id = await submit();
    while (a.calls.starts.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    await gateway.videos.cancel(caller, id);
    begin();
    await settle();
    expect(a.calls.cancels).toEqual([id]);
    expect(await read(id)).toMatchObject({ status: 'failed', error: { code: 'cancelled' } });
  });

  it('is refused during a start at a provider that cannot stop videos of this model, and the video is charged', async () => {
    const a = createChaos('a', { cancels: () => false });
    let begin: () => void = () => {};
    a.onStart = () => new Promise((resolve) => (begin = () => resolve({})));
    const { submit, read, gateway, caller, settle, pass, credits } = await start([a]);
    const id = await submit();
    while (a.calls.starts.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    await expect(gateway.videos.cancel(caller, id)).rejects.toMatchObject({ code: 'cancel_not_supported' });
    begin();
    await settle();
    await pass(6_000);
    expect(await read(id)).toMatchObject({ status: 'completed' });
    expect(await credits()).toMatchObject({ spent: '0.5' });
  });

  it('logs what began during the cancellation and could not be stopped at the provider any more', async () => {
    const a = createChaos('a');
    let begin: () => void = () => {};
    a.onStart = () => new Promise((resolve) => (begin = () => resolve({})));
    a.onCancel = async () => 'too_late';
    const { submit, gateway, caller, settle, log } = await start([a]);
    const id = await submit();
    while (a.calls.starts.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    await gateway.videos.cancel(caller, id);
    begin();
    await settle();
    expect(log.lines).toContainEqual(
      expect.objectContaining({ level: 'error', fields: { videoId: id, provider: 'a' } }),
    );
  });
});

describe('delete', () => {
  it('removes prompt, media and file, keeps the books, and the id is gone', async () => {
    const { submit, read, gateway, caller, settle, pass, db, credits } = await start([createChaos('a')]);
    const id = await submit({ prompt: 'a secret cat' });
    await expect(gateway.videos.remove(caller, id)).rejects.toMatchObject({ code: 'video_not_finished' });
    await settle();
    await pass(6_000);
    await gateway.videos.remove(caller, id);
    await expect(read(id)).rejects.toMatchObject({ code: 'video_not_found' });
    const { rows } = await db.query('select * from videos');
    expect(
      JSON.stringify(rows, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value)),
    ).not.toContain('secret cat');
    expect(await credits()).toMatchObject({ spent: '0.5' });
    expect((await gateway.videos.list(caller, { limit: 10, order: 'desc' })).data).toEqual([]);
  });
});

describe('finishVideo', () => {
  it('run twice by two jobs, charges once and sends one webhook', async () => {
    const a = createChaos('a');
    const { submit, settle, pass, db, credits } = await start([a], { lookup: async () => ['93.184.216.34'] });
    const id = await submit({ webhook: 'https://example.com/hook' });
    await settle();
    // A lost lease: the same check once more, at the same time.
    await addSecondCheck(db, id);
    await pass(6_000);
    expect(await credits()).toMatchObject({ available: '24.5', held: '0', spent: '0.5' });
    expect((await db.query('select count(*)::int as n from webhook_deliveries')).rows).toEqual([{ n: 1 }]);
  });

  it.each([
    ['Error 1201', 'Error 1201. You were not charged.'],
    ['The prompt is "short".', 'The prompt is "short". You were not charged.'],
    ['提示词为空。', '提示词为空。 You were not charged.'],
  ])('adds to the message %s that nothing was charged, as a sentence of its own', async (message, shown) => {
    const a = createChaos('a');
    a.onStart = async () => {
      throw new GatewayError('upstream_rejected', message, { upstream: { retry: 'never', started: 'no' } });
    };
    const { submit, settle, read } = await start([a]);
    const id = await submit();
    await settle();
    expect(await read(id)).toMatchObject({ status: 'failed', error: { message: shown } });
  });
});

describe('the price', () => {
  it('that was quoted is charged, although the tariff changed meanwhile', async () => {
    const a = createChaos('a');
    const model = servedBy('a');
    const { submit, read, settle, pass } = await start([a], { models: [model] });
    const id = await submit();
    (model.bindings[0]!.price.rates as { usd: bigint }[])[0]!.usd = parseUsd('9') * 10n ** 9n;
    await settle();
    await pass(6_000);
    expect(await read(id)).toMatchObject({ status: 'completed', cost: 0.5 });
  });
});

describe('live use', () => {
  it('of a model whose providers are not configured is 503 and not retried', async () => {
    const a = createChaos('a');
    const { submit } = await start([a], { models: [servedBy('elsewhere')] });
    const refused = await submit().catch((error: unknown) => error as GatewayError);
    expect(refused).toMatchObject({ code: 'no_provider_available', extra: { retry: false } });
  });
});
