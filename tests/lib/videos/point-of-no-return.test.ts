import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { GatewayError, upstreamFailed } from '../../../lib/domain/errors';
import { isObject } from '../../../lib/domain/json';
import type { ProviderDefinition } from '../../../lib/domain/provider';
import type { VideoProgress, VideoStart } from '../../../lib/domain/video';
import { START_TIMEOUT_MS } from '../../../lib/jobs/job';
import { checkBooks } from '../../../lib/db/check-books';
import { completed, createChaos, type Chaos } from '../../support/chaos-provider';
import { makeAcme, type Acme } from './make-acme';

// What happens before and after the point of no return of a start, how the limits of a provider's account are kept, and
// what a check may say besides the status. `alpha` works on two videos at most, and lets a video wait for a worker.

const MINUTE_MS = 60_000;
const WAIT_TIMEOUT_MS = 60 * MINUTE_MS;
const MAX_RUNNING = 2;

let acme: Acme;
let alpha: Chaos;
let beta: Chaos;
/** What `beta` does instead of its ordinary start. */
let startBeta: ((start: VideoStart) => Promise<void>) | undefined;
let refreshes: unknown[];

beforeAll(async () => {
  alpha = createChaos('alpha', { limits: { running: MAX_RUNNING }, waitTimeoutMs: WAIT_TIMEOUT_MS });
  beta = createChaos('beta');
  const stage = createChaos('stage');
  const scripted: ProviderDefinition = {
    ...beta.definition,
    create(deps) {
      const video = beta.definition.create(deps).video!;
      return {
        id: 'beta',
        video: {
          ...video,
          async start(start, call) {
            if (!startBeta) return video.start(start, call);
            await startBeta(start);
            return { receipt: { videoId: start.videoId } };
          },
          async open(file, part, call) {
            if (isObject(file) && file.link === 'over') throw new GatewayError('video_expired', 'The link is over.');
            return video.open(file, part, call);
          },
          async refresh(finished) {
            refreshes.push(finished);
            return { link: 'new' };
          },
        },
      };
    },
  };
  acme = await makeAcme({
    providers: [alpha.definition, scripted, stage.definition],
    testProvider: stage.definition,
  });
});
afterAll(() => acme.close());
beforeEach(async () => {
  startBeta = undefined;
  refreshes = [];
  for (const chaos of [alpha, beta]) {
    chaos.onPrepare = async () => {};
    chaos.onStart = async () => ({});
    chaos.onCheck = async () => completed;
  }
  // Ends what an earlier test left running.
  for (let round = 0; round < 8; round += 1) await acme.pass(MINUTE_MS);
  for (const chaos of [alpha, beta]) for (const calls of Object.values(chaos.calls)) (calls as unknown[]).length = 0;
});

async function submit(model = 'acme-t2v') {
  const { id } = await acme.submit(acme.live, { model });
  await acme.settle();
  return id;
}
const read = (id: string) => acme.read(acme.live, id);
async function attemptsOf(id: string) {
  const { rows } = await acme.db.query(
    'select provider, outcome, code, sent, submitted_at is not null as submitted from video_attempts where video_id = $1 order by attempt',
    [id],
  );
  return rows;
}

describe('before the point of no return', () => {
  it('an error without an outcome has begun nothing: the next provider starts the video', async () => {
    startBeta = async () => {
      throw new TypeError('a mistake in the folder of this provider');
    };
    const { candidates } = await acme.gateway.videos.details(acme.live, await submit('acme-t2v'));
    expect(candidates).toEqual(['alpha', 'beta']);
    const id = await submit('beta/acme-t2v');
    expect(await read(id)).toMatchObject({ status: 'queued' });
    expect(await attemptsOf(id)).toMatchObject([
      { outcome: 'failed', code: 'upstream_invalid_response', submitted: false },
    ]);
    startBeta = undefined;
    await acme.pass(MINUTE_MS);
    await acme.pass(MINUTE_MS);
    expect(await read(id)).toMatchObject({ status: 'completed' });
  });

  it('media that cannot be read fail the video with their own error, and leave no possible orphan', async () => {
    startBeta = async () => {
      throw new GatewayError('media_unreachable', 'The media URL refused the connection.', {
        upstream: { retry: 'never', started: 'no' },
      });
    };
    const id = await submit('beta/acme-t2v');
    expect(await read(id)).toMatchObject({ status: 'failed', cost: 0, error: { code: 'media_unreachable' } });
    expect(await attemptsOf(id)).toMatchObject([{ outcome: 'refused', submitted: false }]);
  });

  it('a provider that claims that work may have begun is corrected: nothing was sent', async () => {
    startBeta = async () => {
      throw upstreamFailed({ retry: 'later', started: 'maybe' }, 'the upload was cut off');
    };
    const id = await submit('beta/acme-t2v');
    expect(await read(id)).toMatchObject({ status: 'queued' });
    expect(await attemptsOf(id)).toMatchObject([{ outcome: 'failed', submitted: false }]);
  });

  it('a video that was cancelled meanwhile sends nothing', async () => {
    let isSent = false;
    startBeta = async (start) => {
      await acme.gateway.videos.cancel(acme.live, start.videoId);
      await start.submitting({});
      isSent = true;
    };
    const id = await submit('beta/acme-t2v');
    expect(isSent).toBe(false);
    expect(await read(id)).toMatchObject({ status: 'failed', error: { code: 'cancelled' }, cost: 0 });
  });

  it('a process that was paused, and whose attempt another one replaced, sends nothing', async () => {
    let sent = 0;
    let isFirst = true;
    startBeta = async (start) => {
      if (isFirst) {
        isFirst = false;
        // Another process has claimed the next attempt.
        await acme.db.query('update videos set start_attempt = start_attempt + 1 where id = $1', [start.videoId]);
      }
      await start.submitting({ text: start.order.prompt });
      sent += 1;
    };
    const id = await submit('beta/acme-t2v');
    expect(sent).toBe(0);
    expect(await attemptsOf(id)).toMatchObject([{ outcome: 'preparing', submitted: false }]);
    startBeta = undefined;
    await acme.pass(MINUTE_MS);
    expect(await attemptsOf(id)).toMatchObject([{ outcome: 'failed' }, { outcome: 'accepted' }]);
  });
});

