import type { HoldRequest, Renewal } from '../../billing/hold';
import type { Ledger, UnwrittenCharge } from '../../billing/ledger';
import type { Database } from '../../db/database';
import { insertMessages, messageText, type MessageRow } from '../../db/messages';
import type { Account, Caller } from '../../domain/caller';
import type { Cancel, Clock } from '../../domain/clock';
import { errorForLog, isGatewayError } from '../../domain/errors';
import { newId, type HoldId, type KeyId } from '../../domain/ids';
import type { Log } from '../../domain/log';
import type { NanoUsd } from '../../domain/money';

// Messages are many and cheap, and a transaction for each would cost more than the rest of the gateway. So the messages of one
// key share a hold in the ledger: a pool, from which each reserves before anybody is asked and out of which each is charged
// afterwards. Ten times a second what was charged is written, with its rows, in one transaction that also makes a new hold of
// everything that was not. Nobody waits for it: before it the old hold covers what is reserved, and after it the new one does.
// Credit can still not be overdrawn, because a pool only gives what the ledger holds; a crash leaves the hold open, and the
// last tenth of a second uncharged.

const FLUSH_MS = 100;
/** Before the tenth of a second is over, when there are so many. */
const FLUSH_ROWS = 500;
/** More is held than is asked for, so that the next messages find it there; at most 50 cents, and only where there is enough. */
const FLOAT_TIMES = 32n;
/** A busy key finds there what it uses in so many writings. */
const FLOAT_WRITINGS = 8n;
const MAX_FLOAT: NanoUsd = 500_000_000n;
const MAX_TRIES = 6;
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

export interface CreditReservations {
  /** At once when the pool has so much; otherwise when the ledger has given it. Rejects as `Ledger.hold` does. */
  reserve(caller: Caller, amount: NanoUsd): Reservation | Promise<Reservation>;
  /** What messages of the account have used in this process and is not in the ledger yet. */
  unwritten(account: Account): readonly UnwrittenCharge[];
  /** Resolves when no reservation is open any more, at the latest after `withinMs`. */
  ended(withinMs: number): Promise<void>;
  /** Writes everything that was settled, and gives back what nobody needs. */
  settled(): Promise<void>;
}

interface HoldPool {
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

export function createCreditReservations({
  db,
  ledger,
  clock,
  log,
}: {
  db: Database;
  ledger: Ledger;
  clock: Clock;
  log: Log;
}): CreditReservations {
  /** By account, because people of all organisations and modes share the key id of the console. */
  const accounts = new Map<string, Map<KeyId, HoldPool>>();
  const late = new Set<Promise<void>>();
  let running = 0;

  function poolOf(caller: Caller): HoldPool {
    const name = nameOf(caller);
    let pools = accounts.get(name);
    if (!pools) accounts.set(name, (pools = new Map()));
    let pool = pools.get(caller.keyId);
    if (!pool) {
      pool = {
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
      pools.set(caller.keyId, pool);
    }
    pool.isLimited = caller.hasSpendLimit === true;
    return pool;
  }

  function allPools(): HoldPool[] {
    return [...accounts.values()].flatMap((pools) => [...pools.values()]);
  }

  function inTurn<T>(pool: HoldPool, run: () => Promise<T>): Promise<T> {
    const result = pool.work.then(run);
    pool.work = result.catch(() => {});
    return result;
  }

  function takeFree(pool: HoldPool, amount: NanoUsd): boolean {
    if (pool.free < amount) return false;
    pool.free -= amount;
    pool.reserved += amount;
    pool.taken += 1;
    return true;
  }

  function giveBack(pool: HoldPool, amount: NanoUsd): void {
    pool.reserved -= amount;
    pool.free += amount;
  }

  async function take(pool: HoldPool, amount: NanoUsd): Promise<void> {
    while (!takeFree(pool, amount)) {
      await inTurn(pool, async () => {
        // Which hold there is to extend is known only when the last writing is.
        if (pool.writing) await store(pool, pool.writing);
        pool.lastAsked = amount;
        if (pool.free < amount) await grow(pool, amount - pool.free);
      });
    }
  }

  /** As `take`, for an answer that has begun: a database that is away is asked again for a while. */
  async function takePatiently(pool: HoldPool, amount: NanoUsd): Promise<void> {
    const until = clock.nowMs() + EXTEND_WAIT_MS;
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, 4 * FIRST_PAUSE_MS)) {
      try {
        return await take(pool, amount);
      } catch (error) {
        if (isGatewayError(error) || clock.nowMs() + pauseMs > until) throw error;
        await clock.sleep(pauseMs);
      }
    }
  }

