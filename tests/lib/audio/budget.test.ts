import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createMeters, type Meters } from '../../../lib/audio/meters';
import { createLedger } from '../../../lib/billing/ledger';
import { unrestricted } from '../../../lib/accounts/seed';
import { makeKey } from '../../../lib/accounts/keys';
import { consoleKeyId, type Caller } from '../../../lib/domain/caller';
import { newId, type OrgId } from '../../../lib/domain/ids';
import { parsePrice, parseUsd, usdText } from '../../../lib/domain/money';
import { insertKey } from '../../../lib/db/keys';
import type { Database } from '../../../lib/db/database';
import { checkBooks } from '../../../lib/db/check-books';
import { createTestClock, type TestClock } from '../../support/clock';
import { openTestDatabase } from '../../support/database';
import { makeLimits } from '../../support/limits';
import { recordLog } from '../../support/log';

// The 90 % rule on a real database, without sockets.

const perMinute = parsePrice('0.006');
let db: Database;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterEach(async () => expect(await checkBooks(db)).toEqual([]));
afterAll(() => db.close());

async function start(credits: string, options: { keyLimit?: string } = {}) {
  const clock = createTestClock();
  const ledger = createLedger({ clock });
  const orgId: OrgId = newId('org');
  const account = { orgId, mode: 'test' as const };
  let caller: Caller = { ...account, keyId: newId('key'), policy: { scopes: ['inference'] } };
  await db.inTransaction(async (tx) => {
    await tx.query(
      `insert into organizations (id, name, webhook_secret, created_at) values ($1, 'Tests', 'none', now())`,
      [orgId],
    );
    await ledger.grant(tx, account, parseUsd(credits));
    const { row } = makeKey({ orgId, role: 'owner' }, clock.now(), {
      ...unrestricted,
      mode: 'test',
      scopes: ['inference'],
      name: 'limited',
      limitNanoUsd: options.keyLimit === undefined ? null : parseUsd(options.keyLimit),
      limitPeriod: options.keyLimit === undefined ? null : 'total',
    });
    caller = { ...caller, keyId: row.id };
    await insertKey(tx, row);
  });
  const meters = createMeters({ db, ledger, clock, log: recordLog(), limits: makeLimits() });
  const begin = (minutePrice = perMinute) =>
    meters.transcription({ caller, sessionId: newId('session'), model: 'hears', provider: 'a' }, minutePrice);
  const balances = async () => {
    const { available, held, spent } = await ledger.balances(db, account);
    return { available: usdText(available), held: usdText(held), spent: usdText(spent) };
  };
  return { clock, ledger, caller, meters, begin, balances };
}

const rows = async (from: Database, text: string) => (await from.query(text)).rows;

/** Uses 100 ms after 100 ms until it is refused; returns what was used, in milliseconds. */
async function exhaust(meter: Awaited<ReturnType<Meters['transcription']>>, from = 0): Promise<number> {
  for (let millis = from + 100; ; millis += 100) if (!(await meter.use(millis))) return millis - 100;
}

