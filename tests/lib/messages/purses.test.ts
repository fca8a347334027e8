import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createLedger, type Ledger } from '../../../lib/billing/ledger';
import type { Caller } from '../../../lib/domain/caller';
import type { MessageRow } from '../../../lib/db/messages';
import { createPurses, type Purses, type Reservation } from '../../../lib/messages/purses';
import { checkBooks } from '../../support/check-books';
import { makeGateway, type TestGateway } from '../../support/gateway';

let test: TestGateway;
let ledger: Ledger;
let purses: Purses;
let caller: Caller;
let limited: Caller;

beforeAll(async () => {
  test = await makeGateway();
  ledger = createLedger({ clock: test.clock });
  purses = createPurses({ db: test.db, ledger, clock: test.clock, log: test.log });
  caller = await test.caller('live');
  const made = await test.gateway.accounts.createKey({ orgId: caller.orgId, role: 'owner' }, { name: 'limited', mode: 'live', limit: { amount: '1', period: 'total' } });
  limited = await test.gateway.accounts.authenticate({ authorization: `Bearer ${made.key}` }, '127.0.0.1');
});
afterEach(async () => {
  await purses.settled();
  expect(await checkBooks(test.db)).toEqual([]);
});
afterAll(() => test.close());

const cent = 10_000_000n;
const balances = () => ledger.balances(test.db, { orgId: caller.orgId, mode: 'live' });
const rowsOf = async () => (await test.db.query('select id, cost_nano_usd::text as cost, hold_id as hold from messages order by id')).rows;
let ids = 0;
const rowOf = (charged: bigint): MessageRow => ({
  id: `msg_${String((ids += 1)).padStart(6, '0')}`, requestId: 'req_1', model: 'm', provider: 'acme', upstreamModel: 'm', attempts: [],
  streamed: false, outcome: 'completed', code: null, stopReason: 'end_turn', inputTokens: 1, cacheReadTokens: 0, cacheWrite5mTokens: 0, cacheWrite1hTokens: 0, outputTokens: 1, webSearches: 0,
  estimated: false, firstTokenMs: null, totalMs: 1, createdAt: test.clock.now().toISOString(), costNanoUsd: charged.toString(),
});
const reserve = async (amount = cent, who = caller): Promise<Reservation> => purses.reserve(who, amount);

