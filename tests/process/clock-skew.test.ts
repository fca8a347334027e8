import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import { callOnce, makeFleet } from '../support/fleet';
import { runPostgres } from '../support/run-postgres';
import { isFullRun, leftToGate, longOrShort } from '../support/proof-runs';

// The clock of one process is minutes ahead of the database's and that of another is minutes behind. Leases and turns
// are those of the database's clock, so each video still runs once; deadlines have room for such a difference.

const SKEW_MS = 5 * 60_000;
const VIDEOS = longOrShort(60, 6);

const postgres = runPostgres();
afterAll(() => postgres?.close());

describe.skipIf(!postgres)('processes whose clocks differ by ten minutes', () => {
  it(
    'complete and charge each video once, also those of a process that was killed',
    { timeout: longOrShort(600_000, 240_000), ...leftToGate(!isFullRun()) },
    async ({ onTestFinished }) => {
      const fleet = await makeFleet(postgres!);
      onTestFinished(() => fleet.remove());
      const [ahead, behind] = await Promise.all([
        fleet.add('all', { env: { CLOCK_SKEW_MS: String(SKEW_MS) } }),
        fleet.add('all', { env: { CLOCK_SKEW_MS: String(-SKEW_MS) } }),
      ]);
      const order = { model: 'sandbox-t2v', prompt: 'a cat', seconds: 1, size: '640x360', fps: 8 };
      const submitting = Promise.all(Array.from({ length: VIDEOS }, (_, n) => fleet.submit(order, { first: n })));
      for (const { baseUrl } of [ahead, behind]) {
        const body = { model: 'sandbox-text', max_tokens: 50, messages: [{ role: 'user', content: 'Hello' }] };
        expect(await callOnce(baseUrl, 'POST', '/v1/messages', { key: fleet.keys.test, body })).toMatchObject({
          status: 200,
        });
      }
      // A repeated submit is recognised, whichever clock the first one had.
      const headers = { 'idempotency-key': randomUUID() };
      const repeated = { key: fleet.keys.test, body: { ...order, webhook: fleet.hook }, headers };
      const first = await callOnce(ahead.baseUrl, 'POST', '/v1/videos', repeated);
      const second = await callOnce(behind.baseUrl, 'POST', '/v1/videos', repeated);
      expect([first.status, second.status, second.json.id]).toEqual([202, 202, first.json.id]);

      const ids = [...(await submitting), String(first.json.id)];
      await ahead.kill();
      // Those of the living process are as long as the database says, not as its clock does.
      const { rows: leases } = await fleet.db.query(
        'select extract(epoch from leased_until - now())::float8 as seconds from jobs where leased_until is not null',
      );
      for (const { seconds } of leases) expect(Math.abs(Number(seconds))).toBeLessThanOrEqual(31);
      await fleet.passLeases();
      await ahead.start();
      for (const id of ids) expect(await fleet.ended(id)).toMatchObject({ status: 'completed', cost: 0.01 });
      await expect.poll(() => ids.filter((id) => !fleet.webhooks.has(id)), { timeout: 60_000 }).toEqual([]);
      expect(await fleet.finish()).toEqual([]);
      expect(ids.filter((id) => new Set(fleet.webhooks.get(id)).size !== 1)).toEqual([]);
      expect((await fleet.db.query('select count(*)::int as n from videos')).rows).toEqual([{ n: ids.length }]);
    },
  );
});
