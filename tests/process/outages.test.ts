import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, it, type TestContext } from 'vitest';
import { systemClock } from '../../lib/domain/clock';
import { callOnce, makeFleet, type Answer, type CallOptions, type Fleet, type FleetProcess } from '../support/fleet';
import { startPostgres } from '../support/postgres';
import { isFullRun, leftToGate, longOrShort } from '../support/proof-runs';
import { startRedis } from '../support/redis';
import { startTcpRelay } from '../support/tcp-relay';

// Two processes under load while their Postgres stops answering, is killed, is cut off from one of them, or falls silent
// in the middle of a transaction of one of them; and while their Redis is killed. Every request is answered, with success
// or with a 503 that says when to try again; each accepted video is charged once, and the books are exact.

const [postgres, redis] = await Promise.all([startPostgres(), startRedis()]);
afterAll(() => Promise.all([postgres?.close(), redis?.close()]));

const ROUNDS = longOrShort(10, 1);
const AWAY_MS = longOrShort(20_000, 2_000);
const patience = { timeout: 60_000, interval: 100 };

describe.skipIf(!postgres)('Postgres, under load', () => {
  it(
    'stops answering, is killed and is cut off: clear 503s, recovery, and each video charged once',
    { timeout: longOrShort(1_800_000, 240_000), ...leftToGate(!isFullRun()) },
    async (context) => {
      const { fleet, relay, load, near, far } = await makeLoadedFleet(context);
      for (let round = 0; round < ROUNDS; round += 1) {
        await postgres!.pause();
        await systemClock.sleep(AWAY_MS);
        postgres!.resume();
        await load.succeeds(near);
        await load.succeeds(far);

        await postgres!.restart();
        await load.succeeds(near);
        await load.succeeds(far);

        relay.cut();
        await load.fails(far);
        await load.succeeds(near);
        relay.mend();
        await load.succeeds(far);
      }
      await load.finish();
      expect(await fleet.finish()).toEqual([]);
    },
  );

  it(
    'falls silent for one process in the middle of a transaction: the other continues when its lock is released',
    { timeout: 240_000, ...leftToGate(!isFullRun()) },
    async (context) => {
      const { fleet, relay, load, near, far } = await makeLoadedFleet(context);
      // One that charges messages, and has locked the credits of the organisation.
      await relay.fallSilentAfter('usage_days');
      // The database may still be executing what arrived last.
      const blocked = async () => {
        const { rows } = await fleet.db.query(
          `select count(*)::int as n from pg_stat_activity where state = 'idle in transaction' and xact_start < now()`,
        );
        return Number(rows[0]?.n);
      };
      await expect.poll(blocked, { timeout: 10_000, interval: 20 }).toBeGreaterThan(0);
      await load.submits(near);
      relay.mend();
      await load.submits(far);
      await load.finish();
      expect(await fleet.finish()).toEqual([]);
    },
  );
});

describe.skipIf(!postgres || !redis)('Redis, under load', () => {
  it(
    'is killed and comes back: no request fails, and a limit is divided between the processes meanwhile',
    { timeout: 240_000 },
    async ({ onTestFinished }) => {
      const LIMIT = 20;
      const fleet = await makeFleet(postgres!, {
        env: { REDIS_URL: redis!.url, KEY_LIMITS: `token_counts_per_minute=${LIMIT}` },
      });
      onTestFinished(() => fleet.remove());
      const processes = await Promise.all([fleet.add('web'), fleet.add('web')]);
      const load = startLoad(fleet, processes, { submits: false });
      onTestFinished(() => load.stop());
      const countTokens = async () => {
        const made = await callOnce(processes[0].baseUrl, 'POST', '/console/api/keys', {
          key: fleet.keys.live,
          body: { name: 'A key', mode: 'test' },
        });
        const body = { model: 'sandbox-text', messages: [{ role: 'user', content: 'Hello' }] };
        const allowed = processes.map(async ({ baseUrl }) => {
          let count = 0;
          for (let n = 0; n < LIMIT; n += 1) {
            const call = { key: String(made.json.key), body };
            const { status } = await callOnce(baseUrl, 'POST', '/v1/messages/count_tokens', call);
            if (status === 200) count += 1;
            else expect(status).toBe(429);
          }
          return count;
        });
        return Promise.all(allowed);
      };
      const sum = ([one = 0, other = 0]: readonly number[]) => one + other;
      // The processes know of each other when they have reported to Redis.
      await expect.poll(async () => sum(await countTokens()), patience).toBe(LIMIT);
      await systemClock.sleep(6_000);
      await redis!.stop();
      expect(await countTokens()).toEqual([LIMIT / 2, LIMIT / 2]);
      await redis!.start();
      await expect.poll(async () => sum(await countTokens()), patience).toBe(LIMIT);
      await load.finish();
      expect(load.refused()).toBe(0);
      expect(await fleet.finish()).toEqual([]);
    },
  );
});

