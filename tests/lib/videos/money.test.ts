import { afterEach, describe, expect, it } from 'vitest';
import { GatewayError } from '../../../lib/domain/errors';
import { parseUsd } from '../../../lib/domain/money';
import { createLedger } from '../../../lib/billing/ledger';
import type { Caller } from '../../../lib/domain/caller';
import { checkBooks } from '../../../lib/db/check-books';
import { completed } from '../../support/chaos-provider';
import { makeAcme, type Acme } from './make-acme';

let acme: Acme | undefined;
afterEach(async () => {
  await acme?.close();
  acme = undefined;
});

/** An organisation with this much live credit and nothing else. */
async function withCredit(from: Acme, name: string, usd: string): Promise<Caller> {
  const caller = await from.stranger(name);
  const spare = parseUsd('25') - parseUsd(usd);
  // Through the ledger, so that the books still balance: a surplus is removed with a negative grant.
  await from.db.query(
    `with taken as (update accounts set available_nano_usd = available_nano_usd - $2 where org_id = $1 and mode = 'live')
     insert into ledger_entries (transfer_id, kind, org_id, mode, bucket, amount_nano_usd)
     values ('tr_back_' || $1, 'grant', $1, 'live', 'available', -$2::bigint), ('tr_back_' || $1, 'grant', $1, 'live', 'world', $2::bigint)`,
    [caller.orgId, String(spare)],
  );
  return caller;
}

function tally(outcomes: readonly PromiseSettledResult<unknown>[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const outcome of outcomes) {
    const word =
      outcome.status === 'fulfilled'
        ? 'accepted'
        : outcome.reason instanceof GatewayError
          ? outcome.reason.code
          : String(outcome.reason);
    counts[word] = (counts[word] ?? 0) + 1;
  }
  return counts;
}

describe('a thousand submissions of $0.30 at once against $1.00', () => {
  it('are exactly three accepted and 997 refused, whatever then becomes of the three', async () => {
    acme = await makeAcme();
    const { submit, gateway, alpha, db, settle, pass, count } = acme;
    const caller = await withCredit(acme, 'One Dollar', '1');
    const begun: string[] = [];
    alpha.onStart = async ({ videoId }) => {
      begun.push(videoId);
      return {};
    };
    // The first checks may come while a slow machine still refuses the others.
    let isOver = false;
    alpha.onCheck = async (id) => {
      if (!isOver) return { status: 'in_progress' };
      return id === begun[1]
        ? { status: 'failed', code: 'generation_failed', message: 'It could not be made.' }
        : completed;
    };
    const outcomes = await Promise.allSettled(
      Array.from({ length: 1_000 }, (_, index) => submit(caller, { seconds: 3, prompt: `number ${index}` })),
    );
    const {
      accepted,
      insufficient_credits: without = 0,
      credits_held_by_running_jobs: held = 0,
      ...rest
    } = tally(outcomes);
    expect([accepted, without + held, rest]).toEqual([3, 997, {}]);
    // All of the refusals came while $0.90 was held: waiting may help, and they say so.
    expect(held).toBe(997);
    const refused = outcomes.find((outcome) => outcome.status === 'rejected')?.reason as GatewayError;
    expect(refused.extra).toMatchObject({
      retryAfterSeconds: 30,
      details: { required: '0.3', available: '0.1', held: '0.9' },
    });
    expect(await gateway.accounts.credits(caller)).toMatchObject({ available: '0.1', held: '0.9', spent: '0' });
    expect(await count('videos')).toBe(3);

    await settle();
    expect(begun).toHaveLength(3);
    isOver = true;
    await pass(30_000);
    expect(await gateway.accounts.credits(caller)).toMatchObject({ available: '0.4', held: '0', spent: '0.6' });
    expect(await checkBooks(db, { quiet: true })).toEqual([]);

    // $0.40 buys one more, and then nothing is held: waiting would not help.
    await submit(caller, { seconds: 3 });
    await settle();
    await pass(6_000);
    await expect(submit(caller, { seconds: 3 })).rejects.toMatchObject({
      code: 'insufficient_credits',
      extra: { details: { required: '0.3', available: '0.1', held: '0' } },
    });
  });
});

