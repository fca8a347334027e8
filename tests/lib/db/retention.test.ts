import { afterAll, beforeAll, expect, it } from 'vitest';
import { createLedger } from '../../../lib/billing/ledger';
import { recountSpending } from '../../../lib/db/spending';
import { parseUsd } from '../../../lib/domain/money';
import { checkBooks } from '../../../lib/db/check-books';
import { keepHouse } from '../../support/housekeeping';
import { transfer } from '../../support/transfer';
import { createWork } from '../../support/work';
import { makeAcme, type Acme } from '../videos/make-acme';

const DAY_MS = 86_400_000;
const USAGE_DAYS = 40;

let acme: Acme;
beforeAll(async () => {
  acme = await makeAcme();
});
afterAll(async () => {
  // With the time of the deletion, below.
  await acme.close({ checked: false });
});

const clean = () => keepHouse(acme, { retention: { usageDays: USAGE_DAYS, webhookDays: 7, inputDays: 1 } });
const cutoff = () => new Date(acme.clock.nowMs() - USAGE_DAYS * DAY_MS);
const counts = async () => {
  // Whether the start of a video had begun when it was cancelled depends on chance.
  const { rows } = await acme.db.query(
    `select (select count(*)::int from videos) as videos,
       (select count(*)::int from video_attempts where video_id in (select id from videos where status = 'completed')) as attempts,
       (select count(*)::int from messages) as messages, (select count(*)::int from meters) as meters,
       (select count(*)::int from holds) as holds, (select count(distinct transfer_id)::int from ledger_entries where kind not in ('grant', 'refund')) as transfers`,
  );
  return rows[0];
};

async function workOfADay(): Promise<string> {
  const { live } = acme;
  const { id } = await acme.submit(live, { seconds: 5 });
  const cancelled = await acme.submit(live, { seconds: 5 });
  await acme.gateway.videos.cancel(live, cancelled.id);
  await acme.settle();
  await acme.pass(6_000);
  const work = createWork(acme);
  await work.messages(live, [3n, 5n]);
  await work.messages(live, [7n]);
  await work.audio(live, 11n);
  await work.audio(acme.test, 13n, { kind: 'transcription' });
  return id;
}
const oneDay = { videos: 2, attempts: 1, messages: 3, meters: 2, holds: 6, transfers: 12 };

it('old work is deleted with its holds and ledger entries; balances, sums and refunds stay, and the books can be proved', async () => {
  const ledger = createLedger(acme);
  const account = { orgId: acme.live.orgId, mode: 'live' as const };
  const first = await workOfADay();
  await transfer(acme, account, { kind: 'refund', amount: '0.2', subject: first });
  expect(await counts()).toEqual(oneDay);
  await acme.pass(20 * DAY_MS);
  await workOfADay();
  const open = await ledger.hold(acme.db, {
    account,
    keyId: acme.live.keyId,
    amount: 17n,
    subject: { kind: 'video', id: 'video_open' },
  });
  const twice = Object.fromEntries(Object.entries(oneDay).map(([name, count]) => [name, count * 2]));
  expect(await counts()).toEqual({ ...twice, holds: 13, transfers: 25 });
  // The files of the first videos expire.
  await acme.pass(19.5 * DAY_MS);
  await clean();
  expect(await counts()).toEqual({ ...twice, holds: 13, transfers: 25 });

  const before = await ledger.balances(acme.db, account);
  const usage = await acme.gateway.activity.read(account);
  const history = await acme.gateway.usage.history(acme.live, 'acme-t2v');
  await acme.pass(0.6 * DAY_MS);
  await clean();
  expect(await counts()).toEqual({ ...oneDay, holds: 7, transfers: 13 });
  expect(await ledger.balances(acme.db, account)).toEqual(before);
  expect((await acme.gateway.activity.read(account)).spent).toEqual(usage.spent);
  expect(await acme.gateway.usage.history(acme.live, 'acme-t2v')).toEqual(history);
  await expect(acme.gateway.videos.get(acme.live, first)).rejects.toMatchObject({ code: 'video_not_found' });
  const { rows } = await acme.db.query(
    `select day::text, bucket, amount_nano_usd::text as amount from ledger_days where mode = 'live' order by bucket`,
  );
  const charged = parseUsd('0.5') + 26n;
  expect(rows).toEqual([
    { day: '2026-11-21', bucket: 'available', amount: (-charged).toString() },
    { day: '2026-11-21', bucket: 'held', amount: '0' },
    { day: '2026-11-21', bucket: 'revenue', amount: charged.toString() },
  ]);
  expect(await checkBooks(acme.db, { deletedBefore: cutoff() })).toEqual([]);

  // Everything else, in batches that are repeated until nothing is left.
  await acme.db.inTransaction((tx) => ledger.release(tx, open));
  await acme.pass(60 * DAY_MS);
  await clean();
  expect(await counts()).toEqual({ videos: 0, attempts: 0, messages: 0, meters: 0, holds: 0, transfers: 0 });
  expect(await ledger.balances(acme.db, account)).toEqual({ ...before, available: before.available + 17n, held: 0n });
  expect(await checkBooks(acme.db, { deletedBefore: cutoff() })).toEqual([]);
});

it('a video whose file cannot be removed is kept with its hold, and delays no other', async () => {
  await workOfADay();
  await acme.db.query(
    `update videos set file = '{"stuck": true}', expires_at = '9999-01-01' where status = 'completed'`,
  );
  await acme.pass((USAGE_DAYS + 1) * DAY_MS);
  await clean();
  expect(await counts()).toEqual({ videos: 1, attempts: 1, messages: 0, meters: 0, holds: 1, transfers: 2 });
  expect(await checkBooks(acme.db, { deletedBefore: cutoff() })).toEqual([]);
});

it('the limit of a key counts all that it ever spent, also what was deleted', async () => {
  const { rows } = await acme.db.query(`select sum(cost_nano_usd)::text as spent from usage_days where key_id = $1`, [
    acme.live.keyId,
  ]);
  await acme.db.inTransaction((tx) =>
    recountSpending(tx, acme.live, { kind: 'key', id: acme.live.keyId }, { period: 'total', since: null }),
  );
  const counted = await acme.db.query(`select spent_nano_usd::text as spent from spending where scope_id = $1`, [
    acme.live.keyId,
  ]);
  expect(Number(rows[0]?.spent)).toBeGreaterThan(1_000_000_000);
  expect(counted.rows).toEqual(rows);
});
