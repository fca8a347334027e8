import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { GatewayError, upstreamFailed } from '../../../lib/domain/errors';
import type { ProviderDefinition } from '../../../lib/domain/provider';
import type { FinishedVideo } from '../../../lib/domain/video';
import { chaosFile, completed, completedUntil, createChaos, type Chaos } from '../../support/chaos-provider';
import { makeAcme, type Acme } from './make-acme';
import { addSecondCheck, loseLeases } from '../../support/jobs';

// What a start and a check do when a provider fails for a long time. `life-of-a-video.test.ts` has the usual cases.

const MINUTE_MS = 60_000;
const DEADLINE_MS = 15 * MINUTE_MS;

let acme: Acme;
let alpha: Chaos;
let beta: Chaos;
beforeAll(async () => {
  // `alpha` recognises our video ids, as some providers do.
  alpha = createChaos('alpha', { repeatable: true });
  beta = createChaos('beta');
  const stage = createChaos('stage');
  // `beta` cannot stop what it has begun, as most cannot.
  const unstoppable: ProviderDefinition = {
    ...beta.definition,
    create(deps) {
      const { cancel: _cancel, ...video } = beta.definition.create(deps).video!;
      return { id: 'beta', video };
    },
  };
  acme = await makeAcme({
    providers: [alpha.definition, unstoppable, stage.definition],
    testProvider: stage.definition,
  });
});
afterAll(() => acme.close());
beforeEach(() => {
  for (const chaos of [alpha, beta]) {
    for (const calls of Object.values(chaos.calls)) (calls as unknown[]).length = 0;
    chaos.onStart = async () => ({});
    chaos.onCheck = async () => completed;
  }
});

const busy = (retryAfterMs: number) => upstreamFailed({ retry: 'later', started: 'no', retryAfterMs }, '429');
const lost = () => upstreamFailed({ retry: 'later', started: 'maybe' }, 'socket closed');
async function submit(model = 'acme-t2v') {
  const { id } = await acme.submit(acme.live, { model });
  await acme.settle();
  return id;
}
async function outcomes(id: string) {
  return (
    await acme.db.query('select provider, outcome, code from video_attempts where video_id = $1 order by attempt', [id])
  ).rows;
}