describe('a mixture of outcomes', () => {
  it('leaves exact sums', async () => {
    acme = await makeAcme();
    const { submit, live, gateway, alpha, settle, pass, db } = acme;
    const ids: string[] = [];
    for (let index = 0; index < 40; index += 1)
      ids.push((await submit(live, { seconds: 3 + (index % 4), size: index % 3 === 0 ? '1920x1080' : '1280x720' })).id);
    alpha.onCheck = async (id) => {
      const index = ids.indexOf(id);
      if (index % 4 === 0) return { status: 'failed', code: 'generation_failed', message: 'No.' };
      if (index % 4 === 1) return { status: 'in_progress' };
      return completed;
    };
    await settle();
    await pass(6_000);
    const dollars = (index: number) => (3 + (index % 4)) * (index % 3 === 0 ? 20 : 10);
    const sum = (rests: number[]) =>
      ids.reduce((total, _id, index) => total + (rests.includes(index % 4) ? dollars(index) : 0), 0);
    const cents = (amount: number) => String(amount / 100);
    expect(await gateway.accounts.credits(live)).toMatchObject({
      available: cents(2_500 - sum([1, 2, 3])),
      held: cents(sum([1])),
      spent: cents(sum([2, 3])),
    });

    for (const [index, id] of ids.entries()) {
      const { cost } = (await gateway.videos.get(live, id)).video;
      expect(cost).toBe(index % 4 === 0 ? 0 : dollars(index) / 100);
    }
    alpha.onCheck = async () => completed;
    await pass(30_000);
    expect(await gateway.accounts.credits(live)).toMatchObject({
      available: cents(2_500 - sum([1, 2, 3])),
      held: '0',
      spent: cents(sum([1, 2, 3])),
    });
    expect(await checkBooks(db, { quiet: true })).toEqual([]);
  });
});

describe("a key's spend limit", () => {
  it('counts holds, releases failures, and is exact for parallel submissions', async () => {
    acme = await makeAcme();
    const { submit, live, alpha, settle, pass, db, gateway, clock } = acme;
    await db.query(`update api_keys set limit_nano_usd = $2, limit_period = 'daily' where id = $1`, [
      live.keyId,
      String(parseUsd('1')),
    ]);
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => submit(live, { seconds: 3 })));
    expect(tally(outcomes)).toEqual({ accepted: 3, key_limit_exceeded: 17 });
    const refused = outcomes.find((outcome) => outcome.status === 'rejected')?.reason as GatewayError;
    expect(refused.extra.details).toEqual({
      limit: '1',
      spent: '0.9',
      required: '0.3',
      resets_at: Date.parse('2026-11-22T00:00:00Z') / 1_000,
    });
    expect(refused.message).toBe(
      "This key's spend limit of $1 a day does not leave the $0.3 that this request needs: $0.9 of it is used. It resets on 2026-11-22 at 00:00 UTC; wait until then, or raise the limit.",
    );
    // A refusal leaves nothing behind: neither a hold nor a video.
    expect(await gateway.accounts.credits(live)).toMatchObject({ available: '24.1', held: '0.9' });

    alpha.onCheck = async () => ({ status: 'failed', code: 'generation_failed', message: 'No.' });
    await settle();
    await pass(6_000);
    expect(tally(await Promise.allSettled(Array.from({ length: 5 }, () => submit(live, { seconds: 3 }))))).toEqual({
      accepted: 3,
      key_limit_exceeded: 2,
    });

    await clock.advance(12 * 3_600_000);
    await submit(live, { seconds: 3 });
  });

  it('that never resets says so', async () => {
    acme = await makeAcme({ config: { role: 'web' } });
    const { submit, live, db } = acme;
    await db.query(`update api_keys set limit_nano_usd = $2, limit_period = 'total' where id = $1`, [
      live.keyId,
      String(parseUsd('0.29')),
    ]);
    const refused = await submit(live, { seconds: 3 }).catch((error: unknown) => error as GatewayError);
    expect(refused).toMatchObject({
      code: 'key_limit_exceeded',
      extra: { details: { limit: '0.29', required: '0.3' } },
    });
    expect((refused as GatewayError).extra.details).not.toHaveProperty('resets_at');
  });

  it('does not affect the test balance of another key', async () => {
    acme = await makeAcme({ config: { role: 'web' } });
    const { submit, live, test, db } = acme;
    await db.query(`update api_keys set limit_nano_usd = 0, limit_period = 'total' where id = $1`, [live.keyId]);
    await expect(submit(live)).rejects.toMatchObject({ code: 'key_limit_exceeded' });
    await submit(test);
  });
});

describe('available credit', () => {
  it('is never below zero, even when credits arrive while jobs are accepted', async () => {
    acme = await makeAcme({ config: { role: 'web' } });
    const { submit, db, clock, gateway } = acme;
    const caller = await withCredit(acme, 'Trickle', '0.5');
    const ledger = createLedger({ clock });
    const grants = Array.from({ length: 10 }, () =>
      db.inTransaction((tx) => ledger.grant(tx, { orgId: caller.orgId, mode: 'live' }, parseUsd('0.1'))),
    );
    const [outcomes] = await Promise.all([
      Promise.allSettled(Array.from({ length: 30 }, () => submit(caller, { seconds: 3 }))),
      ...grants,
    ]);
    // $1.50 in all, but how much of it was there at the last request varies.
    const { accepted = 0 } = tally(outcomes);
    expect(accepted).toBeGreaterThanOrEqual(1);
    expect(accepted).toBeLessThanOrEqual(5);
    const { available, held } = await gateway.accounts.credits(caller);
    expect(Number(available) + Number(held)).toBeCloseTo(1.5, 9);
    expect(Number(held)).toBeCloseTo(accepted * 0.3, 9);
  });
});