/** `far` reaches Postgres through the relay. */
async function makeLoadedFleet({ onTestFinished }: TestContext) {
  const relay = await startTcpRelay({ targetPort: postgres!.port });
  onTestFinished(() => relay.close());
  const fleet = await makeFleet(postgres!);
  onTestFinished(() => fleet.remove());
  const near = await fleet.add('all');
  const far = await fleet.add('web', {
    env: { DATABASE_URL: fleet.databaseUrl.replace(`:${postgres!.port}/`, `:${relay.port}/`) },
  });
  const load = startLoad(fleet, [near, far], { submits: true });
  onTestFinished(() => load.stop());
  await load.succeeds(near);
  await load.succeeds(far);
  return { fleet, relay, load, near, far };
}

const message = { model: 'sandbox-text', max_tokens: 50, messages: [{ role: 'user', content: 'Hello' }] };
const order = { model: 'sandbox-t2v', prompt: 'a cat', seconds: 1, size: '640x360', fps: 8 };

/** At each process a client that sends messages, one that reads, and one that submits each video until it is accepted. */
function startLoad(fleet: Fleet, processes: readonly FleetProcess[], { submits }: { readonly submits: boolean }) {
  let isRunning = true;
  const wrong: string[] = [];
  const accepted = new Map<string, string>();
  let refused = 0;
  /** By process and kind of request: how many succeeded and how many were refused. */
  const counts = new Map(processes.map((one) => [one, { succeeded: 0, submitted: 0, failed: 0 }]));

  async function send(
    one: FleetProcess,
    method: string,
    route: string,
    options: CallOptions = {},
  ): Promise<Answer | undefined> {
    const startedAt = performance.now();
    const count = counts.get(one)!;
    try {
      const answer = await callOnce(one.baseUrl, method, route, { key: fleet.keys.test, ...options });
      if (answer.status < 300) {
        count.succeeded += 1;
        return answer;
      }
      refused += 1;
      count.failed += 1;
      const { code } = answer.json.error as { code?: string };
      if (answer.status !== 503 || answer.headers.get('retry-after') === null)
        wrong.push(`${method} ${route}: ${answer.status} ${String(code)}`);
    } catch (error) {
      wrong.push(
        `${method} ${route}: ${String((error as Error).cause ?? error)} after ${performance.now() - startedAt} ms`,
      );
    }
    return undefined;
  }

  async function repeat(pauseMs: number, run: () => Promise<unknown>): Promise<void> {
    while (isRunning) {
      await run();
      await systemClock.sleep(pauseMs);
    }
  }

  const clients = processes.flatMap((one) => [
    repeat(20, () => send(one, 'POST', '/v1/messages', { body: message })),
    repeat(20, () => send(one, 'GET', '/v1/credits')),
    ...(submits
      ? [
          repeat(300, async () => {
            const headers = { 'idempotency-key': randomUUID() };
            for (;;) {
              const answer = await send(one, 'POST', '/v1/videos', { body: order, headers });
              if (answer) {
                accepted.set(headers['idempotency-key'], String(answer.json.id));
                counts.get(one)!.submitted += 1;
                return;
              }
              await systemClock.sleep(100);
            }
          }),
        ]
      : []),
  ]);

  const grows = async (one: FleetProcess, name: 'succeeded' | 'submitted' | 'failed') => {
    const before = counts.get(one)![name];
    await expect.poll(() => counts.get(one)![name], patience).toBeGreaterThan(before + 2);
  };

  return {
    succeeds: (one: FleetProcess) => grows(one, 'succeeded'),
    submits: (one: FleetProcess) => grows(one, 'submitted'),
    fails: (one: FleetProcess) => grows(one, 'failed'),
    refused: () => refused,
    stop() {
      isRunning = false;
    },
    /** Ends the load. Every request was answered clearly, and every accepted video is completed and exists once. */
    async finish(): Promise<void> {
      isRunning = false;
      await Promise.all(clients);
      expect(wrong).toEqual([]);
      await fleet.passLeases();
      for (const id of accepted.values())
        expect(await fleet.ended(id)).toMatchObject({ status: 'completed', cost: 0.01 });
      expect((await fleet.db.query('select count(*)::int as n from videos')).rows).toEqual([{ n: accepted.size }]);
    },
  };
}
