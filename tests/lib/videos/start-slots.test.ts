import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../lib/domain/clock';
import type { Db } from '../../../lib/db/database';
import type { Caller } from '../../../lib/domain/caller';
import { upstreamFailed } from '../../../lib/domain/errors';
import { completed, createChaos, type Chaos, type ChaosOptions } from '../../support/chaos-provider';
import type { TestGatewayOptions } from '../../support/gateway';
import { runPostgres } from '../../support/run-postgres';
import { makeAcme, type Acme } from './make-acme';

// The turns of the starts that wait for a slot of a provider with limits.

const MINUTE_MS = 60_000;
const BACKLOG = 150;

const postgres = runPostgres();
afterAll(() => postgres?.close());

const opened: Acme[] = [];
afterEach(async () => {
  for (const acme of opened.splice(0)) await acme.close();
});

interface Limited {
  readonly acme: Acme;
  readonly alpha: Chaos;
  /** The organisations of the starts that the provider received. */
  readonly startsOf: (names: Readonly<Record<string, Caller>>) => string;
  readonly submit: (caller: Caller, times?: number) => Promise<string[]>;
  /** The provider completes this video, and time passes until the gateway knows. */
  readonly complete: (videoId: string) => Promise<void>;
}

async function makeLimited(chaos: ChaosOptions, options: TestGatewayOptions = {}): Promise<Limited> {
  const alpha = createChaos('alpha', chaos);
  const stage = createChaos('stage');
  const acme = await makeAcme({
    providers: [alpha.definition, createChaos('beta').definition, stage.definition],
    testProvider: stage.definition,
    env: { ORGANIZATION_LIMITS: 'running_videos=off' },
    ...options,
  });
  opened.push(acme);
  const done = new Set<string>();
  alpha.onCheck = async (videoId) => (done.has(videoId) ? completed : { status: 'in_progress' });
  return {
    acme,
    alpha,
    startsOf: (names) =>
      alpha.calls.starts
        .map(({ owner }) => Object.keys(names).find((name) => names[name]?.orgId === owner.orgId))
        .join(''),
    async submit(caller, times = 1) {
      const ids: string[] = [];
      for (let n = 0; n < times; n += 1) {
        await acme.clock.advance(1);
        ids.push((await acme.submit(caller, { model: 'alpha/acme-t2v', seconds: 3 })).id);
      }
      await acme.settle();
      return ids;
    },
    async complete(videoId) {
      done.add(videoId);
      const starts = alpha.calls.starts.length;
      const waiting = await acme.count('waiting_starts');
      for (let n = 0; n < 30; n += 1) {
        await acme.pass(5_000);
        if (waiting === 0 || alpha.calls.starts.length > starts) break;
      }
    },
  };
}

const runsOfStarts = async ({ db }: Acme) =>
  Number((await db.query(`select coalesce(sum(run), 0)::int as n from jobs where kind = 'video.start'`)).rows[0]?.n);

