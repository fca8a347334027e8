import type { HoldRequest, Ledger } from '../billing/ledger';
import type { Database } from '../db/database';
import { insertMessages, messageText, type MessageRow } from '../db/messages';
import type { Caller } from '../domain/caller';
import type { Cancel, Clock } from '../domain/clock';
import { errorForLog, isGatewayError } from '../domain/errors';
import { newId, type HoldId } from '../domain/ids';
import type { Log } from '../domain/log';
import type { NanoUsd } from '../domain/money';

// Messages are many and cheap, and a transaction for each would cost more than the rest of the gateway. So the messages of one
// key share a hold in the ledger: a purse, from which each reserves before anybody is asked and out of which each is charged
// afterwards. Ten times a second what was charged is written, with its rows, in one transaction that also makes a new hold of
// everything that was not. Nobody waits for it: before it the old hold covers what is reserved, and after it the new one does.
// Credit can still not be overdrawn, because a purse only gives what the ledger holds; a crash leaves the hold open, and the
// last tenth of a second uncharged.

const FLUSH_MS = 100;
/** Before the tenth of a second is over, when there are so many. */
const FLUSH_ROWS = 500;
/** More is held than is asked for, so that the next messages find it there; at most 50 cents, and only where there is enough. */
const FLOAT_TIMES = 32n;
/** A busy key finds there what it uses in so many writings. */
const FLOAT_WRITINGS = 8n;
const MOST_FLOAT: NanoUsd = 500_000_000n;
const MOST_TRIES = 6;
const FIRST_PAUSE_MS = 250;
/** After so many failures the database is left alone for a while. */
const LATER_MS = 15_000;

export interface Reservation {
  /** Reserves more; rejects as `Ledger.extend` does. */
  extend(by: NanoUsd): Promise<void>;
  /** Charges a cost, as far as the credit goes, and gives the rest back. Once; `rowFor` gets what was charged. */
  settle(cost: NanoUsd, rowFor: (charged: NanoUsd) => MessageRow): void;
}

export interface Purses {
  /** At once when the purse has so much; otherwise when the ledger has given it. Rejects as `Ledger.hold` does. */
  reserve(caller: Caller, amount: NanoUsd): Reservation | Promise<Reservation>;
  /** Writes everything that was settled, and gives back what nobody needs. */
  settled(): Promise<void>;
}

interface Purse {
  readonly caller: Caller;
  hold: HoldId | undefined;
  /** What the hold holds is the sum of these three. */
  free: NanoUsd;
  reserved: NanoUsd;
  spent: NanoUsd;
  /** Messages that are over, as `insertMessages` takes them: a text each, because thousands of small objects that live for a tenth of a second are copied about by the garbage collector. */
  rows: string[];
  /** Reservations since the last writing. */
  taken: number;
  /** The last reservation that the ledger was asked for, and what the last writing charged. */
  lastAsked: NanoUsd;
  lastSpent: NanoUsd;
  /** Everything that asks the database, one after the other. */
  work: Promise<unknown>;
  isWriting: boolean;
  /** The database does not answer; what was charged is kept until it does. */
  isFailing: boolean;
  /** No new hold can be made before everything that is reserved was settled. */
  isBlocked: boolean;
  cancelFlush: Cancel | undefined;
}