describe('the budget of a transcription', () => {
  it('is cut at 90 % of the remaining credits, within half a second of audio', async () => {
    const { begin, balances } = await start('0.05');
    const meter = await begin();
    const usedMillis = await exhaust(meter);
    // $0.045 at $0.0001 a second: 450 seconds.
    expect(usedMillis).toBeGreaterThan(449_400);
    expect(usedMillis).toBeLessThanOrEqual(450_000);
    expect(meter.exhausted.reason).toMatchObject({
      code: 'insufficient_credits',
      message: expect.stringContaining('Credit budget exhausted') as string,
    });
    await meter.settle('budget');
    const { spent, held, available } = await balances();
    expect([held, Number(spent) <= 0.045, parseUsd(available) + parseUsd(spent)]).toEqual([
      '0',
      true,
      parseUsd('0.05'),
    ]);
  });

  it('holds a slice of a minute first, and more as it is used', async () => {
    const { begin, balances } = await start('10');
    const meter = await begin();
    expect((await balances()).held).toBe('0.006');
    await meter.use(50_000);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(Number((await balances()).held)).toBeGreaterThan(0.006);
    await meter.settle('done');
    expect(await balances()).toEqual({ available: '9.995', held: '0', spent: '0.005' });
  });

  it('is refused at the start when nothing is left below 90 %', async () => {
    const { begin, balances } = await start('0');
    await expect(begin()).rejects.toMatchObject({ code: 'insufficient_credits' });
    expect((await balances()).held).toBe('0');
  });

  it('is without a limit when it is free, also if nothing is left, and does not end with those that are not', async () => {
    const { begin, balances } = await start('0.05');
    const free = await begin(0n);
    expect(await free.use(10_000)).toBe(true);
    const paid = await begin();
    const usedMillis = await exhaust(paid);
    expect(usedMillis).toBeGreaterThan(449_400);
    const late = await begin(0n);
    for (const meter of [free, late]) {
      expect(await meter.use(3_600_000)).toBe(true);
      expect(meter.exhausted.aborted).toBe(false);
      await meter.settle('done');
    }
    await paid.settle('budget');
    expect((await balances()).held).toBe('0');
    expect(
      await rows(
        db,
        `select audio_millis as ms, cost_nano_usd::text as cost, outcome from meters where unit_price = '0' order by started_at, id`,
      ),
    ).toEqual([
      { ms: 3_600_000, cost: '0', outcome: 'done' },
      { ms: 3_600_000, cost: '0', outcome: 'done' },
    ]);
  });

  it('is one for all sessions of the account: twenty at once on $0.05 all end, and never charge more than 90 %', async () => {
    const { begin, balances } = await start('0.05');
    const running: Awaited<ReturnType<Meters['transcription']>>[] = [];
    let refused = 0;
    for (let index = 0; index < 20; index++) {
      try {
        running.push(await begin());
      } catch {
        refused += 1;
      }
    }
    expect(running.length).toBeGreaterThanOrEqual(15);
    const used = new Map(running.map((meter) => [meter, 0]));
    for (let rounds = 0; rounds < 10_000 && running.some(({ exhausted }) => !exhausted.aborted); rounds++) {
      for (const meter of running) {
        const millis = used.get(meter)! + 1_000;
        if (!meter.exhausted.aborted && (await meter.use(millis))) used.set(meter, millis);
      }
    }
    expect(running.every(({ exhausted }) => exhausted.aborted)).toBe(true);
    for (const meter of running) await meter.settle('budget');
    const { spent, held } = await balances();
    const usedMillis = [...used.values()].reduce((sum, millis) => sum + millis, 0);
    expect(held).toBe('0');
    expect(Number(spent)).toBeLessThanOrEqual(0.045);
    expect(Number(spent)).toBeCloseTo((usedMillis / 60_000) * 0.006, 4);
    // Within one slice of the cut-off, whichever came last.
    expect(Number(spent)).toBeGreaterThan(0.045 - 0.006);
    expect(running.length + refused).toBe(20);
  });

  it('is one also for a session that begins while the last one ends', async () => {
    const { begin } = await start('0.05');
    const first = await begin();
    const beginning = begin();
    await first.settle('done');
    const [second, third] = [await beginning, await begin()];
    await exhaust(second);
    expect(third.exhausted.aborted).toBe(true);
    for (const meter of [second, third]) await meter.settle('budget');
  });

  it('is one for the sessions of several processes: the cut-off in one ends those of another where their own holds end', async () => {
    const { begin, balances, clock, ledger, caller } = await start('0.05');
    const another = createMeters({ db, ledger, clock, log: recordLog(), limits: makeLimits() });
    const there = await another.transcription(
      { caller, sessionId: newId('session'), model: 'hears', provider: 'a' },
      perMinute,
    );
    const here = await begin();
    const usedHere = await exhaust(here);
    expect([here.exhausted.aborted, there.exhausted.aborted]).toEqual([true, false]);
    // The slice of a minute that it held, and nothing else.
    const usedThere = await exhaust(there);
    expect(usedThere).toBe(60_000);
    expect(usedHere + usedThere).toBeLessThanOrEqual(450_000);
    await Promise.all([here.settle('budget'), there.settle('budget')]);
    const { spent, held } = await balances();
    expect([held, Number(spent) <= 0.045]).toEqual(['0', true]);
  });

  it('is shared with sessions of other prices', async () => {
    const { begin, balances } = await start('0.1');
    const [cheap, dear] = [await begin(), await begin(parsePrice('0.06'))];
    await Promise.all([exhaust(cheap), exhaust(dear)]);
    await Promise.all([cheap.settle('budget'), dear.settle('budget')]);
    const { spent, held } = await balances();
    expect([held, Number(spent) <= 0.09, Number(spent) > 0.08]).toEqual(['0', true, true]);
  });

  it('ends at 90 % of what the limit of the key leaves, says so, and ends only sessions of that key', async () => {
    const { begin, balances, meters, caller } = await start('10', { keyLimit: '0.01' });
    const other = await meters.transcription(
      { caller: { ...caller, keyId: newId('key') }, sessionId: newId('session'), model: 'hears', provider: 'a' },
      perMinute,
    );
    const meter = await begin();
    const usedMillis = await exhaust(meter);
    // $0.009 at $0.0001 a second: 90 seconds.
    expect(usedMillis).toBeGreaterThan(89_400);
    expect(usedMillis).toBeLessThanOrEqual(90_000);
    expect([meter.exhausted.aborted, other.exhausted.aborted]).toEqual([true, false]);
    expect(meter.exhausted.reason).toMatchObject({
      code: 'key_limit_exceeded',
      message: expect.stringContaining('90 % of what the spend limit of this key leaves') as string,
    });
    await meter.settle('budget');
    await other.settle('done');
    expect((await balances()).held).toBe('0');
  });

  it('of a key with a limit is one for all its sessions, and leaves a tenth of the limit', async () => {
    const { begin, balances } = await start('10', { keyLimit: '0.01' });
    const [first, second] = [await begin(), await begin()];
    const used = await Promise.all([exhaust(first), exhaust(second)]);
    await Promise.all([first.settle('budget'), second.settle('budget')]);
    const { spent, held } = await balances();
    expect(held).toBe('0');
    expect(Number(spent)).toBeLessThanOrEqual(0.009);
    expect(Number(spent)).toBeGreaterThan(0.0088);
    expect(Math.min(...used)).toBeGreaterThan(0);
  });

  it('retries a failing database once a second ahead of need, and waits ten seconds for it when credit is needed', async () => {
    const { clock, ledger, caller } = await start('10');
    let asked = 0;
    let isDown = false;
    const failing: Database = {
      ...db,
      inTransaction(run) {
        asked += 1;
        return isDown ? Promise.reject(new Error('the database is away')) : db.inTransaction(run);
      },
    };
    const meters = createMeters({ db: failing, ledger, clock, log: recordLog(), limits: makeLimits() });
    const meter = await meters.transcription(
      { caller, sessionId: newId('session'), model: 'hears', provider: 'a' },
      perMinute,
    );
    isDown = true;
    asked = 0;
    // From 45 s of audio on the next slice is requested: fifty frames a second, for five seconds.
    for (let millis = 46_000; millis < 51_000; millis += 20) {
      expect(await meter.use(millis)).toBe(true);
      await clock.advance(20);
    }
    expect(asked).toBeLessThanOrEqual(6);
    // Beyond the hold.
    const needed = Promise.resolve(meter.use(61_000));
    for (let seconds = 0; seconds < 5; seconds += 1) await clock.advance(1_000);
    isDown = false;
    await clock.advance(1_000);
    expect(await needed).toBe(true);
    isDown = true;
    const lost = Promise.resolve(meter.use(400_000)).catch((error: Error) => error.message);
    for (let seconds = 0; seconds < 12; seconds += 1) await clock.advance(1_000);
    expect(await lost).toBe('the database is away');
    isDown = false;
    await meter.settle('failed');
  });

  it('charges a session once, however often it is settled', async () => {
    const { begin, balances } = await start('10');
    const meter = await begin();
    await meter.use(60_000);
    await Promise.all([meter.settle('done'), meter.settle('failed'), meter.settle('cancelled')]);
    expect((await balances()).spent).toBe('0.006');
  });
});