describe('after the point of no return', () => {
  it('an error without an outcome may have begun: the video fails uncharged, with the request that was sent', async () => {
    startBeta = async (start) => {
      await start.submitting({ text: start.order.prompt });
      throw new Error('socket hang up');
    };
    const id = await submit('beta/acme-t2v');
    expect(await read(id)).toMatchObject({ status: 'failed', cost: 0, error: { code: 'upstream_unconfirmed' } });
    expect(await attemptsOf(id)).toMatchObject([{ outcome: 'unknown', submitted: true, sent: { text: 'a cat' } }]);
  });

  it('the request is stored before it is sent', async () => {
    let stored: unknown;
    startBeta = async (start) => {
      await start.submitting({ text: start.order.prompt });
      stored = await attemptsOf(start.videoId);
    };
    await submit('beta/acme-t2v');
    expect(stored).toMatchObject([{ outcome: 'unknown', submitted: true, sent: { text: 'a cat' } }]);
  });
});

describe('a start whose preparation takes nearly as long as its job may run', () => {
  it('leaves the provider its full time for the answer', async () => {
    let isPreparing = false;
    let isSubmitted = false;
    let continueWith = () => {};
    const turn = () => new Promise<void>((resolve) => (continueWith = resolve));
    beta.onPrepare = () => {
      isPreparing = true;
      return turn();
    };
    beta.onStart = (_start, _call, signal) => {
      isSubmitted = true;
      const aborted = new Promise<never>((_resolve, reject) =>
        signal.addEventListener('abort', () => reject(new Error('aborted'))),
      );
      return Promise.race([turn().then(() => ({})), aborted]);
    };
    const { id } = await acme.submit(acme.live, { model: 'beta/acme-t2v' });
    await expect.poll(() => isPreparing).toBe(true);
    await acme.clock.advance(START_TIMEOUT_MS - 10_000);
    continueWith();
    await expect.poll(() => isSubmitted).toBe(true);
    await acme.clock.advance(30_000);
    continueWith();
    await acme.settle();
    expect(await attemptsOf(id)).toMatchObject([{ outcome: 'accepted', submitted: true }]);
    await acme.pass(MINUTE_MS);
    expect(await read(id)).toMatchObject({ status: 'completed' });
  });
});