  async function grow(pool: HoldPool, need: NanoUsd): Promise<void> {
    try {
      await addToHold(pool, need + floatOf(pool));
    } catch (error) {
      if (!isGatewayError(error)) throw error;
      await addToHold(pool, need);
    }
  }

  function floatOf({ lastAsked, lastSpent, isLimited }: HoldPool): NanoUsd {
    if (isLimited) return 0n;
    const wanted =
      lastAsked * FLOAT_TIMES > lastSpent * FLOAT_WRITINGS ? lastAsked * FLOAT_TIMES : lastSpent * FLOAT_WRITINGS;
    return wanted < MAX_FLOAT ? wanted : MAX_FLOAT;
  }

  async function addToHold(pool: HoldPool, amount: NanoUsd): Promise<void> {
    const { hold } = pool;
    if (hold) await db.inTransaction((tx) => ledger.extend(tx, hold, amount));
    else pool.hold = await db.inTransaction((tx) => ledger.hold(tx, requestOf(pool, amount)));
    pool.free += amount;
  }

  function requestOf({ caller }: HoldPool, amount: NanoUsd): HoldRequest {
    return {
      account: { orgId: caller.orgId, mode: caller.mode },
      keyId: caller.keyId,
      amount,
      subject: { kind: 'message', id: newId('transfer') },
    };
  }

  function flushSoon(pool: HoldPool): void {
    if (pool.isWriting || pool.isFailing || (pool.isBlocked && pool.reserved > 0n)) return;
    if (pool.rows.length >= FLUSH_ROWS) void flush(pool, false);
    else pool.cancelFlush ??= clock.after(FLUSH_MS, () => void flush(pool, false));
  }

  function flush(pool: HoldPool, closing: boolean): Promise<void> {
    pool.cancelFlush?.();
    pool.cancelFlush = undefined;
    pool.isWriting = true;
    return inTurn(pool, () => write(pool, closing)).finally(() => {
      pool.isWriting = false;
      if (pool.isFailing) pool.cancelFlush ??= clock.after(LATER_MS, () => void flush(pool, false));
      else if (pool.rows.length > 0 || (pool.hold !== undefined && pool.reserved === 0n)) flushSoon(pool);
    });
  }

  async function write(pool: HoldPool, closing: boolean): Promise<void> {
    if (pool.writing && !(await storeAtLast(pool, pool.writing))) return;
    const writing = nextWriting(pool, closing);
    if (writing) await storeAtLast(pool, writing);
  }

  function nextWriting(pool: HoldPool, closing: boolean): Writing | undefined {
    const { hold, rows, spent } = pool;
    // A key that is in use keeps its hold between two messages; one that has had its message does not.
    const isOver = pool.reserved === 0n && (closing || pool.taken <= 1 || pool.isBlocked);
    pool.taken = 0;
    if (rows.length === 0 && (!hold || !isOver)) return undefined;
    pool.lastSpent = spent;
    pool.spent = 0n;
    pool.rows = [];
    // Who reserves now waits for a new hold.
    if (isOver || pool.isLimited) pool.free = 0n;
    const rest = pool.free + pool.reserved;
    const float = isOver || pool.free * 2n > floatOf(pool) ? 0n : floatOf(pool) - pool.free;
    const next = isOver ? {} : { next: { id: newId('hold'), ...requestOf(pool, rest + float), atLeast: rest } };
    const renewal = hold
      ? { hold, charged: spent, instead: { id: newId('hold'), ...requestOf(pool, spent) }, ...next }
      : undefined;
    return (pool.writing = { renewal, rows, charged: spent });
  }

