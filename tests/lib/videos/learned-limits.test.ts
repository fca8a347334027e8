import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../lib/domain/clock';
import type { Caller } from '../../../lib/domain/caller';
import { GatewayError } from '../../../lib/domain/errors';
import { completed, createChaos, type ChaosOptions } from '../../support/chaos-provider';
import type { TestGatewayOptions } from '../../support/gateway';
import { runPostgres } from '../../support/run-postgres';
import { acme as acmeModel, makeAcme, type Acme } from './make-acme';
import { madeUp } from './request-models';

// A provider that states no limits, but refuses starts above as many running videos as it likes: most are like that.

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;

const postgres = runPostgres();
afterAll(() => postgres?.close());

const opened: Acme[] = [];
afterEach(async () => {
  for (const acme of opened.splice(0)) await acme.close();
});

/** A start with this prompt is refused however few videos run. */
const REFUSED_PROMPT = 'a request with a limit of its own';

const tooMany = (retryAfterMs = 0) =>
  new GatewayError('rate_limit_exceeded', 'Too many running videos.', {
    upstream: { retry: 'later', started: 'no', retryAfterMs },
  });

async function makeRefusing(options: TestGatewayOptions = {}, chaos: ChaosOptions = {}) {
  const alpha = createChaos('alpha', chaos);
  const beta = createChaos('beta');
  const stage = createChaos('stage');
  const running = new Set<string>();
  const done = new Set<string>();
  const account = {
    max: 2,
    retryAfterMs: 0,
    refusals: 0,
    started: [] as { readonly id: string; readonly orgId: string }[],
  };
  alpha.onStart = async ({ videoId, owner, order }) => {
    if (running.size >= account.max || order.prompt === REFUSED_PROMPT) {
      account.refusals += 1;
      throw tooMany(account.retryAfterMs);
    }
    running.add(videoId);
    account.started.push({ id: videoId, orgId: owner.orgId });
    return {};
  };
  alpha.onCheck = async (videoId) => {
    if (!done.has(videoId)) return { status: 'in_progress' };
    running.delete(videoId);
    return completed;
  };
  const acme = await makeAcme({
    providers: [alpha.definition, beta.definition, stage.definition],
    testProvider: stage.definition,
    env: { ORGANIZATION_LIMITS: 'running_videos=off' },
    ...options,
  });
  opened.push(acme);

  const pass = async (seconds: number) => {
    for (let n = 0; n < seconds; n += 1) await acme.pass(SECOND_MS);
  };
  return {
    acme,
    account,
    alpha,
    beta,
    stage,
    pass,
    async submit(caller: Caller, times: number, model = 'alpha/acme-t2v') {
      for (let n = 0; n < times; n += 1) {
        await acme.clock.advance(1);
        await acme.submit(caller, { model, seconds: 3 });
      }
      await acme.settle();
    },
    /** The provider completes the video that it started as the nth; time passes until another one starts. */
    async complete(nth: number) {
      done.add(account.started[nth]!.id);
      const starts = account.started.length;
      for (let n = 0; n < 60 && account.started.length === starts; n += 1) await pass(1);
    },
    startsOf: (names: Readonly<Record<string, Caller>>) =>
      account.started.map(({ orgId }) => Object.keys(names).find((name) => names[name]?.orgId === orgId)).join(''),
  };
}

const runsOfStarts = async ({ db }: Acme) =>
  Number((await db.query(`select coalesce(sum(run), 0)::int as n from jobs where kind = 'video.start'`)).rows[0]?.n);

