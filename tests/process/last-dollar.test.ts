import { afterAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../lib/domain/clock';
import { makeFleet } from '../support/fleet';
import { runPostgres } from '../support/run-postgres';
import { isFullRun, leftToGate, longOrShort } from '../support/proof-runs';

// Clients submit at the same time through four processes, of which one after the other is killed, what costs ten times
// as much as the account has. Exactly as many videos are accepted as the credits pay for.

const AFFORDED = longOrShort(100, 10);
const SUBMITS = 10 * AFFORDED;
const KILLS = longOrShort(20, 2);
const CLIENTS = 40;

const postgres = runPostgres();
afterAll(() => postgres?.close());

describe.skipIf(!postgres)(`${SUBMITS} submits of one cent on $${AFFORDED / 100}`, () => {
  it(
    `through four processes with kills: ${AFFORDED} are accepted and charged, and the account is empty`,
    { timeout: longOrShort(1_200_000, 240_000), ...leftToGate(!isFullRun()) },
    async ({ onTestFinished }) => {
      const fleet = await makeFleet(postgres!, { liveCredits: (AFFORDED / 100).toFixed(2) });
      onTestFinished(() => fleet.remove());
      const processes = await Promise.all((['all', 'all', 'web', 'web'] as const).map((role) => fleet.add(role)));
      const order = { model: 'sandbox-t2v', prompt: 'a cat', seconds: 1, size: '640x360', fps: 8 };
      const accepted: string[] = [];
      let refused = 0;
      const numbers = Array.from({ length: SUBMITS }, (_, n) => n).values();
      const clients = Array.from({ length: CLIENTS }, async () => {
        for (const n of numbers) {
          const headers = { 'idempotency-key': `submit ${n}` };
          const call = { body: order, key: fleet.keys.live, headers };
          const { status, json } = await fleet.call('POST', '/v1/videos', call, n);
          expect([202, 402]).toContain(status);
          if (status === 202) accepted.push(String(json.id));
          else refused += 1;
        }
      });
      for (let n = 0; n < KILLS; n += 1) {
        await systemClock.sleep(Math.random() * 500);
        const victim = processes[n % processes.length]!;
        await victim.kill();
        await victim.start();
      }
      await Promise.all(clients);
      expect([new Set(accepted).size, accepted.length, refused]).toEqual([AFFORDED, AFFORDED, SUBMITS - AFFORDED]);
      await fleet.passLeases();
      for (const id of accepted)
        expect(await fleet.ended(id, fleet.keys.live)).toMatchObject({ status: 'completed', cost: 0.01 });
      expect(await fleet.finish()).toEqual([]);
      const { rows } = await fleet.db.query(
        "select available_nano_usd::text as available, spent_nano_usd::text as spent from accounts where mode = 'live'",
      );
      expect(rows).toEqual([{ available: '0', spent: String(AFFORDED * 10_000_000) }]);
    },
  );
});