describe('a purse', () => {
  it('charges what was used and gives the rest back, to the billionth', async () => {
    const before = await balances();
    const reservation = await reserve();
    reservation.settle(7_654_321n, rowOf);
    await test.clock.advance(100);
    await purses.settled();
    expect(await balances()).toEqual({ available: before.available - 7_654_321n, held: before.held, spent: before.spent + 7_654_321n });
  });

  it('gives the next message its credit at once, also while the last ones are being written', async () => {
    const first = await reserve();
    const second = purses.reserve(caller, cent);
    expect(second).not.toBeInstanceOf(Promise);
    first.settle(1n, rowOf);
    const writing = purses.settled();
    const third = purses.reserve(caller, cent);
    expect(third).not.toBeInstanceOf(Promise);
    for (const reservation of [await second, await third]) reservation.settle(2n, rowOf);
    await writing;
    await purses.settled();
    expect((await rowsOf()).slice(-3).map(({ cost }) => cost)).toEqual(['1', '2', '2']);
  });

  it('keeps holding for what runs while it writes what is over', async () => {
    const before = await balances();
    const running = await reserve(5n * cent);
    const short = await reserve();
    short.settle(cent, rowOf);
    await purses.settled();
    const during = await balances();
    expect(during.held - before.held).toBeGreaterThanOrEqual(5n * cent);
    expect(during.spent - before.spent).toBe(cent);
    running.settle(3n * cent, rowOf);
    await purses.settled();
    expect((await balances()).spent - before.spent).toBe(4n * cent);
    expect((await balances()).held).toBe(before.held);
  });

  it('of a key that has had its message is given back with the charge; one in use is given back when it rests', async () => {
    const before = await balances();
    (await reserve()).settle(1n, rowOf);
    await test.clock.advance(100);
    await expect.poll(async () => (await balances()).held).toBe(before.held);

    for (let count = 0; count < 3; count += 1) (await reserve()).settle(1n, rowOf);
    await test.clock.advance(100);
    await expect.poll(async () => (await balances()).spent - before.spent).toBe(4n);
    expect((await balances()).held).toBeGreaterThan(before.held);
    await expect.poll(async () => {
      await test.clock.advance(100);
      return (await balances()).held;
    }).toBe(before.held);
  });

  it('counts a limited key to the billionth, and stops at the limit', async () => {
    const before = await balances();
    for (let count = 0; count < 9; count += 1) {
      (await reserve(10n * cent, limited)).settle(10n * cent, (charged) => ({ ...rowOf(charged), keyId: limited.keyId }));
      await test.clock.advance(100);
      await purses.settled();
    }
    await expect(reserve(11n * cent, limited)).rejects.toMatchObject({ code: 'key_limit_exceeded' });
    const last = await reserve(10n * cent, limited);
    last.settle(10n * cent, (charged) => ({ ...rowOf(charged), keyId: limited.keyId }));
    await purses.settled();
    expect((await balances()).spent - before.spent).toBe(100n * cent);
    const { rows } = await test.db.query('select spent_nano_usd::text as spent from key_spend where key_id = $1', [limited.keyId]);
    expect(rows).toEqual([{ spent: String(100n * cent) }]);
  });

  it('that the credit does not reach for its float holds what is asked for', async () => {
    const { rows } = await test.db.query(`select available_nano_usd::text as credit from accounts where org_id = $1 and mode = 'live'`, [caller.orgId]);
    const all = BigInt(String(rows[0]?.credit));
    const whole = await reserve(all);
    expect((await balances()).available).toBe(0n);
    await expect(reserve(1n)).rejects.toMatchObject({ code: 'credits_held_by_running_jobs' });
    whole.settle(0n, (charged) => ({ ...rowOf(charged), outcome: 'failed' }));
    await purses.settled();
    expect((await balances()).available).toBe(all);
  });

  it('keeps what it could not write, and writes it when the database answers again', async () => {
    const before = await balances();
    let isDown = true;
    const own = createPurses({
      db: { ...test.db, inTransaction: (run) => (isDown && waiting ? Promise.reject(new Error('the database is away')) : test.db.inTransaction(run)) },
      ledger,
      clock: test.clock,
      log: test.log,
    });
    let waiting = false;
    const reservation = await own.reserve(caller, cent);
    waiting = true;
    reservation.settle(5n, rowOf);
    const settling = own.settled();
    for (let times = 0; times < 40; times += 1) await test.clock.advance(1_000);
    await settling;
    expect((await balances()).spent).toBe(before.spent);
    isDown = false;
    await test.clock.advance(15_000);
    await expect.poll(async () => (await balances()).spent).toBe(before.spent + 5n);
    await own.settled();
    expect((await balances()).held).toBe(before.held);
  });
});

describe('a renewed hold', () => {
  const account = () => ({ orgId: caller.orgId, mode: 'live' as const });
  const next = (amount: bigint, atLeast: bigint, id: string) => ({ id: id as never, account: account(), keyId: caller.keyId, amount, atLeast, subject: { kind: 'message' as const, id } });
  const open = (amount: bigint, subject: string) => test.db.inTransaction((tx) => ledger.hold(tx, { account: account(), keyId: caller.keyId, amount, subject: { kind: 'message', id: subject } }));

  it('asked for twice with the same ids is renewed once, as when an answer of the database is lost', async () => {
    const before = await balances();
    const hold = await open(100n, 'a1');
    const renew = () => test.db.inTransaction((tx) => ledger.renew(tx, { hold, charged: 0n, next: next(90n, 90n, 'hold_a2') }));
    expect(await renew()).toBe(90n);
    expect(await renew()).toBe(90n);
    expect((await balances()).held - before.held).toBe(90n);
    await test.db.inTransaction((tx) => ledger.release(tx, 'hold_a2' as never));
    expect(await balances()).toEqual(before);
  });

  it('is content with less where the credit does not reach', async () => {
    const before = await balances();
    const hold = await open(100n, 'b1');
    expect(await test.db.inTransaction((tx) => ledger.renew(tx, { hold, charged: 0n, next: next(before.available + 1n, 60n, 'hold_b2') }))).toBe(60n);
    await test.db.inTransaction((tx) => ledger.release(tx, 'hold_b2' as never));
    expect(await balances()).toEqual(before);
  });
});
