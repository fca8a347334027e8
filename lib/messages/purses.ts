import type { Ledger } from '../billing/ledger';
import type { Database, Tx } from '../db/database';
import { insertMessages, type MessageRow } from '../db/messages';
import type { Caller } from '../domain/caller';
import type { Cancel, Clock } from '../domain/clock';
import { errorForLog, isGatewayError } from '../domain/errors';
import { newId, type HoldId } from '../domain/ids';
import type { Log } from '../domain/log';
import type { NanoUsd } from '../domain/money';

// Messages are many and cheap, and a transaction for each would cost more than the rest of the gateway. So the messages of one
// key share a hold in the ledger: a purse, from which each reserves before anybody is asked and out of which each is charged
// afterwards. Ten times a second what was charged is written, with its rows, in one transaction that also makes a new hold for
// whatever still runs. Credit can still not be overdrawn, because a purse only gives what the ledger holds; a crash leaves the
// hold open, and the last tenth of a second uncharged.

const FLUSH_MS = 100;
const FLUSH_ROWS = 100;
/** More is held than is asked for, so that the next messages find it there; at most 50 cents, and only where there is enough. */
const FLOAT_TIMES = 32n;
const MOST_FLOAT: NanoUsd = 500_000_000n;
const MOST_TRIES = 6;
const FIRST_PAUSE_MS = 250;

/** A message's row but for what the charge adds. */
export type UnchargedRow = Omit<MessageRow, 'holdId' | 'costNanoUsd'>;

export interface Reservation {
  /** Reserves more; rejects as `Ledger.extend` does. */
  extend(by: NanoUsd): Promise<void>;
  /** Charges a cost, as far as the credit goes, and gives the rest back. Once; `rowFor` gets what was charged. */
  settle(cost: NanoUsd, rowFor: (charged: NanoUsd) => UnchargedRow): void;
}

export interface Purses {
  /** Rejects as `Ledger.hold` does. */
  reserve(caller: Caller, amount: NanoUsd): Promise<Reservation>;
  /** Writes everything that was settled. */
  settled(): Promise<void>;
}

interface Purse {
  readonly caller: Caller;
  hold: { readonly id: HoldId; amount: NanoUsd } | undefined;
  /** The hold's amount is the sum of these three. */
  free: NanoUsd;
  reserved: NanoUsd;
  spent: NanoUsd;
  rows: { readonly row: UnchargedRow; readonly cost: NanoUsd }[];
  /** Everything that asks the database, one after the other. */
  work: Promise<unknown>;
  cancelFlush: Cancel | undefined;
}