describe('a slot that becomes free', () => {
  it('goes to the organisation with the fewest running videos, however many starts of another one wait', async () => {
    const { acme, alpha, submit, complete, startsOf } = await makeLimited({ limits: { running: 2 } });
    const [a, b] = [acme.live, await acme.stranger('Others')];
    await submit(a, 7);
    await submit(b, 3);
    expect(startsOf({ A: a, B: b })).toBe('AA');
    for (let n = 0; n < 6; n += 1) await complete(alpha.calls.starts[n]!.videoId);
    expect(startsOf({ A: a, B: b })).toBe('AABABABA');
  });

  it('goes to the start that waits longest in its organisation, and to no new one', async () => {
    const { acme, alpha, submit, complete } = await makeLimited({ limits: { running: 1 } });
    const ids = await submit(acme.live, 3);
    await complete(ids[0]!);
    ids.push(...(await submit(acme.live)));
    await complete(ids[1]!);
    await complete(ids[2]!);
    expect(alpha.calls.starts.map(({ videoId }) => videoId)).toEqual(ids);
  });

  it('of the starts of a minute too', async () => {
    const { acme, submit, startsOf } = await makeLimited({ limits: { startsPerMinute: 2 } });
    const [a, b] = [acme.live, await acme.stranger('Others')];
    await submit(a, 6);
    await submit(b, 1);
    expect(startsOf({ A: a, B: b })).toBe('AA');
    await acme.pass(MINUTE_MS);
    for (let n = 0; n < 3; n += 1) await acme.pass(2_000);
    // Both slots were free at once, so the two may have come in either order.
    expect([...startsOf({ A: a, B: b })].toSorted().join('')).toBe('AAAB');
  });

  it('of the starts of a minute is used in time when the clock of the machine is set back', async () => {
    const { acme, alpha, submit } = await makeLimited({ limits: { startsPerMinute: 2 } });
    await submit(acme.live, 3);
    expect(alpha.calls.starts).toHaveLength(2);
    // As if it had been set back by an hour since.
    await acme.db.query(`update video_attempts set submitted_at = submitted_at + interval '1 hour'`);
    for (let n = 0; n < 3; n += 1) await acme.pass(1_000);
    expect(alpha.calls.starts).toHaveLength(3);
  });

  it('goes to the start whose turn it is even if the process that called it was killed', async () => {
    const { acme, alpha, submit, complete } = await makeLimited({ limits: { running: 1 } });
    const ids = await submit(acme.live, 3);
    // As if it had been killed eleven seconds ago, before it made the job due.
    await acme.db.query(`update waiting_starts set called_at = now() - interval '11 seconds' where video_id = $1`, [
      ids[1],
    ]);
    for (let n = 0; n < 2; n += 1) await acme.pass(1_000);
    await complete(ids[0]!);
    expect(alpha.calls.starts.map(({ videoId }) => videoId)).toEqual(ids.slice(0, 2));
  });

  it('is not kept for a cancelled video, nor for one that does not come', async () => {
    const { acme, alpha, submit, complete } = await makeLimited({ limits: { running: 1 } });
    const other = await acme.stranger('Others');
    const [first] = await submit(acme.live);
    const [cancelled, late] = await submit(other, 2);
    const [next] = await submit(acme.live);
    await acme.gateway.videos.cancel(other, cancelled!);
    // After an error of ours a job keeps its pause.
    await acme.db.query(`update jobs set failures = 1, due_at = now() + interval '1 hour' where subject = $1`, [late]);
    await complete(first!);
    expect(alpha.calls.starts.map(({ videoId }) => videoId)).toEqual([first]);
    // The time of the call is that of the database's clock, which the test does not move.
    const { rowCount } = await acme.db.query(
      `update waiting_starts set called_at = called_at - interval '11 seconds' where called_at is not null`,
    );
    expect(rowCount).toBe(1);
    for (let n = 0; n < 5; n += 1) await acme.pass(1_000);
    expect(alpha.calls.starts.map(({ videoId }) => videoId)).toEqual([first, next]);
    await acme.pass(60 * MINUTE_MS);
    expect(await acme.count('waiting_starts')).toBe(0);
  });
});

describe('a start without a slot', () => {
  it('does not run again until it is called', async () => {
    const { acme, submit } = await makeLimited({ limits: { running: 1 } });
    await submit(acme.live, 20);
    const runs = await runsOfStarts(acme);
    for (let n = 0; n < 6; n += 1) await acme.pass(5_000);
    expect(await runsOfStarts(acme)).toBe(runs);
  });

  it('leaves its line when its video is cancelled', async () => {
    const { acme, submit } = await makeLimited({ limits: { running: 0 } });
    const [id] = await submit(acme.live, 2);
    expect(await acme.count('waiting_starts')).toBe(2);
    await acme.gateway.videos.cancel(acme.live, id!);
    expect(await acme.count('waiting_starts')).toBe(1);
  });

  it('ends at its deadline, and its line forgets it', async () => {
    const { acme, submit } = await makeLimited({ limits: { running: 0 } });
    const [id] = await submit(acme.live);
    for (let n = 0; n < 16; n += 1) await acme.pass(MINUTE_MS);
    expect(await acme.read(acme.live, id!)).toMatchObject({ status: 'failed', error: { code: 'upstream_timeout' } });
    expect(await acme.count('waiting_starts')).toBe(0);
  });
});