  /** False: the database is away; the writing is kept. */
  async function storeAtLast(pool: HoldPool, writing: Writing): Promise<boolean> {
    for (let tries = 1; ; tries += 1) {
      try {
        await store(pool, writing);
        return true;
      } catch (error) {
        if (tries < MAX_TRIES) {
          await clock.sleep(FIRST_PAUSE_MS * 2 ** (tries - 1));
          continue;
        }
        const { keyId, orgId } = pool.caller;
        pool.isFailing = true;
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
  async function store(pool: HoldPool, { renewal, rows, charged }: Writing): Promise<void> {
    const { orgId, keyId, mode } = pool.caller;
    try {
      const renewed = await db.inTransaction(async (tx) => {
        const done = renewal && (await ledger.renew(tx, renewal));
        await insertMessages(tx, { orgId, keyId, mode, holdId: done?.chargedTo ?? null }, rows);
        return done;
      });
      if (renewal) pool.hold = renewal.next?.id;
      if (renewed && renewal?.next) pool.free += renewed.held - renewal.next.atLeast;
      if (renewed && renewal && renewed.chargedTo !== renewal.hold) {
        log.error(
          'the hold of messages was released before they were charged; they were charged to the available credits',
          { orgId, keyId, count: rows.length, costNanoUsd: renewed.charged.toString() },
        );
      }
      pool.isBlocked = false;
    } catch (error) {
      if (!isGatewayError(error)) throw error;
      // The key's limit was lowered, and leaves no room for a new hold: the old one stays until all that run have ended.
      pool.rows = [...rows, ...pool.rows];
      pool.spent += charged;
      pool.isBlocked = true;
      pool.free = 0n;
    }
    pool.writing = undefined;
    if (!pool.isFailing) return;
    pool.isFailing = false;
    pool.cancelFlush?.();
    pool.cancelFlush = undefined;
    flushSoon(pool);
  }

  return {
    reserve(caller, amount) {
      const pool = poolOf(caller);
      return takeFree(pool, amount)
        ? reservation(pool, amount)
        : take(pool, amount).then(() => reservation(pool, amount));
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
        await Promise.all(allPools().map((pool) => flush(pool, true)));
      } while (
        late.size > 0 ||
        allPools().some(({ rows, isFailing, isBlocked }) => rows.length > 0 && !isFailing && !isBlocked)
      );
    },
  };

  function reservation(pool: HoldPool, amount: NanoUsd): Reservation {
    let mine = amount;
    let isClosed = false;
    running += 1;

    function close(cost: NanoUsd, rowFor: (charged: NanoUsd) => MessageRow): void {
      const charged = cost < mine ? cost : mine;
      running -= 1;
      pool.reserved -= mine;
      pool.spent += charged;
      pool.free += mine - charged;
      pool.rows.push(messageText(rowFor(charged)));
      flushSoon(pool);
    }

    return {
      async extend(by) {
        if (!takeFree(pool, by)) await takePatiently(pool, by);
        // The message has ended while this waited.
        if (isClosed) return giveBack(pool, by);
        mine += by;
      },
      settle(cost, rowFor) {
        isClosed = true;
        if (cost <= mine) return close(cost, rowFor);
        const work = takePatiently(pool, cost - mine)
          .then(
            () => void (mine = cost),
            (error: unknown) => {
              // The answer was delivered, and is charged as far as the credit goes.
              if (!isGatewayError(error))
                log.error('the rest of a charge could not be held', {
                  orgId: pool.caller.orgId,
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
