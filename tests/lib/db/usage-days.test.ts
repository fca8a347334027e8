import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLedger } from '../../../lib/billing/ledger';
import { insertMessages, limitCosts, messageText } from '../../../lib/db/messages';
import { secondsOfBucket, sumSpentByDay } from '../../../lib/db/usage-days';
import type { Account, Caller } from '../../../lib/domain/caller';
import { newId } from '../../../lib/domain/ids';
import { parseUsd } from '../../../lib/domain/money';
import { checkBooks } from '../../../lib/db/check-books';
import { createLog } from '../../../lib/log';
import { createFinishVideo } from '../../../lib/videos/finish-video';
import { createLinks } from '../../../lib/videos/links';
import { completed } from '../../support/chaos-provider';
import { projectRoot } from '../../support/project';
import { transfer } from '../../support/transfer';
import { createWork, messageRow } from '../../support/work';
import { makeAcme, type Acme } from '../videos/make-acme';

const DAY_MS = 86_400_000;

let acme: Acme;
let live: Caller;
let account: Account;
beforeAll(async () => {
  acme = await makeAcme();
  live = acme.live;
  account = { orgId: live.orgId, mode: 'live' };
});
afterAll(() => acme.close());

const sums = async (columns: string, where = 'true') =>
  (
    await acme.db.query(
      `select ${columns} from usage_days where org_id = $1 and ${where} order by day, kind, key_id, model, provider`,
      [live.orgId],
    )
  ).rows;