describe('a backlog that gets many slots at once', () => {
  it('starts, and its starts are compared once a second, at most as many as are called at once', async () => {
    const limits = { running: 0 };
    const comparisons: number[] = [];
    const counted = <T extends Db>(db: T): T => ({
      ...db,
      async query(...call) {
        const result = await db.query(...call);
        if (result.rows[0] && 'isCalled' in result.rows[0]) comparisons.push(result.rows.length);
        return result;
      },
    });
    const { acme, alpha, submit } = await makeLimited(
      { limits },
      { viewOf: (db) => ({ ...db, inTransaction: (run) => db.inTransaction((tx) => run(counted(tx))) }) },
    );
    // The credits of one pay for half of it.
    for (const caller of [acme.live, await acme.stranger('Others')]) await submit(caller, BACKLOG / 2);
    expect(alpha.calls.starts).toHaveLength(0);
    limits.running = 1_000;
    for (let n = 0; n < 5; n += 1) await acme.pass(1_000);
    expect(alpha.calls.starts).toHaveLength(BACKLOG);
    expect(Math.max(...comparisons)).toBe(100);
    expect(comparisons.length).toBeLessThanOrEqual(5);
  });
});

describe('a backlog without a slot that another provider could take, which fails', () => {
  it('tries at most 20 starts a second, however many wait, until one of the providers takes them', async () => {
    const alpha = createChaos('alpha', { limits: { running: 0 } });
    const beta = createChaos('beta');
    const stage = createChaos('stage');
    beta.onStart = async () => {
      throw upstreamFailed({ retry: 'elsewhere', started: 'no' }, 'beta is down');
    };
    const acme = await makeAcme({
      providers: [alpha, beta, stage].map(({ definition }) => definition),
      testProvider: stage.definition,
      env: { ORGANIZATION_LIMITS: 'running_videos=off' },
    });
    opened.push(acme);
    // The credits of one pay for half of it.
    for (const caller of [acme.live, await acme.stranger('Others')])
      for (let n = 0; n < BACKLOG / 2; n += 1) await acme.submit(caller, { model: 'acme-t2v', seconds: 3 });
    await acme.settle();
    // Once more, so that each finds all others in line.
    await acme.pass(MINUTE_MS);
    const { rows } = await acme.db.query(
      `select count(*)::int as waiting, sum(1 / extract(epoch from due_at - waits_since))::float8 as "perSecond"
       from jobs where kind = 'video.start'`,
    );
    expect(rows[0]?.['waiting']).toBe(BACKLOG);
    expect(rows[0]?.['perSecond']).toBeLessThan(21);
    beta.onStart = async () => ({});
    const unfinished = () => acme.count(`videos where status <> 'completed'`);
    for (let n = 0; n < 20 && (await unfinished()) > 0; n += 1) await acme.pass(20_000);
    expect(await unfinished()).toBe(0);
  });
});

describe.skipIf(!postgres)('two processes on one database', () => {
  it('never exceed the limit, and give each organisation its turns', async () => {
    const databaseUrl = await postgres!.createDatabase();
    let running = 0;
    let most = 0;
    const order: string[] = [];
    const make = async () => {
      const made = await makeLimited(
        { limits: { running: 2 }, pace: { firstMs: 100, minMs: 100 } },
        { databaseUrl, clock: systemClock },
      );
      made.alpha.onStart = async ({ owner }) => {
        running += 1;
        most = Math.max(most, running);
        order.push(owner.orgId);
        return {};
      };
      made.alpha.onCheck = async () => {
        running -= 1;
        return completed;
      };
      return made.acme;
    };
    const [first, second] = [await make(), await make()];
    const submit = (acme: Acme) => acme.submit(acme.live, { model: 'alpha/acme-t2v', seconds: 3 });
    await Promise.all(Array.from({ length: 9 }, () => submit(first)));
    await Promise.all(Array.from({ length: 3 }, () => submit(second)));
    await expect
      .poll(() => first.count(`videos where status <> 'completed'`), { timeout: 60_000, interval: 100 })
      .toBe(0);
    expect(most).toBeLessThanOrEqual(2);
    expect(order).toHaveLength(12);
    // At most every second start from then on is of the other organisation, after those that came before.
    const before = order.indexOf(second.live.orgId);
    expect(before).toBeLessThan(9);
    expect(order.lastIndexOf(second.live.orgId) - before).toBeLessThanOrEqual(5);
  }, 90_000);
});