describe('an account that refuses a start because of limits that it does not state', () => {
  it('gives a slot that becomes free to the organisation with the fewest running videos', async () => {
    const { acme, submit, complete, startsOf } = await makeRefusing();
    const [a, b] = [acme.live, await acme.stranger('Others')];
    await submit(a, 7);
    // More than start here: others pass a start that was just refused, and one of each organisation may have been.
    await submit(b, 7);
    expect(startsOf({ A: a, B: b })).toBe('AA');
    for (let n = 0; n < 6; n += 1) await complete(n);
    // AABABABA, if no attempt above the limit gets a slot before the end of its video is seen.
    const starts = startsOf({ A: a, B: b });
    expect(starts).toHaveLength(8);
    expect([...starts].filter((name) => name === 'B')).toHaveLength(3);
  });

  it('is asked by one start a minute, however many wait', async () => {
    const { acme, account, submit, pass } = await makeRefusing();
    await submit(acme.live, 60);
    // Pauses of 5, 10, 20 and 40 seconds, and then of a minute.
    await pass(90);
    const { refusals } = account;
    const runs = await runsOfStarts(acme);
    for (let n = 0; n < 10; n += 1) await acme.pass(MINUTE_MS);
    expect(account.started).toHaveLength(2);
    expect(account.refusals - refusals).toBeLessThanOrEqual(11);
    expect((await runsOfStarts(acme)) - runs).toBeLessThan(60 * 10);
  });

  it('is asked by one start at a time, however long its answers take', async () => {
    const { acme, account, alpha, submit, pass } = await makeRefusing();
    await submit(acme.live, 40);
    expect(account.started).toHaveLength(2);
    let asking = 0;
    let most = 0;
    const { onStart } = alpha;
    alpha.onStart = async (...call) => {
      asking += 1;
      most = Math.max(most, asking);
      await acme.clock.sleep(10_000);
      asking -= 1;
      return onStart(...call);
    };
    await pass(60);
    expect(most).toBe(1);
    account.max = 1_000;
    await pass(100);
    expect(account.started).toHaveLength(40);
  });

  it('gets the starts that wait as soon as it takes them, ever more at a time', async () => {
    const { acme, account, submit, pass } = await makeRefusing();
    await submit(acme.live, 60);
    await pass(20);
    expect(account.started).toHaveLength(2);
    account.max = 1_000;
    await pass(60);
    expect(account.started).toHaveLength(60);
  });

  it('waits for as long as the provider asks', async () => {
    const { acme, account, submit, pass } = await makeRefusing();
    account.max = 0;
    account.retryAfterMs = 40_000;
    await submit(acme.live, 1);
    expect(account.refusals).toBe(1);
    await pass(38);
    expect(account.refusals).toBe(1);
    await pass(4);
    expect(account.refusals).toBe(2);
  });

  it('may ask for a pause in fractions of a millisecond', async () => {
    const { acme, account, submit, pass } = await makeRefusing();
    account.max = 0;
    account.retryAfterMs = 7_345.6;
    await submit(acme.live, 1);
    expect(await acme.count('start_limits')).toBe(1);
    expect(await acme.count('jobs where failures > 0')).toBe(0);
    await pass(10);
    expect(account.refusals).toBe(2);
  });

  it('is not asked by others either while it wants a longer pause than five minutes', async () => {
    const { acme, account, submit, pass } = await makeRefusing();
    account.max = 0;
    account.retryAfterMs = 20 * MINUTE_MS;
    await submit(acme.live, 1);
    for (let n = 0; n < 10; n += 1) await acme.pass(MINUTE_MS);
    await submit(await acme.stranger('Others'), 3);
    await pass(3);
    expect(account.refusals).toBe(1);
  });

  it('is asked by one start after a long pause, however many wait', async () => {
    const { acme, account, submit, pass } = await makeRefusing();
    account.max = 0;
    account.retryAfterMs = 10 * MINUTE_MS;
    await submit(acme.live, 30);
    const { refusals } = account;
    for (let n = 0; n < 9; n += 1) await acme.pass(MINUTE_MS);
    await pass(75);
    expect(account.refusals - refusals).toBe(1);
  });

  it('is asked again in time when the clock of the machine is set back', async () => {
    const { acme, account, submit, pass } = await makeRefusing();
    await submit(acme.live, 3);
    expect(account.started).toHaveLength(2);
    const { refusals } = account;
    // As if it had been set back by an hour since.
    await acme.db.query(
      `update start_limits set raise_at = raise_at + interval '1 hour', earliest_at = earliest_at + interval '1 hour',
         refused_at = refused_at + interval '1 hour'`,
    );
    await pass(3);
    expect(account.refusals).toBe(refusals + 1);
    account.max = 1_000;
    await pass(10);
    expect(account.started).toHaveLength(3);
  });

  it('gets a start that it refused before the clock of the machine was set back in its turn', async () => {
    const { acme, account, submit, complete, pass } = await makeRefusing();
    await submit(acme.live, 3);
    await pass(7);
    await submit(acme.live, 1);
    const { rows } = await acme.db.query(
      `update waiting_starts set refused_at = refused_at + interval '1 hour' where refused_at is not null
       returning video_id as id`,
    );
    expect(rows).toHaveLength(1);
    await complete(0);
    expect(account.started[2]?.id).toBe(rows[0]?.id);
  });

  it('has no limit any more when it has refused nothing for five minutes', async () => {
    const { acme, account, submit, complete, pass } = await makeRefusing();
    await submit(acme.live, 3);
    expect(account.started).toHaveLength(2);
    account.max = 1_000;
    await complete(0);
    for (let n = 0; n < 6; n += 1) await acme.pass(MINUTE_MS);
    await pass(2);
    await submit(acme.live, 20);
    expect(account.started).toHaveLength(23);
  });

  it('gets other starts too while it refuses the one whose turn it is whenever that is sent', async () => {
    const { acme, account, submit, complete, pass } = await makeRefusing();
    await submit(acme.live, 2);
    await acme.submit(acme.live, { model: 'alpha/acme-t2v', seconds: 3, prompt: REFUSED_PROMPT });
    await submit(acme.live, 4);
    const until = async (starts: number) => {
      for (let n = 0; n < 300 && account.started.length < starts; n += 1) await pass(1);
      expect(account.started).toHaveLength(starts);
    };
    for (const both of [0, 2]) {
      await complete(both);
      await complete(both + 1);
      await until(both + 4);
    }
    expect(account.refusals).toBeLessThan(30);
  });

  it('leaves the starts that another provider takes to that one', async () => {
    const { acme, account, submit, beta } = await makeRefusing();
    account.max = 0;
    await submit(acme.live, 1, 'acme-t2v');
    await submit(acme.live, 4, 'acme-t2v');
    expect(beta.calls.starts).toHaveLength(5);
    expect(account.refusals).toBe(1);
    expect(await acme.count('waiting_starts')).toBe(0);
  });

  it('is not limited by a refusal that a caller asked for with a scenario', async () => {
    const { acme, stage } = await makeRefusing();
    stage.onStart = async ({ scenario }) => {
      if (scenario !== undefined) throw tooMany();
      return {};
    };
    await acme.submit(acme.test, { model: 'stage-t2v' }, { scenario: 'ratelimit:1' });
    await acme.settle();
    expect(await acme.count('start_limits')).toBe(0);
    const { id } = await acme.submit(await acme.stranger('Others', 'test'), { model: 'stage-t2v' });
    await acme.settle();
    expect(stage.calls.starts.map(({ videoId }) => videoId)).toContain(id);
  });
});