describe('a start', () => {
  it('that a provider which recognises our ids may have begun stays with it, whatever it answers next', async () => {
    const answers = [lost(), upstreamFailed({ retry: 'elsewhere', started: 'no' }, '503'), busy(1_000)];
    alpha.onStart = async () => {
      const answer = answers.shift();
      if (answer) throw answer;
      return {};
    };
    const id = await submit();
    for (let round = 0; round < 6; round += 1) await acme.pass(30_000);
    expect(await acme.read(acme.live, id)).toMatchObject({ status: 'completed' });
    expect([alpha.calls.starts.length, beta.calls.starts.length]).toEqual([4, 0]);
    expect(await outcomes(id)).toMatchObject(
      [{ outcome: 'unknown' }, { outcome: 'failed' }, { outcome: 'failed' }, { outcome: 'accepted' }].map((row) => ({
        ...row,
        provider: 'alpha',
      })),
    );
  });

  it('that is postponed for longer than the video may take ends at the deadline, uncharged', async () => {
    alpha.onStart = async () => {
      throw busy(24 * 60 * MINUTE_MS);
    };
    const id = await submit('alpha/acme-t2v');
    await acme.pass(DEADLINE_MS + 1_000);
    const video = await acme.read(acme.live, id);
    expect(video).toMatchObject({
      status: 'failed',
      cost: 0,
      error: {
        code: 'upstream_timeout',
        message: 'No provider took the video before its deadline. You were not charged.',
      },
    });
    expect(Number(video.completed_at) - video.created_at).toBeLessThan(DEADLINE_MS / 1_000 + 60);
  });

  it('that no provider takes now is retried, round after round, until the deadline', async () => {
    for (const chaos of [alpha, beta]) {
      chaos.onStart = async () => {
        throw upstreamFailed({ retry: 'elsewhere', started: 'no' }, '503');
      };
    }
    const id = await submit();
    for (let round = 0; round < 14; round += 1) await acme.pass(MINUTE_MS);
    expect(await acme.read(acme.live, id)).toMatchObject({ status: 'queued' });
    // About 17 rounds. A provider whose circuit is open is skipped in a round, but never both.
    const [alphas, betas] = [alpha.calls.starts.length, beta.calls.starts.length];
    expect(Math.min(alphas, betas)).toBeGreaterThan(6);
    expect(alphas + betas).toBeGreaterThan(16);
    await acme.pass(MINUTE_MS);
    expect(await acme.read(acme.live, id)).toMatchObject({
      status: 'failed',
      cost: 0,
      error: { code: 'upstream_timeout' },
    });
  });

  it('waits only as long as the provider that wants to be left alone for the shortest time', async () => {
    // The circuits that an earlier test has opened let one call pass again.
    await acme.pass(6 * MINUTE_MS);
    const answers = [busy(1_000)];
    alpha.onStart = async () => {
      const answer = answers.shift();
      if (answer) throw answer;
      return {};
    };
    beta.onStart = async () => {
      throw busy(24 * 60 * MINUTE_MS);
    };
    const id = await submit();
    expect(await outcomes(id)).toMatchObject([
      { provider: 'alpha', outcome: 'failed' },
      { provider: 'beta', outcome: 'failed' },
    ]);
    await acme.pass(10_000);
    expect((await outcomes(id)).at(-1)).toMatchObject({ provider: 'alpha', outcome: 'accepted' });
    await acme.pass(MINUTE_MS);
    expect(await acme.read(acme.live, id)).toMatchObject({ status: 'completed' });
  });

  it('waits for the only provider that is left when another one refuses our account', async () => {
    await acme.pass(6 * MINUTE_MS);
    alpha.onStart = async () => {
      throw busy(5 * MINUTE_MS);
    };
    beta.onStart = async () => {
      throw upstreamFailed({ retry: 'elsewhere', started: 'no' }, '401', 'upstream_auth_failed');
    };
    const id = await submit();
    await acme.pass(2 * MINUTE_MS);
    expect(alpha.calls.starts).toHaveLength(1);
    alpha.onStart = async () => ({});
    await acme.pass(4 * MINUTE_MS);
    await acme.pass(MINUTE_MS);
    expect(await acme.read(acme.live, id)).toMatchObject({ status: 'completed' });
    expect(beta.calls.starts).toHaveLength(1);
  });

  it('that may have begun and is still open at the deadline is logged as a possible orphan', async () => {
    alpha.onStart = async () => {
      throw lost();
    };
    const id = await submit('alpha/acme-t2v');
    await acme.pass(DEADLINE_MS + 1_000);
    expect(await acme.read(acme.live, id)).toMatchObject({
      status: 'failed',
      cost: 0,
      error: { code: 'upstream_unconfirmed' },
    });
    expect(acme.log.lines).toContainEqual(
      expect.objectContaining({ level: 'error', fields: { videoId: id, provider: 'alpha' } }),
    );
  });

  it("that throws in a provider's own code counts as one that may have begun", async () => {
    beta.onStart = async () => {
      throw new TypeError('undefined is not a function');
    };
    const id = await submit('beta/acme-t2v');
    expect(await acme.read(acme.live, id)).toMatchObject({ status: 'failed', error: { code: 'upstream_unconfirmed' } });
    expect(beta.calls.starts).toHaveLength(1);
    expect(JSON.stringify(acme.log.lines)).not.toContain('undefined is not a function');
  });

  it('that is refused for its media ends with the message and the code of the refusal', async () => {
    beta.onStart = async () => {
      throw new GatewayError('media_unreachable', 'image_url could not be read.', {
        upstream: { retry: 'never', started: 'no' },
      });
    };
    const id = await submit('beta/acme-t2v');
    expect(await acme.read(acme.live, id)).toMatchObject({
      status: 'failed',
      error: { code: 'media_unreachable', message: 'image_url could not be read. You were not charged.' },
    });
    expect(await outcomes(id)).toEqual([{ provider: 'beta', outcome: 'refused', code: 'media_unreachable' }]);
  });
});

