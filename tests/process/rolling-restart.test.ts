import { afterAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../lib/domain/clock';
import { callOnce, makeFleet, type CallOptions, type FleetProcess } from '../support/fleet';
import { startPostgres } from '../support/postgres';
import { longOrShort } from '../support/proof-runs';

// Two processes behind a load balancer that asks `/readyz`, restarted one after the other while clients send messages,
// submit videos and read them. As docs/operating.md says, no request fails. The time between "not ready" and the end of
// the port is that of the product; the balancer asks more often than most.

const ROUNDS = longOrShort(20, 1);
const NOTICE_MS = 5_000;
const ASK_EVERY_MS = 200;

const postgres = await startPostgres();
afterAll(() => postgres?.close());

describe.skipIf(!postgres)('a rolling restart under load', () => {
  it(
    'fails no request and loses no video',
    async ({ onTestFinished }) => {
      const fleet = await makeFleet(postgres!, { env: { DRAIN_NOTICE_MS: String(NOTICE_MS) } });
      onTestFinished(() => fleet.remove());
      const processes = await Promise.all([fleet.add('all'), fleet.add('all')]);
      const balancer = startBalancer(processes);
      onTestFinished(() => balancer.stop());

      const failures: string[] = [];
      let answered = 0;
      const ids: string[] = [];
      let isRunning = true;
      const send = async (method: string, route: string, status: number, options: CallOptions = {}) => {
        try {
          const answer = await callOnce(balancer.next(), method, route, { key: fleet.keys.test, ...options });
          if (answer.status === status) answered += 1;
          else failures.push(`${method} ${route}: ${answer.status} ${JSON.stringify(answer.json)}`);
          return answer.json;
        } catch (error) {
          failures.push(`${method} ${route}: ${String((error as Error).cause ?? error)}`);
          return {};
        }
      };
      const message = { model: 'sandbox-text', max_tokens: 50, messages: [{ role: 'user', content: 'Hello' }] };
      const order = { model: 'sandbox-t2v', prompt: 'a cat', seconds: 1, size: '640x360', fps: 8, webhook: fleet.hook };
      const clients = [
        repeat(20, () => send('POST', '/v1/messages', 200, { body: message })),
        repeat(20, () => send('POST', '/v1/messages', 200, { body: { ...message, stream: true } })),
        repeat(50, () => send('GET', ids.length > 0 ? `/v1/videos/${ids.at(-1)}` : '/v1/videos', 200)),
        repeat(700, async () => {
          const { id } = await send('POST', '/v1/videos', 202, { body: order });
          if (typeof id === 'string') ids.push(id);
        }),
      ];
      async function repeat(pauseMs: number, run: () => Promise<unknown>): Promise<void> {
        while (isRunning) {
          await run();
          await systemClock.sleep(pauseMs);
        }
      }

      for (let round = 0; round < ROUNDS; round += 1)
        for (const one of processes) {
          await one.stop();
          await one.start();
          await expect.poll(() => balancer.isReady(one), { timeout: 30_000 }).toBe(true);
        }
      isRunning = false;
      await Promise.all(clients);
      expect(failures).toEqual([]);
      expect(answered).toBeGreaterThan(20);
      expect(ids.length).toBeGreaterThan(0);
      for (const id of ids) expect(await fleet.ended(id)).toMatchObject({ status: 'completed', cost: 0.01 });
      expect(await fleet.finish()).toEqual([]);
    },
    longOrShort(1_200_000, 240_000),
  );
});

/** Asks each process whether it is ready, and gives requests in turn to those that are. */
function startBalancer(processes: readonly FleetProcess[]) {
  const ready = new Set(processes);
  let isRunning = true;
  let turn = 0;
  for (const one of processes)
    void (async () => {
      while (isRunning) {
        const isReady = await callOnce(one.baseUrl, 'GET', '/readyz', {}).then(
          ({ status }) => status === 200,
          () => false,
        );
        if (isReady) ready.add(one);
        else ready.delete(one);
        await systemClock.sleep(ASK_EVERY_MS);
      }
    })();
  return {
    isReady: (one: FleetProcess) => ready.has(one),
    next(): string {
      const those = [...ready];
      const chosen = those[(turn += 1) % those.length];
      if (!chosen) throw new Error('No process is ready.');
      return chosen.baseUrl;
    },
    stop() {
      isRunning = false;
    },
  };
}