describe('two models at an account', () => {
  const second = madeUp({ id: 'acme-b', bindings: [{ providerId: 'alpha', modelName: 'acme-b-at-alpha' }] });
  const models = [acmeModel, second];

  it('do not wait for each other if the provider limits each of them', async () => {
    const { acme, alpha, account, submit } = await makeRefusing({ models });
    const { onStart } = alpha;
    alpha.onStart = (...call) =>
      call[0].binding.modelName === 'acme-b-at-alpha' ? Promise.resolve({}) : onStart(...call);
    await submit(acme.live, 10);
    expect(account.started).toHaveLength(2);
    await submit(acme.live, 3, 'alpha/acme-b');
    expect(alpha.calls.starts.filter(({ binding }) => binding.modelName === 'acme-b-at-alpha')).toHaveLength(3);
  });

  it('both get slots that become free if they share them, however many starts of one of them wait', async () => {
    const { acme, account, submit, complete } = await makeRefusing({ models });
    const other = await acme.stranger('Others');
    await submit(acme.live, 20);
    await submit(other, 1, 'alpha/acme-b');
    for (let n = 0; n < 12; n += 1) await complete(n);
    expect(account.started.map(({ orgId }) => orgId)).toContain(other.orgId);
  });
});

describe.skipIf(!postgres)('two processes on one database', () => {
  it('use each slot of an account that becomes free, and seldom ask it for more than it allows', async () => {
    const databaseUrl = await postgres!.createDatabase();
    const shared = { running: 0, refusals: 0, order: [] as string[] };
    const make = async () => {
      const { acme, alpha } = await makeRefusing(
        { databaseUrl, clock: systemClock },
        { pace: { firstMs: 100, minMs: 100 } },
      );
      alpha.onStart = async ({ owner }) => {
        if (shared.running >= 2) {
          shared.refusals += 1;
          throw tooMany();
        }
        shared.running += 1;
        shared.order.push(owner.orgId);
        return {};
      };
      alpha.onCheck = async () => {
        shared.running -= 1;
        return completed;
      };
      return acme;
    };
    const [first, second] = [await make(), await make()];
    const submit = (acme: Acme) => acme.submit(acme.live, { model: 'alpha/acme-t2v', seconds: 3 });
    await Promise.all(Array.from({ length: 9 }, () => submit(first)));
    await Promise.all(Array.from({ length: 3 }, () => submit(second)));
    await expect
      .poll(() => first.count(`videos where status <> 'completed'`), { timeout: 80_000, interval: 100 })
      .toBe(0);
    expect(shared.order).toHaveLength(12);
    expect(shared.refusals).toBeLessThan(12);
  }, 90_000);
});