describe('a cancellation while the start is running', () => {
  it('is refused if the provider could not stop what it begins, and allowed again once it has refused to', async () => {
    let answer: (error?: Error) => void = () => {};
    beta.onStart = () => new Promise((resolve, reject) => (answer = (error) => (error ? reject(error) : resolve({}))));
    const { id } = await acme.submit(acme.live, { model: 'beta/acme-t2v' });
    await expect.poll(() => beta.calls.starts.length, { timeout: 15_000, interval: 5 }).toBe(1);
    expect(await acme.gateway.videos.details(acme.live, id)).toMatchObject({ cancellable: false });
    await expect(acme.gateway.videos.cancel(acme.live, id)).rejects.toMatchObject({ code: 'cancel_not_supported' });
    expect(await acme.read(acme.live, id)).toMatchObject({ status: 'queued' });
    answer(busy(60_000));
    await acme.settle();
    expect(await acme.gateway.videos.cancel(acme.live, id)).toMatchObject({
      status: 'failed',
      cost: 0,
      error: { code: 'cancelled' },
    });
  });
});

describe('a job that fails here each time', () => {
  it('ends the video uncharged after a while, when its finished file cannot be stored', async () => {
    // A text that no database accepts.
    alpha.onCheck = async () => ({ status: 'completed', video: { expiresAt: 'kept', file: { note: 'a\u0000b' } } });
    const id = await submit();
    for (let round = 0; round < 14; round += 1) await acme.pass(5 * MINUTE_MS);
    expect(await acme.read(acme.live, id)).toMatchObject({
      status: 'failed',
      cost: 0,
      error: { code: 'internal_error', message: expect.stringContaining('You were not charged.') },
    });
    expect(alpha.calls.checks.length).toBeLessThanOrEqual(12);
    expect(acme.log.lines).toContainEqual({
      level: 'error',
      message: expect.stringContaining('given up') as string,
      fields: { videoId: id },
    });
  });
});

describe('a start whose process is lost', () => {
  it('is stored once, and not stopped, when the lost one returns after another runner has begun the same video', async () => {
    let answer: () => void = () => {};
    alpha.onStart = (_start, call) =>
      call === 1 ? new Promise((resolve) => (answer = () => resolve({}))) : Promise.resolve({});
    const { id } = await acme.submit(acme.live, { model: 'alpha/acme-t2v' });
    await expect.poll(() => alpha.calls.starts.length, { timeout: 15_000, interval: 5 }).toBe(1);
    await loseLeases(acme.db, id);
    await acme.settle();
    expect(alpha.calls.starts).toHaveLength(2);
    answer();
    await acme.pass(6_000);
    expect(await acme.read(acme.live, id)).toMatchObject({ status: 'completed', cost: 0.5 });
    expect((await outcomes(id)).filter(({ outcome }) => outcome === 'accepted')).toHaveLength(1);
    expect(alpha.calls.cancels).toEqual([]);
  });

  it('is left alone while its answer may still be stored, and is unconfirmed afterwards', async () => {
    let answer: () => void = () => {};
    beta.onStart = () => new Promise((resolve) => (answer = () => resolve({})));
    const { id } = await acme.submit(acme.live, { model: 'beta/acme-t2v' });
    await expect.poll(() => beta.calls.starts.length, { timeout: 15_000, interval: 5 }).toBe(1);
    // The lease has expired, and another runner takes the row.
    await loseLeases(acme.db, id);
    await acme.settle();
    expect(await acme.read(acme.live, id)).toMatchObject({ status: 'queued' });
    await acme.pass(2 * MINUTE_MS + 1_000);
    answer();
    expect(await acme.read(acme.live, id)).toMatchObject({
      status: 'failed',
      cost: 0,
      error: { code: 'upstream_unconfirmed' },
    });
    expect(beta.calls.starts).toHaveLength(1);
  });
});