describe('the account at a provider', () => {
  it('that refused our credentials is not asked again for this video', async () => {
    beta.onStart = async () => {
      throw upstreamFailed({ retry: 'elsewhere', started: 'no' }, '401', 'upstream_auth_failed');
    };
    const id = await submit('beta/acme-t2v');
    await acme.pass(MINUTE_MS);
    expect(beta.calls.starts).toHaveLength(1);
    expect(await read(id)).toMatchObject({ status: 'failed', cost: 0, error: { code: 'no_provider_available' } });
  });

  it('works on no more videos than it may: the others wait without an attempt, and then start', async () => {
    let isDone = false;
    alpha.onCheck = async (): Promise<VideoProgress> => (isDone ? completed : { status: 'in_progress' });
    const ids: string[] = [];
    for (let video = 0; video < MAX_RUNNING + 1; video += 1) ids.push(await submit('alpha/acme-t2v'));
    await acme.pass(MINUTE_MS);
    expect(alpha.calls.starts).toHaveLength(MAX_RUNNING);
    expect(await attemptsOf(ids[MAX_RUNNING]!)).toEqual([]);
    isDone = true;
    for (let round = 0; round < 4; round += 1) await acme.pass(MINUTE_MS);
    for (const id of ids) expect(await read(id)).toMatchObject({ status: 'completed' });
  });

  it('that is busy leaves a video to the next provider', async () => {
    alpha.onCheck = async () => ({ status: 'in_progress' });
    for (let video = 0; video < MAX_RUNNING; video += 1) await submit('alpha/acme-t2v');
    await submit();
    expect([alpha.calls.starts.length, beta.calls.starts.length]).toEqual([MAX_RUNNING, 1]);
  });

  it('that refuses to be polled fails a video only after several checks', async () => {
    beta.onCheck = async () => {
      throw upstreamFailed({ retry: 'later', started: 'maybe' }, '401', 'upstream_auth_failed');
    };
    const id = await submit('beta/acme-t2v');
    await acme.pass(MINUTE_MS);
    expect(await read(id)).toMatchObject({ status: 'queued' });
    for (let round = 0; round < 8; round += 1) await acme.pass(MINUTE_MS);
    expect(await read(id)).toMatchObject({ status: 'failed', cost: 0, error: { code: 'upstream_auth_failed' } });
  });

  it('that refuses to be polled once after an outage does not fail a video', async () => {
    let polls = 0;
    beta.onCheck = async () => {
      polls += 1;
      if (polls <= 5) throw upstreamFailed({ retry: 'later', started: 'maybe' }, '503');
      if (polls === 6) throw upstreamFailed({ retry: 'later', started: 'maybe' }, '401', 'upstream_auth_failed');
      return completed;
    };
    const id = await submit('beta/acme-t2v');
    for (let round = 0; round < 16; round += 1) await acme.pass(MINUTE_MS);
    expect(await read(id)).toMatchObject({ status: 'completed' });
  });
});

describe('a check', () => {
  it('counts the deadline from the begin of the work, and not while the video waits for a worker', async () => {
    alpha.onCheck = async () => ({ status: 'queued' });
    const id = await submit('alpha/acme-t2v');
    for (let round = 0; round < 20; round += 1) await acme.pass(MINUTE_MS);
    expect(await read(id)).toMatchObject({ status: 'queued' });
    alpha.onCheck = async () => ({ status: 'in_progress' });
    for (let round = 0; round < 10; round += 1) await acme.pass(MINUTE_MS);
    expect(await read(id)).toMatchObject({ status: 'in_progress' });
    for (let round = 0; round < 7; round += 1) await acme.pass(MINUTE_MS);
    expect(await read(id)).toMatchObject({
      status: 'failed',
      error: { code: 'upstream_timeout', message: expect.stringContaining('within 15 minutes') },
    });
  });

  it('may replace the receipt, and choose the time of the next one', async () => {
    const receipts: unknown[] = [];
    beta.onCheck = async (videoId) => {
      receipts.push(videoId);
      return receipts.length < 3
        ? { status: 'in_progress', receipt: { videoId: `${videoId}+` }, nextInMs: 1_000 }
        : completed;
    };
    const id = await submit('beta/acme-t2v');
    for (let second = 0; second < 10; second += 1) await acme.pass(1_000);
    expect(receipts).toEqual([id, `${id}+`, `${id}++`]);
  });

  it('stores what the upstream charged, also for a failure', async () => {
    beta.onCheck = async () => ({
      status: 'failed',
      code: 'generation_failed',
      message: 'The provider could not make the video.',
      bill: { nanoUsd: 120_000_000n, units: '12 credits' },
    });
    const id = await submit('beta/acme-t2v');
    await acme.pass(MINUTE_MS);
    expect(await read(id)).toMatchObject({ status: 'failed', cost: 0 });
    const { rows } = await acme.db.query(
      'select upstream_nano_usd::text as usd, upstream_units as units from videos where id = $1',
      [id],
    );
    expect(rows).toEqual([{ usd: '120000000', units: '12 credits' }]);
  });
});

describe('a file whose link is over', () => {
  it('is opened with a new link, which is kept', async () => {
    beta.onCheck = async () => ({
      status: 'completed',
      video: { file: { link: 'over' }, expiresAt: new Date('2099-01-01T00:00:00Z') },
    });
    const id = await submit('beta/acme-t2v');
    await acme.pass(MINUTE_MS);
    const open = async () => {
      const { status, body } = await acme.gateway.videos.open(
        acme.live,
        id,
        () => undefined,
        AbortSignal.timeout(5_000),
      );
      body.destroy();
      return status;
    };
    expect(await open()).toBe(200);
    expect(await open()).toBe(200);
    expect(refreshes).toEqual([{ receipt: { videoId: id }, file: { link: 'over' } }]);
  });
});

it('the books agree after all of it', async () => {
  expect(await checkBooks(acme.db, { quiet: true })).toEqual([]);
});