describe('the record of a transcription', () => {
  it('names the last provider that served, and each attempt', async () => {
    const { begin, clock, meters } = await start('10');
    const meter = await begin();
    meter.servedBy('a');
    meter.attempted({ provider: 'a', outcome: 'lost', ms: 700 });
    meter.servedBy('b');
    await meter.use(12_000);
    // A crash now would record the right name too.
    await clock.advance(10_000);
    const row = async () => (await db.query('select provider, attempts from meters where id = $1', [meter.id])).rows[0];
    await expect.poll(row).toMatchObject({ provider: 'b' });
    meter.attempted({ provider: 'b', outcome: 'served', ms: 12_000, startMs: 700 });
    await meter.settle('done');
    expect(await row()).toEqual({
      provider: 'b',
      attempts: [
        { provider: 'a', outcome: 'lost', ms: 700 },
        { provider: 'b', outcome: 'served', ms: 12_000, startMs: 700 },
      ],
    });
    await meters.close();
  });

  it('has the price of a minute from the start, and at the end the time of the first text and the error code', async () => {
    const { begin, clock } = await start('10');
    const meter = await begin();
    const row = async () =>
      (await db.query('select unit_price, first_result_ms, code, outcome from meters where id = $1', [meter.id]))
        .rows[0];
    // $0.006 for a minute.
    expect(await row()).toEqual({ unit_price: '6000000000000000', first_result_ms: null, code: null, outcome: null });
    await clock.advance(1_200);
    meter.delivered();
    await clock.advance(5_000);
    meter.delivered();
    await meter.settle('failed', 'upstream_timeout');
    expect(await row()).toMatchObject({ first_result_ms: 1_200, code: 'upstream_timeout', outcome: 'failed' });
  });
});