describe('a check', () => {
  it('that is postponed for longer than the video may take runs at the deadline', async () => {
    alpha.onCheck = async () => {
      throw busy(24 * 60 * MINUTE_MS);
    };
    const id = await submit();
    await acme.pass(6_000);
    await acme.pass(DEADLINE_MS);
    const video = await acme.read(acme.live, id);
    expect(video).toMatchObject({ status: 'failed', cost: 0, error: { code: 'upstream_timeout' } });
    expect(Number(video.completed_at) - video.created_at).toBeLessThan(DEADLINE_MS / 1_000 + 60);
    expect(alpha.calls.cancels).toEqual([id]);
  });

  it('that is postponed for days is made again after five minutes, and finds the finished video', async () => {
    let checks = 0;
    alpha.onCheck = async () => {
      checks += 1;
      if (checks <= 2) throw busy(24 * 60 * MINUTE_MS);
      return completed;
    };
    const id = await submit();
    await acme.pass(6_000);
    await acme.pass(5 * MINUTE_MS);
    await acme.pass(5 * MINUTE_MS);
    expect(await acme.read(acme.live, id)).toMatchObject({ status: 'completed', cost: 0.5 });
  });

  it('finds a video that became ready while no check was possible, although its time is over', async () => {
    const id = await submit();
    await acme.clock.advance(3 * DEADLINE_MS);
    await acme.pass(6_000);
    expect(await acme.read(acme.live, id)).toMatchObject({ status: 'completed', cost: 0.5 });
  });

  it('that cannot be made at the deadline ends the video all the same', async () => {
    alpha.onCheck = async () => {
      throw lost();
    };
    const id = await submit();
    await acme.clock.advance(3 * DEADLINE_MS);
    await acme.pass(6_000);
    expect(await acme.read(acme.live, id)).toMatchObject({ status: 'failed', error: { code: 'upstream_timeout' } });
  });

  it('after the end changes nothing, whatever the provider says by then', async () => {
    alpha.onCheck = async () => ({ status: 'failed', code: 'generation_failed', message: 'No.' });
    const id = await submit();
    await acme.pass(6_000);
    const ended = await acme.read(acme.live, id);
    alpha.onCheck = async () => completed;
    await addSecondCheck(acme.db, id);
    await acme.pass(MINUTE_MS);
    expect(await acme.read(acme.live, id)).toEqual(ended);
  });

  it('that ends differently than a second one at the same time leaves one end, one charge and one webhook', async () => {
    let both: () => void = () => {};
    const together = new Promise<void>((resolve) => (both = resolve));
    alpha.onCheck = async (_id, call) => {
      if (call === 2) both();
      await together;
      return call === 1 ? completed : { status: 'failed', code: 'generation_failed', message: 'No.' };
    };
    const before = Number((await acme.gateway.accounts.credits(acme.live)).spent);
    const { id } = await acme.submit(acme.live, { webhook: 'https://example.com/hook' });
    await acme.settle();
    // A lost lease: two runners make the same check.
    await addSecondCheck(acme.db, id);
    await acme.pass(6_000);
    expect(alpha.calls.checks).toHaveLength(2);
    const video = await acme.read(acme.live, id);
    expect(Number((await acme.gateway.accounts.credits(acme.live)).spent) - before).toBeCloseTo(
      video.status === 'completed' ? 0.5 : 0,
      9,
    );
    const { rows } = await acme.db.query('select event, body from webhook_deliveries where video_id = $1', [id]);
    expect(rows).toEqual([{ event: `video.${video.status}`, body: JSON.stringify(video) }]);
  });

  it('with queued or in_progress in any order never moves a video back', async () => {
    const words = ['queued', 'in_progress', 'queued'] as const;
    let call = 0;
    alpha.onCheck = async () => ({ status: words[Math.min(call++, 2)] ?? 'queued' });
    const id = await submit();
    const seen: unknown[] = [(await acme.read(acme.live, id)).status];
    for (let round = 0; round < 3; round += 1) {
      await acme.pass(6_000);
      seen.push((await acme.read(acme.live, id)).status);
    }
    expect(seen).toEqual(['queued', 'queued', 'in_progress', 'in_progress']);
    alpha.onCheck = async () => completed;
    await acme.pass(6_000);
    expect(await acme.read(acme.live, id)).toMatchObject({ status: 'completed', progress: 100 });
  });
});

