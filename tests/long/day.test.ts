import { afterAll, beforeAll, expect, it } from 'vitest';
import { createLedger } from '../../lib/billing/ledger';
import { sumSpentByDay } from '../../lib/db/usage-days';
import type { Caller } from '../../lib/domain/caller';
import { makeAcme, type Acme } from '../lib/videos/make-acme';
import { checkBooks } from '../../lib/db/check-books';
import { completed } from '../support/chaos-provider';
import { keepHouse } from '../support/housekeeping';
import { transfer } from '../support/transfer';
import { createWork } from '../support/work';

// A day of mixed traffic of two organisations on a clock that the test moves, with times of retention that are short
// enough to pass many times: the tables stay bounded, and the sums stay those of the ledger.

const HOURS = 24;
const HOUR_MS = 3_600_000;
const KEPT_HOURS = 4;
/** Rows of one hour; the traffic is the same every hour. */
const VIDEOS = 12;
const MESSAGE_BATCHES = 20;
const MESSAGES_OF_A_BATCH = 25;
const SESSIONS = 10;

let acme: Acme;
beforeAll(async () => {
  acme = await makeAcme();
});
afterAll(async () => {
  // With the time of the deletion, below.
  await acme.close({ checked: false });
});

it(`${HOURS} hours of traffic leave tables of ${KEPT_HOURS} hours, and sums that are the ledger's`, async () => {
  const { db, clock } = acme;
  const ledger = createLedger(acme);
  const work = createWork(acme);
  const callers: readonly Caller[] = [acme.live, acme.test, await acme.stranger('Neighbours')];
  const count = (table: string) => acme.count(table);
  for (const { orgId, mode } of callers) await transfer(acme, { orgId, mode }, { amount: '1000' });

  for (let hour = 0; hour < HOURS; hour += 1) {
    acme.alpha.onCheck = async (_id, call) =>
      call % 4 === 0 ? { status: 'failed', code: 'generation_failed', message: 'No.' } : completed;
    for (let n = 0; n < VIDEOS; n += 1) {
      const caller = callers[n % callers.length]!;
      const { id } = await acme.submit(caller, { seconds: 3 + (n % 5) });
      if (n % 5 === 4) await acme.gateway.videos.cancel(caller, id);
    }
    for (let n = 0; n < MESSAGE_BATCHES; n += 1)
      await work.messages(
        callers[n % callers.length]!,
        Array.from({ length: MESSAGES_OF_A_BATCH }, (_, place) => BigInt((hour + 1) * 1_000 + place)),
        { model: `model-${n % 3}` },
      );
    for (let n = 0; n < SESSIONS; n += 1)
      await work.audio(callers[n % callers.length]!, BigInt(777 + n), { kind: n % 2 ? 'speech' : 'transcription' });
    if (hour % 6 === 5) {
      const [subject = ''] = await work.messages(acme.live, [50_000n]);
      await transfer(acme, acme.live, { kind: 'refund', amount: '0.00002', subject });
    }
    await acme.settle();
    await acme.pass(60_000);
    // Files of this test expire at once, so that retention alone decides.
    await db.query(`update videos set expires_at = completed_at where completed_at is not null`);
    await acme.pass(HOUR_MS - 60_000);
    await keepHouse(acme, {
      retention: { usageDays: KEPT_HOURS / 24, webhookDays: 2 / 24, inputDays: 1 / 24 },
    });

    const deletedBefore = new Date(clock.nowMs() - KEPT_HOURS * HOUR_MS);
    expect(await checkBooks(db, { quiet: true, deletedBefore }), `hour ${hour}`).toEqual([]);
    const kept = KEPT_HOURS + 1;
    expect(await count('videos')).toBeLessThanOrEqual(kept * VIDEOS);
    expect(await count('messages')).toBeLessThanOrEqual(kept * (MESSAGE_BATCHES * MESSAGES_OF_A_BATCH + 1));
    expect(await count('meters')).toBeLessThanOrEqual(kept * SESSIONS);
    expect(await count('holds')).toBeLessThanOrEqual(kept * (VIDEOS + MESSAGE_BATCHES + SESSIONS + 1));
    expect(await count(`ledger_entries where kind in ('hold', 'capture', 'release')`)).toBeLessThanOrEqual(
      kept * 5 * (VIDEOS + MESSAGE_BATCHES + SESSIONS + 1),
    );
    expect(await count('videos where "order" is not null')).toBeLessThanOrEqual(2 * VIDEOS);
  }

  for (const { orgId, mode } of callers) {
    const days = await sumSpentByDay(db, { orgId, mode }, '2026-11-01');
    const { spent } = await ledger.balances(db, { orgId, mode });
    expect(spent).toBeGreaterThan(0n);
    expect(days.reduce((sum, each) => sum + each.spent, 0n)).toBe(spent);
  }
}, 1_800_000);
