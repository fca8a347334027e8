import type { HoldRequest, Ledger, UnwrittenCharge } from '../billing/ledger';
import type { Renewal } from '../billing/renew-hold';
import type { Database } from '../db/database';
import { insertMessages, messageText, type MessageRow } from '../db/messages';
import type { Account, Caller } from '../domain/caller';
import type { Cancel, Clock } from '../domain/clock';
import { errorForLog, isGatewayError } from '../domain/errors';
import { newId, type HoldId, type KeyId } from '../domain/ids';
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
/** A database changes its server within seconds; an answer that has begun waits so long for credit before it is broken off. */
const EXTEND_WAIT_MS = 10_000;
const ENDED_POLL_MS = 20;

export interface Reservation {
  /** Reserves more; rejects as `Ledger.extend` does. While the database is away it is asked again for 10 s. */
  extend(by: NanoUsd): Promise<void>;
  /** Charges a cost, as far as the credit goes, and gives the rest back. Once; `rowFor` gets what was charged. */
  settle(cost: NanoUsd, rowFor: (charged: NanoUsd) => MessageRow): void;
}

export interface Purses {
  /** At once when the purse has so much; otherwise when the ledger has given it. Rejects as `Ledger.hold` does. */
  reserve(caller: Caller, amount: NanoUsd): Reservation | Promise<Reservation>;
  /** What messages of the account have used in this process and is not in the ledger yet. */
  unwritten(account: Account): readonly UnwrittenCharge[];
  /** Resolves when no reservation is open any more, at the latest after `withinMs`. */
  ended(withinMs: number): Promise<void>;
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
  /** The key has a spend limit. What is set aside for later would be missing for other processes and other kinds of work of the key, so nothing is. */
  isLimited: boolean;
  /** Everything that asks the database, one after the other. */
  work: Promise<unknown>;
  /** Sent to the database, which has not confirmed it. */
  writing: Writing | undefined;
  isWriting: boolean;
  /** The database does not answer; what was charged is kept until it does. */
  isFailing: boolean;
  /** No new hold can be made before everything that is reserved was settled. */
  isBlocked: boolean;
  cancelFlush: Cancel | undefined;
}

/**
 * One transaction. It keeps its ids and amounts until its result is known: a COMMIT whose answer was lost may have succeeded,
 * and only the same ids find that out.
 */
interface Writing {
  readonly renewal: Renewal | undefined;
  readonly rows: readonly string[];
  readonly charged: NanoUsd;
}