export function createPurses({ db, ledger, clock, log }: { db: Database; ledger: Ledger; clock: Clock; log: Log }): Purses {
  const purses = new Map<string, Purse>();
  const late = new Set<Promise<void>>();

  function purseOf(caller: Caller): Purse {
    let purse = purses.get(caller.keyId);
    if (!purse) {
      purse = { caller, hold: undefined, free: 0n, reserved: 0n, spent: 0n, rows: [], work: Promise.resolve(), cancelFlush: undefined };
      purses.set(caller.keyId, purse);
    }
    return purse;
  }

  function inTurn<T>(purse: Purse, run: () => Promise<T>): Promise<T> {
    const result = purse.work.then(run);
    purse.work = result.catch(() => {});
    return result;
  }

  async function take(purse: Purse, amount: NanoUsd): Promise<void> {
    while (purse.free < amount) {
      await inTurn(purse, async () => {
        if (purse.free < amount) await grow(purse, amount - purse.free);
      });
    }
    purse.free -= amount;
    purse.reserved += amount;
  }

  async function grow(purse: Purse, need: NanoUsd): Promise<void> {
    const float = need * FLOAT_TIMES < MOST_FLOAT ? need * FLOAT_TIMES : MOST_FLOAT;
    try {
      await addToHold(purse, need + float);
    } catch (error) {
      if (!isGatewayError(error)) throw error;
      await addToHold(purse, need);
    }
  }

  async function addToHold(purse: Purse, amount: NanoUsd): Promise<void> {
    const { hold } = purse;
    if (hold) {
      await db.inTransaction((tx) => ledger.extend(tx, hold.id, amount));
      hold.amount += amount;
    } else {
      const id = await db.inTransaction((tx) => holdFor(tx, purse, amount));
      purse.hold = { id, amount };
    }
    purse.free += amount;
  }

  function holdFor(tx: Tx, { caller }: Purse, amount: NanoUsd): Promise<HoldId> {
    return ledger.hold(tx, { account: { orgId: caller.orgId, mode: caller.mode }, keyId: caller.keyId, amount, subject: { kind: 'message', id: newId('transfer') } });
  }

  function flushSoon(purse: Purse): void {
    if (purse.rows.length >= FLUSH_ROWS) void flush(purse);
    else purse.cancelFlush ??= clock.after(FLUSH_MS, () => void flush(purse));
  }

  function flush(purse: Purse): Promise<void> {
    purse.cancelFlush?.();
    purse.cancelFlush = undefined;
    return inTurn(purse, () => write(purse));
  }

  async function write(purse: Purse): Promise<void> {
    const { hold, rows, spent } = purse;
    if (!hold || (rows.length === 0 && purse.reserved > 0n)) return;
    // From here on only what is reserved is carried over; who reserves now waits for the new hold.
    const carried = purse.reserved;
    purse.free = 0n;
    purse.spent = 0n;
    purse.rows = [];
    for (let tries = 1; ; tries += 1) {
      try {
        const next = await db.inTransaction(async (tx) => {
          if (spent > 0n) await ledger.capture(tx, hold.id, spent);
          else await ledger.release(tx, hold.id);
          await insertMessages(tx, rows.map(({ row, cost }) => ({ ...row, holdId: hold.id, costNanoUsd: cost })));
          return carried > 0n ? await holdFor(tx, purse, carried) : undefined;
        });
        purse.hold = next && { id: next, amount: carried };
        return;
      } catch (error) {
        if (tries >= MOST_TRIES) {
          log.error('messages could not be charged', { keyId: purse.caller.keyId, orgId: purse.caller.orgId, count: rows.length, error: errorForLog(error) });
          // The hold stays open in the books until it is cleaned up; here a new one is begun.
          purse.hold = undefined;
          return;
        }
        await clock.sleep(FIRST_PAUSE_MS * 2 ** (tries - 1));
      }
    }
  }

  return {
    async reserve(caller, amount) {
      const purse = purseOf(caller);
      await take(purse, amount);
      let mine = amount;

      function close(cost: NanoUsd, rowFor: (charged: NanoUsd) => UnchargedRow): void {
        const charged = cost < mine ? cost : mine;
        purse.reserved -= mine;
        purse.spent += charged;
        purse.free += mine - charged;
        purse.rows.push({ row: rowFor(charged), cost: charged });
        flushSoon(purse);
      }

      return {
        async extend(by) {
          await take(purse, by);
          mine += by;
        },
        settle(cost, rowFor) {
          if (cost <= mine) return close(cost, rowFor);
          const work = take(purse, cost - mine)
            .then(() => void (mine = cost), (error: unknown) => {
              // The answer was delivered, and is charged as far as the credit goes.
              if (!isGatewayError(error)) log.error('the rest of a charge could not be held', { orgId: caller.orgId, error: errorForLog(error) });
            })
            .then(() => close(cost, rowFor))
            .finally(() => late.delete(work));
          late.add(work);
        },
      };
    },
    async settled() {
      do {
        await Promise.all(late);
        await Promise.all([...purses.values()].map(flush));
      } while (late.size > 0 || [...purses.values()].some(({ rows }) => rows.length > 0));
    },
  };
}
