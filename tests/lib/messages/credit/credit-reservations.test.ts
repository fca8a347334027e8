import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createLedger, type Ledger } from '../../../../lib/billing/ledger';
import { consoleKeyId, type Caller } from '../../../../lib/domain/caller';
import type { MessageRow } from '../../../../lib/db/messages';
import {
  createCreditReservations,
  type CreditReservations,
  type Reservation,
} from '../../../../lib/messages/credit/credit-reservations';
import { whileTimePasses } from '../../../support/clock';
import { checkBooks } from '../../../../lib/db/check-books';
import { makeLimits } from '../../../support/limits';
import { makeGateway, type TestGateway } from '../../../support/gateway';
import { messageRow } from '../../../support/work';

let test: TestGateway;
let ledger: Ledger;
let reservations: CreditReservations;
let caller: Caller;
let limited: Caller;

beforeAll(async () => {
  test = await makeGateway();
  ledger = createLedger({ clock: test.clock });
  reservations = createCreditReservations({
    db: test.db,
    ledger,
    clock: test.clock,
    log: test.log,
    limits: makeLimits(),
  });
  caller = await test.caller('live');
  const made = await test.gateway.accounts.createKey(
    { orgId: caller.orgId, role: 'owner' },
    { name: 'limited', mode: 'live', limit: { amount: '1', period: 'total' } },
  );
  limited = await test.gateway.accounts.authenticate({ authorization: `Bearer ${made.key}` }, '127.0.0.1');
});
afterEach(async () => {
  await reservations.settled();
  expect(await checkBooks(test.db)).toEqual([]);
});
afterAll(() => test.close());

const DAY_MS = 86_400_000;
const cent = 10_000_000n;
const balances = () => ledger.balances(test.db, { orgId: caller.orgId, mode: 'live' });
const rowsOf = async () =>
  (await test.db.query('select id, cost_nano_usd::text as cost, hold_id as hold from messages order by id')).rows;
let ids = 0;
const rowOf = (charged: bigint): MessageRow =>
  messageRow({
    id: `msg_${String((ids += 1)).padStart(6, '0')}`,
    createdAt: test.clock.now().toISOString(),
    costNanoUsd: charged.toString(),
  });
const reserve = async (amount = cent, who = caller): Promise<Reservation> => reservations.reserve(who, amount);