describe('a crash', () => {
  it('charges what was counted last, at the next recovery, and never more', async () => {
    const { begin, balances, clock, meters, ledger } = await start('10');
    const meter = await begin();
    await meter.use(12_000);
    await clock.advance(10_000);
    await new Promise((resolve) => setTimeout(resolve, 50));
    await meter.use(20_000);
    // The process that counted is gone; another one recovers, whose clock is an hour behind.
    await db.query(`update meters set checked_at = checked_at - interval '2 minutes' where id = $1`, [meter.id]);
    const another = createMeters({
      db,
      ledger,
      clock: later(clock, -3_600_000),
      log: recordLog(),
      limits: makeLimits(),
    });
    expect(await another.recover()).toBe(1);
    expect(await balances()).toEqual({ available: '9.9988', held: '0', spent: '0.0012' });
    expect(await another.recover()).toBe(0);
    await meter.settle('done');
    expect((await balances()).spent).toBe('0.0012');
    await meters.close();
  });

  it('is not assumed for a process whose clock is behind: its sessions are counted by the clock of the database', async () => {
    const { caller, ledger, clock } = await start('10');
    const behind = createMeters({
      db,
      ledger,
      clock: later(clock, -3_600_000),
      log: recordLog(),
      limits: makeLimits(),
    });
    const meter = await behind.transcription(
      { caller, sessionId: newId('session'), model: 'hears', provider: 'a' },
      perMinute,
    );
    const another = createMeters({ db, ledger, clock, log: recordLog(), limits: makeLimits() });
    expect(await another.recover()).toBe(0);
    await meter.settle('done');
  });

  it('with a count above the hold is charged the hold', async () => {
    const { begin, balances, ledger, clock } = await start('10');
    const meter = await begin();
    await db.query(
      `update meters set accrued_nano_usd = 999999999, checked_at = now() - interval '2 minutes' where id = $1`,
      [meter.id],
    );
    const another = createMeters({ db, ledger, clock, log: recordLog(), limits: makeLimits() });
    expect(await another.recover()).toBe(1);
    expect(await balances()).toEqual({ available: '9.994', held: '0', spent: '0.006' });
  });
});