export function createPurses({ db, ledger, clock, log }: { db: Database; ledger: Ledger; clock: Clock; log: Log }): Purses {
  const purses = new Map<string, Purse>();
  const late = new Set<Promise<void>>();

  function purseOf(caller: Caller): Purse {
    let purse = purses.get(caller.keyId);
    if (!purse) {
      purse = { caller, hold: undefined, free: 0n, reserved: 0n, spent: 0n, rows: [], taken: 0, lastAsked: 0n, lastSpent: 0n, work: Promise.resolve(), isWriting: false, isFailing: false, isBlocked: false, cancelFlush: undefined };
      purses.set(caller.keyId, purse);
    }
    return purse;
  }

  function inTurn<T>(purse: Purse, run: () => Promise<T>): Promise<T> {
    const result = purse.work.then(run);
    purse.work = result.catch(() => {});
    return result;
  }

  function takeFree(purse: Purse, amount: NanoUsd): boolean {
    if (purse.free < amount) return false;
    purse.free -= amount;
    purse.reserved += amount;
    purse.taken += 1;
    return true;
  }

  async function take(purse: Purse, amount: NanoUsd): Promise<void> {
    while (!takeFree(purse, amount)) {
      await inTurn(purse, async () => {
        purse.lastAsked = amount;
        if (purse.free < amount) await grow(purse, amount - purse.free);
      });
    }
  }

  async function grow(purse: Purse, need: NanoUsd): Promise<void> {
    try {
      await addToHold(purse, need + floatOf(purse));
    } catch (error) {
      if (!isGatewayError(error)) throw error;
      await addToHold(purse, need);
    }
  }

  function floatOf({ lastAsked, lastSpent }: Purse): NanoUsd {
    const wanted = lastAsked * FLOAT_TIMES > lastSpent * FLOAT_WRITINGS ? lastAsked * FLOAT_TIMES : lastSpent * FLOAT_WRITINGS;
    return wanted < MOST_FLOAT ? wanted : MOST_FLOAT;
  }

  async function addToHold(purse: Purse, amount: NanoUsd): Promise<void> {
    const { hold } = purse;
    if (hold) await db.inTransaction((tx) => ledger.extend(tx, hold, amount));
    else purse.hold = await db.inTransaction((tx) => ledger.hold(tx, requestOf(purse, amount)));
    purse.free += amount;
  }

  function requestOf({ caller }: Purse, amount: NanoUsd): HoldRequest {
    return { account: { orgId: caller.orgId, mode: caller.mode }, keyId: caller.keyId, amount, subject: { kind: 'message', id: newId('transfer') } };
  }

  function flushSoon(purse: Purse): void {
    if (purse.isWriting || purse.isFailing || (purse.isBlocked && purse.reserved > 0n)) return;
    if (purse.rows.length >= FLUSH_ROWS) void flush(purse, false);
    else purse.cancelFlush ??= clock.after(FLUSH_MS, () => void flush(purse, false));
  }

  function flush(purse: Purse, closing: boolean): Promise<void> {
    purse.cancelFlush?.();
    purse.cancelFlush = undefined;
    purse.isWriting = true;
    return inTurn(purse, () => write(purse, closing)).finally(() => {
      purse.isWriting = false;
      if (purse.isFailing) purse.cancelFlush ??= clock.after(LATER_MS, () => void flush(purse, false));
      else if (purse.rows.length > 0 || (purse.hold !== undefined && purse.reserved === 0n)) flushSoon(purse);
    });
  }

  async function write(purse: Purse, closing: boolean): Promise<void> {
    const { hold, rows, spent, caller } = purse;
    // A key that is in use keeps its hold between two messages; one that has had its message does not.
    const isOver = purse.reserved === 0n && (closing || purse.taken <= 1 || purse.isBlocked);
    purse.taken = 0;
    if (rows.length === 0 && (!hold || !isOver)) return;
    purse.lastSpent = spent;
    purse.spent = 0n;
    purse.rows = [];
    // Who reserves now waits for a new hold.
    if (isOver) purse.free = 0n;
    const rest = purse.free + purse.reserved;
    const float = isOver || purse.free * 2n > floatOf(purse) ? 0n : floatOf(purse) - purse.free;
    const next = isOver ? {} : { next: { id: newId('hold'), ...requestOf(purse, rest + float), atLeast: rest } };
    const { orgId, keyId, mode } = caller;

    for (let tries = 1; ; tries += 1) {
      try {
        const held = await db.inTransaction(async (tx) => {
          const amount = hold ? await ledger.renew(tx, { hold, charged: spent, ...next }) : 0n;
          await insertMessages(tx, { orgId, keyId, mode, holdId: hold ?? null }, rows);
          return amount;
        });
        if (hold) purse.hold = next.next?.id;
        if (next.next) purse.free += held - rest;
        purse.isFailing = false;
        purse.isBlocked = false;
        return;
      } catch (error) {
        if (!isGatewayError(error) && tries < MOST_TRIES) {
          await clock.sleep(FIRST_PAUSE_MS * 2 ** (tries - 1));
          continue;
        }
        purse.rows = [...rows, ...purse.rows];
        purse.spent += spent;
        if (isGatewayError(error)) {
          // The key's limit was lowered, and leaves no room for a new hold: the old one stays until all that run have ended.
          purse.isBlocked = true;
          purse.free = 0n;
        } else {
          purse.isFailing = true;
          log.error('messages could not be charged yet', { keyId: caller.keyId, orgId: caller.orgId, count: rows.length, error: errorForLog(error) });
        }
        return;
      }
    }
  }

  return {
    reserve(caller, amount) {
      const purse = purseOf(caller);
      return takeFree(purse, amount) ? reservation(purse, amount) : take(purse, amount).then(() => reservation(purse, amount));
    },
    async settled() {
      do {
        await Promise.all(late);
        await Promise.all([...purses.values()].map((purse) => flush(purse, true)));
      } while (late.size > 0 || [...purses.values()].some(({ rows, isFailing, isBlocked }) => rows.length > 0 && !isFailing && !isBlocked));
    },
  };

  function reservation(purse: Purse, amount: NanoUsd): Reservation {
    let mine = amount;

    function close(cost: NanoUsd, rowFor: (charged: NanoUsd) => MessageRow): void {
      const charged = cost < mine ? cost : mine;
      purse.reserved -= mine;
      purse.spent += charged;
      purse.free += mine - charged;
      purse.rows.push(messageText(rowFor(charged)));
      flushSoon(purse);
    }

    return {
      async extend(by) {
        if (!takeFree(purse, by)) await take(purse, by);
        mine += by;
      },
      settle(cost, rowFor) {
        if (cost <= mine) return close(cost, rowFor);
        const work = take(purse, cost - mine)
          .then(() => void (mine = cost), (error: unknown) => {
            // The answer was delivered, and is charged as far as the credit goes.
            if (!isGatewayError(error)) log.error('the rest of a charge could not be held', { orgId: purse.caller.orgId, error: errorForLog(error) });
          })
          .then(() => close(cost, rowFor))
          .finally(() => late.delete(work));
        late.add(work);
      },
    };
  }
}