describe('the daily sums', () => {
  it('count each video once, with its price, its length, and whether the provider caused a failure', async () => {
    await acme.submit(live, { seconds: 5 });
    const cancelled = await acme.submit(live, { seconds: 5 });
    await acme.gateway.videos.cancel(live, cancelled.id);
    await acme.settle();
    await acme.pass(6_000);
    acme.alpha.onCheck = async () => ({ status: 'failed', code: 'generation_failed', message: 'No.' });
    await acme.submit(live, { seconds: 5 });
    await acme.settle();
    await acme.pass(6_000);
    // The cancelled one counts for its provider if its start had begun.
    const { rows } = await acme.db.query(
      `select day::text, kind, key_id, model, sum(finished)::int as finished, sum(succeeded)::int as succeeded,
         sum(excused)::int as excused, sum(cost_nano_usd)::text as cost_nano_usd, sum(media_millis)::int as media_millis
       from usage_days where org_id = $1 and provider in ('', 'alpha') group by day, kind, key_id, model`,
      [live.orgId],
    );
    expect(rows).toEqual([
      {
        day: '2026-11-21',
        kind: 'video',
        key_id: live.keyId,
        model: 'acme-t2v',
        finished: 3,
        succeeded: 1,
        excused: 1,
        cost_nano_usd: '500000000',
        media_millis: 5_000,
      },
    ]);
  });

  it('count messages and audio by key, model and provider, and their tokens, milliseconds and characters', async () => {
    const work = createWork(acme);
    await work.messages(live, [3n, 4n]);
    await work.messages(live, [5n], { provider: 'beta' });
    await work.audio(live, 7n);
    await work.audio(live, 11n, { kind: 'transcription' });
    expect(
      await sums(
        'kind, model, provider, finished, succeeded, cost_nano_usd, input_tokens, output_tokens, media_millis, characters',
        `kind <> 'video'`,
      ),
    ).toEqual(
      [
        ['message', 'sandbox-text', 'beta', '1', '5', '10', '20', '0', '0'],
        ['message', 'sandbox-text', 'sandbox', '2', '7', '20', '40', '0', '0'],
        ['speech', 'sandbox-tts', 'sandbox', '1', '7', '0', '0', '0', '12'],
        ['transcription', 'sandbox-stt', 'sandbox', '1', '11', '0', '0', '1000', '0'],
      ].map(([kind, model, provider, finished, cost, input, output, millis, characters]) => ({
        kind,
        model,
        provider,
        finished,
        succeeded: finished,
        cost_nano_usd: cost,
        input_tokens: input,
        output_tokens: output,
        media_millis: millis,
        characters,
      })),
    );
  });

  it('do not count messages again whose transaction is repeated', async () => {
    const ledger = createLedger(acme);
    const hold = await ledger.hold(acme.db, {
      account,
      keyId: live.keyId,
      amount: 100n,
      subject: { kind: 'message', id: newId('transfer') },
    });
    const row = messageText(
      messageRow({
        id: 'msg_once',
        model: 'repeated',
        provider: 'alpha',
        outcome: 'partial',
        costNanoUsd: '60',
        createdAt: acme.clock.now().toISOString(),
      }),
    );
    for (let tries = 0; tries < 2; tries += 1)
      await acme.db.inTransaction(async (tx) => {
        const chargedAt = acme.clock.now();
        await ledger.renew(tx, { hold, charged: 60n }, chargedAt);
        await insertMessages(tx, { ...account, keyId: live.keyId, holdId: hold, chargedAt }, [row]);
      });
    expect(await sums('finished, succeeded, cost_nano_usd', `model = 'repeated'`)).toEqual([
      { finished: '1', succeeded: '0', cost_nano_usd: '60' },
    ]);
  });

  it('take a refund off on its own day, under the model of the work, and show the same sum as the balance', async () => {
    const [message = ''] = await createWork(acme).messages(live, [parseUsd('0.4')], { model: 'refunded' });
    await acme.pass(DAY_MS);
    await transfer(acme, live, { kind: 'refund', amount: '0.3', subject: message });
    await transfer(acme, live, { kind: 'refund', amount: '0.1' });
    expect(await sums('day::text, key_id, cost_nano_usd, refunded_nano_usd', `model = 'refunded'`)).toEqual([
      { day: '2026-11-21', key_id: live.keyId, cost_nano_usd: '400000000', refunded_nano_usd: '0' },
      { day: '2026-11-22', key_id: live.keyId, cost_nano_usd: '0', refunded_nano_usd: '300000000' },
    ]);
    const days = await sumSpentByDay(acme.db, account, '2026-11-01');
    expect(days.find(({ day }) => day === '2026-11-22')?.spent).toBe(-parseUsd('0.4'));
    const { spent } = await createLedger(acme).balances(acme.db, account);
    expect(days.reduce((sum, each) => sum + each.spent, 0n)).toBe(spent);
  });

  it('count work that is charged around midnight on the day of its entries in the ledger', async () => {
    // Every look at this clock is on the other side of midnight.
    let looks = 0;
    const midnight = Date.parse('2026-12-01T00:00:00Z');
    const clock = { ...acme.clock, now: () => new Date(midnight + ((looks += 1) % 2 === 0 ? 0 : -1)) };
    const work = createWork({ db: acme.db, clock });
    for (const cost of [1n, 2n, 3n]) {
      await work.messages(live, [cost], { model: 'late' });
      await work.audio(live, cost, { model: 'late' });
      looks += 1;
    }
    const finishVideo = createFinishVideo({
      ledger: createLedger({ clock }),
      clock,
      links: createLinks({ secret: 'a', baseUrl: 'https://gateway.example' }),
      log: createLog('silent'),
      scheduleWebhooks: async () => {},
    });
    acme.alpha.onCheck = async () => ({ status: 'in_progress' });
    for (const end of [completed, { status: 'failed', code: 'generation_failed', message: 'No.' } as const]) {
      const { id } = await acme.submit(live, { seconds: 5 });
      await acme.db.inTransaction((tx) => finishVideo(tx, id, end));
      looks += 1;
    }
    expect(await checkBooks(acme.db)).toEqual([]);
  });

  it('are the same when a migration computes them from the stored work', async () => {
    const tables = ['usage_days', 'usage_durations'];
    const read = async () => {
      const contents = [];
      for (const table of tables) {
        const { rows } = await acme.db.query(`select to_jsonb(t) as row from ${table} t order by to_jsonb(t)::text`);
        contents.push(rows);
      }
      return contents;
    };
    const maintained = await read();
    expect(maintained[0]!.length).toBeGreaterThan(8);
    const migrations = await readFile(path.join(projectRoot, 'drizzle', 'meta', '_journal.json'), 'utf8');
    for (const table of tables) await acme.db.query(`delete from ${table}`);
    // The second one adds the times to the first content.
    for (const name of ['daily-sums', 'usage-and-alerts']) {
      const tag = new RegExp(`"tag": "(\\d+_${name})"`).exec(migrations)?.[1];
      const text = await readFile(path.join(projectRoot, 'drizzle', `${tag}.sql`), 'utf8');
      const custom = text.slice(text.indexOf('-- custom'));
      for (const statement of custom.split('--> statement-breakpoint')) await acme.db.query(statement);
    }
    expect(await read()).toEqual(maintained);
  });
});

describe('a bucket of durations', () => {
  it('is within 5 % of every duration in it', async () => {
    const { rows } = await acme.db.query(
      `select seconds, round(ln(seconds) / ln(1.1))::int as bucket from (select 0.001 * 1.013 ^ n as seconds from generate_series(0, 1200) n) durations`,
    );
    for (const { seconds, bucket } of rows)
      expect(Math.abs(secondsOfBucket(Number(bucket)) / Number(seconds) - 1)).toBeLessThan(0.05);
  });
});

describe('messages that were used for more than could be charged', () => {
  it('cost together what was charged', () => {
    const row = (costNanoUsd: string) => JSON.stringify({ id: costNanoUsd, costNanoUsd });
    const costs = (total: bigint) =>
      limitCosts([row('5'), row('3'), row('2')], total).map(
        (text) => (JSON.parse(text) as { costNanoUsd: string }).costNanoUsd,
      );
    expect(costs(10n)).toEqual(['5', '3', '2']);
    expect(costs(7n)).toEqual(['5', '2', '0']);
    expect(costs(0n)).toEqual(['0', '0', '0']);
  });
});