describe('a generation of speech', () => {
  const perCharacter = parsePrice('0.00001');
  const metered = (caller: Caller) => ({ caller, sessionId: newId('session'), model: 'speaks', provider: 'a' });

  it('holds the whole text, and charges it once audio was delivered', async () => {
    const { meters, caller, balances } = await start('1');
    const meter = await meters.speech(metered(caller), perCharacter, 1_000).opened;
    expect((await balances()).held).toBe('0.01');
    meter.delivered();
    await meter.settle('cancelled');
    expect(await balances()).toEqual({ available: '0.99', held: '0', spent: '0.01' });
  });

  it('that was never delivered costs nothing', async () => {
    const { meters, caller, balances } = await start('1');
    const meter = await meters.speech(metered(caller), perCharacter, 1_000).opened;
    await meter.settle('failed');
    expect(await balances()).toEqual({ available: '1', held: '0', spent: '0' });
  });

  it('that the credits do not cover is refused', async () => {
    const { meters, caller } = await start('0.005');
    await expect(meters.speech(metered(caller), perCharacter, 1_000).opened).rejects.toMatchObject({
      code: 'insufficient_credits',
    });
  });

  it('may begin before its hold when there was plenty for a hundred like it within the last minute', async () => {
    const { meters, caller, clock } = await start('2');
    const isAmpleFor = async (characters: number) => {
      const { isAmple, opened } = meters.speech(metered(caller), perCharacter, characters);
      await (await opened).settle('done');
      return isAmple;
    };
    // Nothing is known; then $1.99 are, for which 1,990 characters may begin, and 2,000 may not.
    expect([await isAmpleFor(1_000), await isAmpleFor(1_990), await isAmpleFor(2_000)]).toEqual([false, true, false]);
    expect(await isAmpleFor(1_000)).toBe(true);
    await clock.advance(60_000);
    expect([await isAmpleFor(1_000), await isAmpleFor(1_000)]).toEqual([false, true]);
  });

  it('never begins before its hold when the key has a limit of its own', async () => {
    const { meters, caller } = await start('2', { keyLimit: '1' });
    await meters.speech(metered(caller), perCharacter, 10).opened;
    const next = meters.speech(metered(caller), perCharacter, 10);
    expect(next.isAmple).toBe(false);
    await next.opened;
  });

  it('notices with the next text that its key now has a limit', async () => {
    const { meters, caller } = await start('2');
    const isAmple = async () => {
      const opening = meters.speech(metered(caller), perCharacter, 10);
      await opening.opened;
      return opening.isAmple;
    };
    expect([await isAmple(), await isAmple()]).toEqual([false, true]);
    await db.query('update api_keys set limit_nano_usd = 1000000000, limit_period = $2 where id = $1', [
      caller.keyId,
      'total',
    ]);
    expect([await isAmple(), await isAmple()]).toEqual([true, false]);
  });

  it('never begins on the credit of another mode or organisation with the same key id', async () => {
    const [rich, poor] = [await start('100'), await start('0.5')];
    const person = (who: typeof rich): Caller => ({ ...who.caller, keyId: consoleKeyId });
    await rich.meters.speech(metered(person(rich)), perCharacter, 10).opened;
    const opening = rich.meters.speech(metered(person(poor)), perCharacter, 1_000);
    expect(opening.isAmple).toBe(false);
    await opening.opened;
  });

  it('may not begin after one that was refused', async () => {
    const { meters, caller } = await start('2');
    await meters.speech(metered(caller), perCharacter, 10).opened;
    const refused = meters.speech(metered(caller), perCharacter, 300_000);
    await expect(refused.opened).rejects.toMatchObject({ code: 'insufficient_credits' });
    const next = meters.speech(metered(caller), perCharacter, 10);
    expect(next.isAmple).toBe(false);
    await next.opened;
  });
});

/** The same clock, seen by a process that runs later. */
const later = (clock: TestClock, ms: number) => ({
  ...clock,
  now: () => new Date(clock.nowMs() + ms),
  nowMs: () => clock.nowMs() + ms,
});