describe('a pool', () => {
  it('charges what was used and releases the rest, to the nano-dollar', async () => {
    const before = await balances();
    const reservation = await reserve();
    reservation.settle(7_654_321n, rowOf);
    await test.clock.advance(100);
    await reservations.settled();
    expect(await balances()).toEqual({
      available: before.available - 7_654_321n,
      held: before.held,
      spent: before.spent + 7_654_321n,
    });
  });

  it('counts a free message, which needs no hold, on the day of its request, also if it ends on the next', async () => {
    const midnight = Math.ceil(test.clock.nowMs() / DAY_MS) * DAY_MS;
    await test.clock.advance(midnight - 1_000 - test.clock.nowMs());
    const reservation = await reserve(0n);
    const row = { ...rowOf(0n), model: 'free-model' };
    await test.clock.advance(2_000);
    reservation.settle(0n, () => row);
    await test.clock.advance(100);
    await reservations.settled();
    const { rows } = await test.db.query(`select day::text from usage_days where model = 'free-model'`);
    expect(rows).toEqual([{ day: row.createdAt.slice(0, 10) }]);
  });

  it('gives the next message its credit at once, even while the last ones are being written', async () => {
    const first = await reserve();
    const second = reservations.reserve(caller, cent);
    expect(second).not.toBeInstanceOf(Promise);
    first.settle(1n, rowOf);
    const writing = reservations.settled();
    const third = reservations.reserve(caller, cent);
    expect(third).not.toBeInstanceOf(Promise);
    for (const reservation of [await second, await third]) reservation.settle(2n, rowOf);
    await writing;
    await reservations.settled();
    expect((await rowsOf()).slice(-3).map(({ cost }) => cost)).toEqual(['1', '2', '2']);
  });

  it('keeps holding for running messages while it writes finished ones', async () => {
    const before = await balances();
    const running = await reserve(5n * cent);
    const short = await reserve();
    short.settle(cent, rowOf);
    await reservations.settled();
    const during = await balances();
    expect(during.held - before.held).toBeGreaterThanOrEqual(5n * cent);
    expect(during.spent - before.spent).toBe(cent);
    running.settle(3n * cent, rowOf);
    await reservations.settled();
    expect((await balances()).spent - before.spent).toBe(4n * cent);
    expect((await balances()).held).toBe(before.held);
  });

  it('of a key without running messages is released with the charge; one in use is released when it is idle', async () => {
    const before = await balances();
    (await reserve()).settle(1n, rowOf);
    await test.clock.advance(100);
    await expect.poll(async () => (await balances()).held).toBe(before.held);

    for (let count = 0; count < 3; count += 1) (await reserve()).settle(1n, rowOf);
    await test.clock.advance(100);
    await expect.poll(async () => (await balances()).spent - before.spent).toBe(4n);
    expect((await balances()).held).toBeGreaterThan(before.held);
    await expect
      .poll(async () => {
        await test.clock.advance(100);
        return (await balances()).held;
      })
      .toBe(before.held);
  });

  it('counts a limited key to the nano-dollar, and stops at the limit', async () => {
    const before = await balances();
    for (let count = 0; count < 9; count += 1) {
      (await reserve(10n * cent, limited)).settle(10n * cent, (charged) => ({
        ...rowOf(charged),
        keyId: limited.keyId,
      }));
      await test.clock.advance(100);
      await reservations.settled();
    }
    await expect(reserve(11n * cent, limited)).rejects.toMatchObject({ code: 'key_limit_exceeded' });
    const last = await reserve(10n * cent, limited);
    last.settle(10n * cent, (charged) => ({ ...rowOf(charged), keyId: limited.keyId }));
    await reservations.settled();
    expect((await balances()).spent - before.spent).toBe(100n * cent);
    const { rows } = await test.db.query('select spent_nano_usd::text as spent from spending where scope_id = $1', [
      limited.keyId,
    ]);
    expect(rows).toEqual([{ spent: String(100n * cent) }]);
  });

  it('without enough credit for its reserve holds only what is needed', async () => {
    const { rows } = await test.db.query(
      `select available_nano_usd::text as credit from accounts where org_id = $1 and mode = 'live'`,
      [caller.orgId],
    );
    const all = BigInt(String(rows[0]?.credit));
    const whole = await reserve(all);
    expect((await balances()).available).toBe(0n);
    await expect(reserve(1n)).rejects.toMatchObject({ code: 'credits_held_by_running_jobs' });
    whole.settle(0n, (charged) => ({ ...rowOf(charged), outcome: 'failed' }));
    await reservations.settled();
    expect((await balances()).available).toBe(all);
  });

  it.each([
    ['a number that its column cannot hold', { outputTokens: 4_294_967_295 }],
    ['a text that Postgres cannot store', { stopReason: 'end\0' }],
  ])('leaves out the message with %s, and charges and stores the others of its batch', async (_what, values) => {
    const before = await balances();
    const stored = (await rowsOf()).length;
    const all = [await reserve(), await reserve(), await reserve()];
    const [first, odd, last] = all;
    first!.settle(3n, rowOf);
    odd!.settle(50n, (charged) => ({ ...rowOf(charged), ...values }));
    last!.settle(4n, rowOf);
    await reservations.settled();
    expect(await balances()).toEqual({
      available: before.available - 7n,
      held: before.held,
      spent: before.spent + 7n,
    });
    expect((await rowsOf()).slice(stored).map(({ cost }) => cost)).toEqual(['3', '4']);
    expect(test.log.lines.at(-1)).toMatchObject({
      level: 'error',
      message: 'the database refuses a value of a message, which is therefore neither stored nor charged',
      fields: { keyId: caller.keyId, costNanoUsd: '50', requestId: expect.stringMatching(/^req_/) as string },
    });
    // More than the free credit of the pool, so that the ledger is needed.
    (await reserve(200n * cent)).settle(5n, rowOf);
    await reservations.settled();
    expect((await balances()).spent).toBe(before.spent + 12n);
  });

  it('keeps the reservation of a message whose row cannot be made, so that it can be settled again', async () => {
    const before = await balances();
    const reservation = await reserve();
    const broken = () => {
      throw new RangeError('The row cannot be made.');
    };
    expect(() => reservation.settle(cent, broken)).toThrow(RangeError);
    reservation.settle(0n, (charged) => ({ ...rowOf(charged), outcome: 'failed' }));
    await reservations.settled();
    expect(await balances()).toEqual(before);

    // The rest of this charge is reserved later, where no caller is left to catch the error.
    (await reserve()).settle(1_000n * cent, broken);
    await reservations.settled();
    expect(await balances()).toEqual(before);
  });

  it('keeps what it could not write, and writes it when the database answers again', async () => {
    const before = await balances();
    let isDown = true;
    const own = createCreditReservations({
      limits: makeLimits(),
      db: {
        ...test.db,
        inTransaction: (run) =>
          isDown && waiting ? Promise.reject(new Error('the database is away')) : test.db.inTransaction(run),
      },
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
  const next = (amount: bigint, atLeast: bigint, id: string) => ({
    id: id as never,
    account: account(),
    keyId: caller.keyId,
    amount,
    atLeast,
    subject: { kind: 'message' as const, id },
  });
  const open = (amount: bigint, subject: string) =>
    test.db.inTransaction((tx) =>
      ledger.hold(tx, { account: account(), keyId: caller.keyId, amount, subject: { kind: 'message', id: subject } }),
    );

  it('requested twice with the same ids is renewed once, as when an answer of the database is lost', async () => {
    const before = await balances();
    const hold = await open(100n, 'a1');
    const renew = () =>
      test.db.inTransaction((tx) => ledger.renew(tx, { hold, charged: 0n, next: next(90n, 90n, 'hold_a2') }));
    expect(await renew()).toMatchObject({ held: 90n, chargedTo: hold });
    expect(await renew()).toMatchObject({ held: 90n, chargedTo: hold });
    expect((await balances()).held - before.held).toBe(90n);
    await test.db.inTransaction((tx) => ledger.release(tx, 'hold_a2' as never));
    expect(await balances()).toEqual(before);
  });

  it('accepts less if the credit does not suffice', async () => {
    const before = await balances();
    const hold = await open(100n, 'b1');
    expect(
      await test.db.inTransaction((tx) =>
        ledger.renew(tx, { hold, charged: 0n, next: next(before.available + 1n, 60n, 'hold_b2') }),
      ),
    ).toMatchObject({ held: 60n, chargedTo: hold });
    await test.db.inTransaction((tx) => ledger.release(tx, 'hold_b2' as never));
    expect(await balances()).toEqual(before);
  });
});

describe('reading the credits', () => {
  const charge = async (who: Caller, cost: bigint) => (await reserve(cent, who)).settle(cost, rowOf);

  it('counts what has ended and is not written yet, in one query that waits for no charge and writes nothing', async () => {
    const account = { orgId: caller.orgId, mode: 'live' as const };
    const before = await balances();
    await charge(caller, 7n);
    await charge(caller, 5n);
    const running = await reserve(3n * cent);
    const queries: string[] = [];
    const watched = { ...test.db, orm: drizzleWatch(test.db.orm, queries) };
    expect(await ledger.balances(watched, account, reservations.unwritten(account))).toEqual({
      available: before.available - 12n - 3n * cent,
      held: before.held + 3n * cent,
      spent: before.spent + 12n,
    });
    expect(queries).toEqual(['select']);
    // In the ledger the full amount is still held.
    expect((await balances()).spent).toBe(before.spent);
    running.settle(0n, (charged) => ({ ...rowOf(charged), outcome: 'failed' }));
    await reservations.settled();
    expect(await ledger.balances(test.db, account, reservations.unwritten(account))).toEqual(await balances());
  });

  it('does not affect pools of another tenant, nor those of the other mode', async () => {
    const strangers = await callerOfAnother('Stranger');
    const tester = await test.caller('test');
    for (const who of [caller, tester, strangers]) await charge(who, 1n);
    for (const who of [caller, tester, strangers]) {
      const open = (
        await test.db.query(`select id from holds where state = 'open' and org_id = $1 and mode = $2`, [
          who.orgId,
          who.mode,
        ])
      ).rows.map(({ id }) => id);
      expect(reservations.unwritten(who).map(({ hold }) => hold)).toEqual(open);
    }
  });

  it('is right to the nano-dollar at every moment while charges are written', async () => {
    const account = { orgId: caller.orgId, mode: 'live' as const };
    const before = await balances();
    let ended = 0n;
    let isOver = false;
    const reading = (async () => {
      for (let times = 0; !isOver; times += 1) {
        const atLeast = ended;
        const seen = await ledger.balances(test.db, account, reservations.unwritten(account));
        expect(seen.spent - before.spent).toBeGreaterThanOrEqual(atLeast);
        expect(seen.spent - before.spent).toBeLessThanOrEqual(ended);
        expect(seen.available + seen.held + seen.spent).toBe(before.available + before.held + before.spent);
      }
    })();
    for (let count = 0; count < 60; count += 1) {
      await charge(caller, 3n);
      ended += 3n;
      if (count % 4 === 0) await test.clock.advance(100);
    }
    isOver = true;
    await reading;
    await reservations.settled();
    expect((await balances()).spent - before.spent).toBe(ended);
  });
});

describe('a pool on a database that fails', () => {
  /** `fate` decides the outcome of each transaction. */
  function onFailing(fate: () => 'works' | 'is away' | 'loses the answer') {
    return createCreditReservations({
      limits: makeLimits(),
      db: {
        ...test.db,
        async inTransaction(run) {
          const now = fate();
          if (now === 'is away') throw new Error('the database is away');
          const result = await test.db.inTransaction(run);
          if (now === 'loses the answer') throw new Error('the connection broke');
          return result;
        },
      },
      ledger,
      clock: test.clock,
      log: test.log,
    });
  }

  it('charges once what was committed when the answer was lost and the database stayed away, and leaves no hold behind', async () => {
    const before = await balances();
    let fate: 'works' | 'is away' | 'loses the answer' = 'works';
    const own = onFailing(() => {
      const now = fate;
      if (now === 'loses the answer') fate = 'is away';
      return now;
    });
    const running = await own.reserve(caller, cent);
    (await own.reserve(caller, cent)).settle(5n, rowOf);
    fate = 'loses the answer';
    await whileTimePasses(test.clock, own.settled());
    // Ends while the database does not respond.
    const late = await own.reserve(caller, cent);
    late.settle(7n, rowOf);
    fate = 'works';
    running.settle(1n, rowOf);
    await whileTimePasses(test.clock, own.settled());
    expect(await balances()).toEqual({
      available: before.available - 13n,
      held: before.held,
      spent: before.spent + 13n,
    });
  });

  it('charges the available credits when its hold was released meanwhile, and logs an error', async () => {
    const before = await balances();
    const reservation = await reserve();
    // As housekeeping does with the hold of a killed process.
    const [released] = (
      await test.db.query(
        `select id from holds where state = 'open' and subject_kind = 'message' and org_id = $1 and mode = 'live'`,
        [caller.orgId],
      )
    ).rows;
    await test.db.inTransaction((tx) => ledger.release(tx, released?.id as never));
    reservation.settle(9n, rowOf);
    await reservations.settled();
    expect(await balances()).toEqual({ available: before.available - 9n, held: before.held, spent: before.spent + 9n });
    expect(test.log.lines).toContainEqual(
      expect.objectContaining({
        level: 'error',
        message: expect.stringContaining('was released before they were charged') as string,
      }),
    );
  });

  it('retries for ten seconds to get the credit of an answer that has begun', async () => {
    let isDown = false;
    const own = onFailing(() => (isDown ? 'is away' : 'works'));
    const reservation = await own.reserve(caller, cent);
    isDown = true;
    const extending = reservation.extend(100n * cent);
    for (let times = 0; times < 8; times += 1) await test.clock.advance(1_000);
    isDown = false;
    await test.clock.advance(1_000);
    await extending;
    isDown = true;
    const refused = reservation.extend(1_000n * cent).catch((error: Error) => error.message);
    for (let times = 0; times < 11; times += 1) await test.clock.advance(1_000);
    expect(await refused).toBe('the database is away');
    isDown = false;
    reservation.settle(1n, rowOf);
    await own.settled();
  });

  it('releases a first hold that was made although its answer was lost', async () => {
    const before = await balances();
    let fate: 'works' | 'is away' | 'loses the answer' = 'loses the answer';
    const own = onFailing(() => fate);
    await expect(own.reserve(caller, cent)).rejects.toThrow('the connection broke');
    expect((await balances()).held - before.held).toBeGreaterThanOrEqual(cent);
    fate = 'is away';
    await test.clock.advance(15_000);
    fate = 'works';
    await test.clock.advance(15_000);
    await expect.poll(balances).toEqual(before);
  });

  it('keeps nothing reserved for a message that ended while it waited for more credit', async () => {
    const before = await balances();
    const reservation = await reserve();
    const extending = reservation.extend(200n * cent);
    reservation.settle(2n, rowOf);
    await extending;
    await reservations.settled();
    expect(await balances()).toEqual({ available: before.available - 2n, held: before.held, spent: before.spent + 2n });
  });
});

/**
 * Two messages of a key with a daily limit that have run since yesterday, and another hold of today that uses up its
 * limit.
 */
async function holdInFullDay(name: string) {
  const { id, key } = await test.gateway.accounts.createKey(
    { orgId: caller.orgId, role: 'owner' },
    { name, mode: 'live', limit: { amount: '0.5', period: 'daily' } },
  );
  const daily = await test.gateway.accounts.authenticate({ authorization: `Bearer ${key}` }, '127.0.0.1');
  let days = 0;
  const clock = { ...test.clock, now: () => new Date(test.clock.nowMs() + days * 86_400_000) };
  const ownLedger = createLedger({ clock });
  const own = createCreditReservations({ db: test.db, ledger: ownLedger, clock, log: test.log, limits: makeLimits() });
  const [running, second] = [await own.reserve(daily, cent), await own.reserve(daily, cent)];
  days = 1;
  const today = await ownLedger.hold(test.db, {
    account: { orgId: caller.orgId, mode: 'live' },
    keyId: daily.keyId,
    amount: 50n * cent,
    subject: { kind: 'video', id: name },
  });
  return { id, own, daily, running, second, today };
}

describe('a pool', () => {
  it("of a key with a spend limit reserves nothing beyond its running messages, so that a process never refuses for another one's reserve", async () => {
    const made = await test.gateway.accounts.createKey(
      { orgId: caller.orgId, role: 'owner' },
      { name: 'small', mode: 'live', limit: { amount: '0.5', period: 'total' } },
    );
    const small = await test.gateway.accounts.authenticate({ authorization: `Bearer ${made.key}` }, '127.0.0.1');
    const processes = Array.from({ length: 4 }, () =>
      createCreditReservations({ db: test.db, ledger, clock: test.clock, log: test.log, limits: makeLimits() }),
    );
    // Each of them has used a little, is still running, and has been flushed since.
    const running: Reservation[] = [];
    for (const process of processes) {
      running.push(await process.reserve(small, cent));
      (await process.reserve(small, cent)).settle(1n, rowOf);
      await process.settled();
    }
    const { rows } = await test.db.query('select spent_nano_usd::text as counted from spending where scope_id = $1', [
      small.keyId,
    ]);
    expect(rows).toEqual([{ counted: String(4n * cent + 4n) }]);
    running.push(await processes[3]!.reserve(small, 45n * cent));
    for (const reservation of running) reservation.settle(0n, (charged) => ({ ...rowOf(charged), outcome: 'failed' }));
    for (const process of processes) await process.settled();
  });

  it('of a key whose new period leaves no room takes no new message until what runs has ended or the limit is raised', async () => {
    const { id, own, daily, running, second, today } = await holdInFullDay('daily');
    const spent = async () => (await balances()).spent;
    const before = await spent();
    second.settle(3n, rowOf);
    await own.settled();
    await expect(own.reserve(daily, cent)).rejects.toMatchObject({ code: 'key_limit_exceeded' });
    expect(await spent()).toBe(before);
    // The limit is raised while the first message still runs.
    await test.gateway.accounts.updateKey(
      { orgId: caller.orgId, role: 'owner' },
      id,
      { limit: { amount: '0.6', period: 'daily' } },
      () => {},
    );
    await test.clock.advance(15_000);
    await expect.poll(spent).toBe(before + 3n);
    const third = await own.reserve(daily, cent);
    for (const reservation of [running, third]) reservation.settle(2n, rowOf);
    await own.settled();
    expect(await spent()).toBe(before + 7n);
    await test.db.inTransaction((tx) => ledger.release(tx, today));
  });

  it('of a blocked key is charged before its next message', async () => {
    const { own, daily, running, second, today } = await holdInFullDay('back to back');
    const before = (await balances()).spent;
    second.settle(3n, rowOf);
    await own.settled();
    running.settle(4n, rowOf);
    await expect(own.reserve(daily, cent)).rejects.toMatchObject({ code: 'key_limit_exceeded' });
    expect((await balances()).spent).toBe(before + 7n);
    await test.db.inTransaction((tx) => ledger.release(tx, today));
  });

  it('is never shared by organisations or modes with the same key id', async () => {
    const stranger = await callerOfAnother('Console');
    const people: Caller[] = [caller, await test.caller('test'), stranger].map((who) => ({
      ...who,
      keyId: consoleKeyId,
    }));
    const spentOf = async (who: Caller) => (await ledger.balances(test.db, { orgId: who.orgId, mode: who.mode })).spent;
    const before = await Promise.all(people.map(spentOf));
    for (const [index, person] of people.entries()) (await reserve(cent, person)).settle(BigInt(index + 1), rowOf);
    await reservations.settled();
    expect(await Promise.all(people.map(spentOf))).toEqual(before.map((spent, index) => spent + BigInt(index + 1)));
  });
});

async function callerOfAnother(name: string): Promise<Caller> {
  const { live } = await test.makeOrganization(name);
  return test.gateway.accounts.authenticate({ authorization: `Bearer ${live}` }, '127.0.0.1');
}

/** The same query builder, which records the queries. */
function drizzleWatch(orm: TestGateway['db']['orm'], queries: string[]): TestGateway['db']['orm'] {
  return new Proxy(orm, {
    get(target, name) {
      if (typeof name === 'string' && ['select', 'insert', 'update', 'delete', 'execute'].includes(name))
        queries.push(name);
      return Reflect.get(target, name, target) as unknown;
    },
  });
}
