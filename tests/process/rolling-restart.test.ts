import { afterAll, describe, expect, it } from 'vitest';
import { makeFleet } from '../support/fleet';
import { runPostgres } from '../support/run-postgres';
import { isFullRun, leftToGate, longOrShort } from '../support/proof-runs';
import { startBalancer, startTraffic } from '../support/rolling';

// Two processes behind a load balancer that asks `/readyz`, restarted one after the other while clients send messages,
// submit videos and read them. As docs/operating.md says, no request fails. The time between "not ready" and the end of
// the port is longer than that of the product, because the balancer looks late on a busy machine.

const ROUNDS = longOrShort(20, 1);
const NOTICE_MS = 12_000;

const postgres = runPostgres();
afterAll(() => postgres?.close());

describe.skipIf(!postgres)('a rolling restart under load', () => {
  it(
    'fails no request and loses no video',
    { timeout: longOrShort(1_200_000, 240_000), ...leftToGate(!isFullRun()) },
    async ({ onTestFinished }) => {
      const fleet = await makeFleet(postgres!, { env: { DRAIN_NOTICE_MS: String(NOTICE_MS) } });
      onTestFinished(() => fleet.remove());
      const processes = await Promise.all([fleet.add('all'), fleet.add('all')]);
      const balancer = startBalancer(processes);
      onTestFinished(() => balancer.stop());

      const traffic = startTraffic(balancer, { key: fleet.keys.test, hook: fleet.hook });
      onTestFinished(() => traffic.stop());

      for (let round = 0; round < ROUNDS; round += 1)
        for (const one of processes) {
          await one.stop();
          await one.start();
          await expect.poll(() => balancer.isReady(one), { timeout: 30_000 }).toBe(true);
        }
      await traffic.stop();
      expect(traffic.failures).toEqual([]);
      expect(traffic.answered()).toBeGreaterThan(20);
      expect(traffic.ids.length).toBeGreaterThan(0);
      for (const id of traffic.ids) expect(await fleet.ended(id)).toMatchObject({ status: 'completed', cost: 0.01 });
      expect(await fleet.finish()).toEqual([]);
    },
  );
});