describe('what a provider states wrongly', () => {
  it.each<[string, Partial<FinishedVideo>]>([
    ['a width that no file has', { width: 1e12 }],
    ['a width with a fraction', { width: 1280.4 }],
    ['an endless length', { durationSeconds: 1e308 }],
    ['a negative frame rate', { fps: -24 }],
    ['a time that is no date', { expiresAt: new Date(Number.NaN) }],
    ['a time in 50,000 years', { expiresAt: new Date(1.5e15) }],
  ])('of its file, %s, does not lose the video', async (_what, wrong) => {
    alpha.onCheck = async () => ({ status: 'completed', video: { ...completed.video, ...wrong } });
    const id = await submit('alpha/acme-t2v');
    await acme.pass(MINUTE_MS);
    const video = await acme.read(acme.live, id);
    expect(video.status).toBe('completed');
    const width = wrong.width === undefined || wrong.width < 2_000 ? 1280 : null;
    const { rows } = await acme.db.query('select width, expires_at from videos where id = $1', [id]);
    expect(rows[0]?.width).toBe(width);
    expect(new Date(String(rows[0]?.expires_at)).getFullYear()).toBeLessThan(2_100);
  });

  it.each([
    ['a sum that the database refuses', { nanoUsd: 2n ** 70n, units: 'credits' }, [null, 'credits']],
    ['a unit that is a page of text', { nanoUsd: 5n, units: '9'.repeat(5_000) }, ['5', null]],
  ] as const)('of its bill, %s, does not lose the video', async (_what, bill, stored) => {
    alpha.onCheck = async () => ({ ...completed, bill });
    const id = await submit('alpha/acme-t2v');
    await acme.pass(MINUTE_MS);
    expect((await acme.read(acme.live, id)).status).toBe('completed');
    const { rows } = await acme.db.query(
      'select upstream_nano_usd::text as sum, upstream_units as units from videos where id = $1',
      [id],
    );
    expect([rows[0]?.sum, rows[0]?.units]).toEqual(stored);
  });

  it('as a time of deletion that is over leaves an hour for the download', async () => {
    alpha.onCheck = async () => completedUntil(new Date(acme.clock.nowMs() - 60 * MINUTE_MS));
    const id = await submit('alpha/acme-t2v');
    await acme.pass(MINUTE_MS);
    const video = await acme.read(acme.live, id);
    expect(video.status).toBe('completed');
    expect(Number(video.expires_at) - Number(video.completed_at)).toBe(3_600);
    const { body } = await acme.gateway.videos.open(acme.live, id, () => undefined, new AbortController().signal);
    expect(await buffer(body)).toEqual(chaosFile);
  });

  it.each(['v\u0000x', 'v'.repeat(9_000)])(
    'as an id that the database refuses ends the video as unconfirmed, and is not stored again and again',
    async (providerJobId) => {
      alpha.onStart = async () => ({ providerJobId });
      const id = await submit('alpha/acme-t2v');
      expect(acme.log.lines.filter(({ message }) => message.includes('could not be stored yet'))).toEqual([]);
      alpha.onStart = async () => ({});
      for (let round = 0; round < 6; round += 1) await acme.pass(MINUTE_MS);
      expect((await acme.read(acme.live, id)).status).toMatch(/completed|failed/);
    },
  );
});

describe('a lone provider that answers nothing', () => {
  it('is sent one video at a time, after it has lost five', async ({ onTestFinished }) => {
    // The circuits that an earlier test has opened let one call pass again, and its success closes them.
    await acme.pass(6 * MINUTE_MS);
    await submit('beta/acme-t2v');
    const requests: (() => void)[] = [];
    onTestFinished(() => requests.forEach((fail) => fail()));
    beta.onStart = () => new Promise((_resolve, reject) => requests.push(() => reject(lost())));
    const submitOne = () => acme.submit(acme.live, { model: 'beta/acme-t2v' });
    const sent = async (n: number) => void (await expect.poll(() => requests.length).toBe(n));
    await Promise.all(Array.from({ length: 5 }, submitOne));
    await sent(5);
    for (const fail of requests.splice(0)) fail();
    await acme.settle();

    const waiting = await Promise.all(Array.from({ length: 10 }, submitOne));
    const postponed = async () => {
      await acme.clock.advance(10);
      const { rows } = await acme.db.query(`select from jobs where kind = 'video.start' and due_at is not null`);
      return rows.length;
    };
    await expect.poll(postponed, { timeout: 20_000 }).toBe(9);
    expect(requests).toHaveLength(1);
    beta.onStart = async () => ({});
    for (const fail of requests.splice(0)) fail();
    for (let round = 0; round < 8; round += 1) await acme.pass(MINUTE_MS);
    const ends = await Promise.all(waiting.map(({ id }) => acme.read(acme.live, id)));
    expect(ends.filter(({ status }) => status === 'completed')).toHaveLength(9);
    expect(ends.find(({ status }) => status === 'failed')?.error?.code).toBe('upstream_unconfirmed');
  });
});