export function createPurses({
  db,
  ledger,
  clock,
  log,
}: {
  db: Database;
  ledger: Ledger;
  clock: Clock;
  log: Log;
}): Purses {
  /** By account, because people of all organisations and modes share the key id of the console. */
  const accounts = new Map<string, Map<KeyId, Purse>>();
  const late = new Set<Promise<void>>();
  let running = 0;

  function purseOf(caller: Caller): Purse {
    const name = nameOf(caller);
    let purses = accounts.get(name);
    if (!purses) accounts.set(name, (purses = new Map()));
    let purse = purses.get(caller.keyId);
    if (!purse) {
      purse = {
        caller,
        hold: undefined,
        free: 0n,
        reserved: 0n,
        spent: 0n,
        rows: [],
        taken: 0,
        lastAsked: 0n,
        lastSpent: 0n,
        isLimited: false,
        work: Promise.resolve(),
        writing: undefined,
        isWriting: false,
        isFailing: false,
        isBlocked: false,
        cancelFlush: undefined,
      };
      purses.set(caller.keyId, purse);
    }
    purse.isLimited = caller.hasSpendLimit === true;
    return purse;
  }

  function allPurses(): Purse[] {
    return [...accounts.values()].flatMap((purses) => [...purses.values()]);
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

  function giveBack(purse: Purse, amount: NanoUsd): void {
    purse.reserved -= amount;
    purse.free += amount;
  }

  async function take(purse: Purse, amount: NanoUsd): Promise<void> {
    while (!takeFree(purse, amount)) {
      await inTurn(purse, async () => {
        // Which hold there is to extend is known only when the last writing is.
        if (purse.writing) await store(purse, purse.writing);
        purse.lastAsked = amount;
        if (purse.free < amount) await grow(purse, amount - purse.free);
      });
    }
  }

  /** As `take`, for an answer that has begun: a database that is away is asked again for a while. */
  async function takePatiently(purse: Purse, amount: NanoUsd): Promise<void> {
    const until = clock.nowMs() + EXTEND_WAIT_MS;
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, 4 * FIRST_PAUSE_MS)) {
      try {
        return await take(purse, amount);
      } catch (error) {
        if (isGatewayError(error) || clock.nowMs() + pauseMs > until) throw error;
        await clock.sleep(pauseMs);
      }
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

  function floatOf({ lastAsked, lastSpent, isLimited }: Purse): NanoUsd {
    if (isLimited) return 0n;
    const wanted =
      lastAsked * FLOAT_TIMES > lastSpent * FLOAT_WRITINGS ? lastAsked * FLOAT_TIMES : lastSpent * FLOAT_WRITINGS;
    return wanted < MOST_FLOAT ? wanted : MOST_FLOAT;
  }

  async function addToHold(purse: Purse, amount: NanoUsd): Promise<void> {
    const { hold } = purse;
    if (hold) await db.inTransaction((tx) => ledger.extend(tx, hold, amount));
    else purse.hold = await db.inTransaction((tx) => ledger.hold(tx, requestOf(purse, amount)));
    purse.free += amount;
  }

  function requestOf({ caller }: Purse, amount: NanoUsd): HoldRequest {
    return {
      account: { orgId: caller.orgId, mode: caller.mode },
      keyId: caller.keyId,
      amount,
      subject: { kind: 'message', id: newId('transfer') },
    };
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
    if (purse.writing && !(await storeAtLast(purse, purse.writing))) return;
    const writing = nextWriting(purse, closing);
    if (writing) await storeAtLast(purse, writing);
  }

  function nextWriting(purse: Purse, closing: boolean): Writing | undefined {
    const { hold, rows, spent } = purse;
    // A key that is in use keeps its hold between two messages; one that has had its message does not.
    const isOver = purse.reserved === 0n && (closing || purse.taken <= 1 || purse.isBlocked);
    purse.taken = 0;
    if (rows.length === 0 && (!hold || !isOver)) return undefined;
    purse.lastSpent = spent;
    purse.spent = 0n;
    purse.rows = [];
    // Who reserves now waits for a new hold.
    if (isOver || purse.isLimited) purse.free = 0n;
    const rest = purse.free + purse.reserved;
    const float = isOver || purse.free * 2n > floatOf(purse) ? 0n : floatOf(purse) - purse.free;
    const next = isOver ? {} : { next: { id: newId('hold'), ...requestOf(purse, rest + float), atLeast: rest } };
    const renewal = hold
      ? { hold, charged: spent, instead: { id: newId('hold'), ...requestOf(purse, spent) }, ...next }
      : undefined;
    return (purse.writing = { renewal, rows, charged: spent });
  }

  /** False: the database is away; the writing is kept. */
  async function storeAtLast(purse: Purse, writing: Writing): Promise<boolean> {
    for (let tries = 1; ; tries += 1) {
      try {
        await store(purse, writing);
        return true;
      } catch (error) {
        if (tries < MOST_TRIES) {
          await clock.sleep(FIRST_PAUSE_MS * 2 ** (tries - 1));
          continue;
        }
        const { keyId, orgId } = purse.caller;
        purse.isFailing = true;
        log.error('messages could not be charged yet', {
          keyId,
          orgId,
          count: writing.rows.length,
          error: errorForLog(error),
        });
        return false;
      }
    }
  }

  /** Rejects when it is not known whether it was written. */
  async function store(purse: Purse, { renewal, rows, charged }: Writing): Promise<void> {
    const { orgId, keyId, mode } = purse.caller;
    try {
      const renewed = await db.inTransaction(async (tx) => {
        const done = renewal && (await ledger.renew(tx, renewal));
        await insertMessages(tx, { orgId, keyId, mode, holdId: done?.chargedTo ?? null }, rows);
        return done;
      });
      if (renewal) purse.hold = renewal.next?.id;
      if (renewed && renewal?.next) purse.free += renewed.held - renewal.next.atLeast;
      if (renewed && renewal && renewed.chargedTo !== renewal.hold) {
        log.error(
          'the hold of messages was released before they were charged; they were charged to the available credits',
          { orgId, keyId, count: rows.length, costNanoUsd: renewed.charged.toString() },
        );
      }
      purse.isBlocked = false;
    } catch (error) {
      if (!isGatewayError(error)) throw error;
      // The key's limit was lowered, and leaves no room for a new hold: the old one stays until all that run have ended.
      purse.rows = [...rows, ...purse.rows];
      purse.spent += charged;
      purse.isBlocked = true;
      purse.free = 0n;
    }
    purse.writing = undefined;
    if (!purse.isFailing) return;
    purse.isFailing = false;
    purse.cancelFlush?.();
    purse.cancelFlush = undefined;
    flushSoon(purse);
  }

  return {
    reserve(caller, amount) {
      const purse = purseOf(caller);
      return takeFree(purse, amount)
        ? reservation(purse, amount)
        : take(purse, amount).then(() => reservation(purse, amount));
    },
    unwritten(account) {
      const charges: UnwrittenCharge[] = [];
      for (const { hold, writing, spent, reserved } of accounts.get(nameOf(account))?.values() ?? []) {
        // Before the writing the one hold is open, and after it the other.
        if (hold) charges.push({ hold, used: spent + (writing?.charged ?? 0n), reserved });
        if (writing?.renewal?.next) charges.push({ hold: writing.renewal.next.id, used: spent, reserved });
      }
      return charges;
    },
    async ended(withinMs) {
      const until = clock.nowMs() + withinMs;
      while (running > 0 && clock.nowMs() < until) await clock.sleep(ENDED_POLL_MS);
      if (running > 0) log.warn('messages were still running when the process stopped', { count: running });
    },
    async settled() {
      do {
        await Promise.all(late);
        await Promise.all(allPurses().map((purse) => flush(purse, true)));
      } while (
        late.size > 0 ||
        allPurses().some(({ rows, isFailing, isBlocked }) => rows.length > 0 && !isFailing && !isBlocked)
      );
    },
  };

  function reservation(purse: Purse, amount: NanoUsd): Reservation {
    let mine = amount;
    let isClosed = false;
    running += 1;

    function close(cost: NanoUsd, rowFor: (charged: NanoUsd) => MessageRow): void {
      const charged = cost < mine ? cost : mine;
      running -= 1;
      purse.reserved -= mine;
      purse.spent += charged;
      purse.free += mine - charged;
      purse.rows.push(messageText(rowFor(charged)));
      flushSoon(purse);
    }

    return {
      async extend(by) {
        if (!takeFree(purse, by)) await takePatiently(purse, by);
        // The message has ended while this waited.
        if (isClosed) return giveBack(purse, by);
        mine += by;
      },
      settle(cost, rowFor) {
        isClosed = true;
        if (cost <= mine) return close(cost, rowFor);
        const work = takePatiently(purse, cost - mine)
          .then(
            () => void (mine = cost),
            (error: unknown) => {
              // The answer was delivered, and is charged as far as the credit goes.
              if (!isGatewayError(error))
                log.error('the rest of a charge could not be held', {
                  orgId: purse.caller.orgId,
                  error: errorForLog(error),
                });
            },
          )
          .then(() => close(cost, rowFor))
          .finally(() => late.delete(work));
        late.add(work);
      },
    };
  }
}

const nameOf = ({ orgId, mode }: Account) => `${orgId} ${mode}`;
