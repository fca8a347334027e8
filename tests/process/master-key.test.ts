import { afterAll, describe, expect, it } from 'vitest';
import { createSealer, type Sealer } from '../../lib/accounts/seal';
import { resealSecrets } from '../../lib/credentials/reseal-secrets';
import { callOnce, makeFleet } from '../support/fleet';
import { sharedSecrets } from '../support/gateway';
import { recordLog } from '../support/log';
import { runPostgres } from '../support/run-postgres';
import { isFullRun, leftToGate, longOrShort } from '../support/proof-runs';
import { startBalancer, startTraffic } from '../support/rolling';

// The master key is rotated as docs/operating.md describes it, with three rolling restarts, while clients send messages,
// make videos with signed webhooks and create webhook endpoints. No request fails, and no secret is lost.

const ROUNDS = longOrShort(3, 1);
const NOTICE_MS = '5000';
/** In the short form, the test does what the housekeeping does a minute after a start. */
const WAITS_FOR_HOUSEKEEPING = longOrShort(1, 0) === 1;
const keyOf = (round: number) =>
  round === 0 ? sharedSecrets.MASTER_KEY : `the master key of round ${round} of this test`;

const postgres = runPostgres();
afterAll(() => postgres?.close());

describe.skipIf(!postgres)('the rotation of the master key under load', () => {
  it(
    'fails no request, and leaves every secret readable with the new key alone',
    { timeout: longOrShort(1_800_000, 300_000), ...leftToGate(!isFullRun()) },
    async ({ onTestFinished }) => {
      const fleet = await makeFleet(postgres!, { env: { DRAIN_NOTICE_MS: NOTICE_MS } });
      onTestFinished(() => fleet.remove());
      const processes = [await fleet.add('all'), await fleet.add('all')];
      const balancer = startBalancer(processes);
      onTestFinished(() => balancer.stop());
      const traffic = startTraffic(balancer, { key: fleet.keys.test, hook: fleet.hook });
      onTestFinished(() => traffic.stop());

      async function restartAll(current: string, fallbacks: string): Promise<void> {
        for (const one of processes) {
          await one.stop();
          await one.start({ MASTER_KEY: current, MASTER_KEY_FALLBACKS: fallbacks });
          await expect.poll(() => balancer.isReady(one), { timeout: 30_000 }).toBe(true);
        }
      }
      /** A secret that the key of each process seals, and that any of them needs for the webhooks of later videos. */
      async function addEndpoints(): Promise<void> {
        for (const { baseUrl } of processes) {
          const made = await callOnce(baseUrl, 'POST', '/console/api/webhook-endpoints?mode=test', {
            key: fleet.keys.live,
            body: { url: fleet.hook },
          });
          expect([made.status, made.json]).toEqual([201, expect.anything()]);
        }
        const { length } = traffic.ids;
        await expect.poll(() => traffic.ids.length, { timeout: 60_000 }).toBeGreaterThan(length + 2);
      }
      const sealedWithout = async (sealer: Sealer): Promise<number> => {
        const { rows } = await fleet.db.query(
          `select id, webhook_secret as sealed from organizations union all select id, secret from webhook_endpoints`,
        );
        return rows.filter(({ id, sealed }) => {
          try {
            sealer.open(String(sealed), `${String(id)}|webhook`);
            return false;
          } catch {
            return true;
          }
        }).length;
      };

      for (let round = 0; round < ROUNDS; round += 1) {
        const [former, next] = [keyOf(round), keyOf(round + 1)];
        await addEndpoints();
        await restartAll(former, next);
        await restartAll(next, former);
        await addEndpoints();
        expect(await sealedWithout(createSealer(next))).toBeGreaterThan(0);
        const isReadable = () => sealedWithout(createSealer(next)).then((count) => count === 0);
        if (WAITS_FOR_HOUSEKEEPING) {
          // It is due an hour after its last run, and is looked for every minute.
          await fleet.db.query(`update chores set due_at = now() where name = 'secrets of another master key'`);
          await expect.poll(isReadable, { timeout: 180_000, interval: 1_000 }).toBe(true);
        } else {
          await resealSecrets(
            { db: fleet.db, sealer: createSealer(next, [former]), log: recordLog() },
            async () => true,
          );
          expect(await isReadable()).toBe(true);
        }
        await restartAll(next, '');
        await addEndpoints();
        expect(await sealedWithout(createSealer(next))).toBe(0);
      }
      await traffic.stop();
      expect(traffic.failures).toEqual([]);
      for (const id of traffic.ids) expect(await fleet.ended(id)).toMatchObject({ status: 'completed' });
      // A secret that a process cannot read fails the delivery.
      const undelivered = async () =>
        (await fleet.db.query(`select id, state, attempts from webhook_deliveries where state <> 'delivered'`)).rows;
      await expect.poll(undelivered, { timeout: 60_000 }).toEqual([]);
      const { rows } = await fleet.db.query('select attempt from webhook_attempts where attempt > 1');
      expect(rows).toEqual([]);
      expect(await fleet.finish()).toEqual([]);
    },
  );
});
