import type { Ledger, UnwrittenCharge } from '../../billing/ledger';
import type { Database } from '../../db/database';
import { isRefusedValue } from '../../domain/database-failure';
import { findRefusedMessages, insertMessages, limitCosts, messageText, type MessageRow } from '../../db/messages';
import type { Account, Caller } from '../../domain/caller';
import type { Clock } from '../../domain/clock';
import { errorForLog, isGatewayError, type GatewayError } from '../../domain/errors';
import { newId, type KeyId, type OrgId } from '../../domain/ids';
import type { Log } from '../../domain/log';
import type { NanoUsd } from '../../domain/money';
import type { Mode } from '../../domain/video';
import type { Limits } from '../../limits/limits';
import {
  floatOf,
  giveBack,
  newHoldPool,
  nextWriting,
  holdRequestOf,
  takeFree,
  type HoldPool,
  type Writing,
} from './hold-pool';

// Messages are many and cheap; a transaction for each would cost more than the rest of the gateway. Requests of one API
// key therefore share one ledger hold. Each reserves from it before calling a provider and settles against it
// afterwards. Every FLUSH_MS the settled charges and their rows are written in one transaction, which also replaces the
// hold with a new one for what is not yet charged. No request waits for the flush: the old hold covers the reservations
// before it, the new hold after it. Credit cannot be overdrawn, because a pool only gives out what the ledger holds. A
// crash leaves the hold open and at most the last FLUSH_MS uncharged.
//
// The credit of a pool:
//
//   ledger ──hold, extend──▶ free ──reserve──▶ reserved ──settle: the cost──▶ spent ──flush──▶ charged in the ledger
//                              ▲                   │
//                              └──settle: the rest─┘
//
// A pool is failing while the database does not respond (retried every LATER_MS), and blocked while the key's limit
// leaves no room for a new hold: then it takes no new message, and is retried every LATER_MS until the limit leaves
// room or all its reservations are settled.

const FLUSH_MS = 100;
/** With this many rows the flush starts early. */
const FLUSH_ROWS = 500;
const MAX_TRIES = 6;
const FIRST_PAUSE_MS = 250;
/** Pause after MAX_TRIES failures before the database is tried again, and of a blocked pool before the limit is. */
const LATER_MS = 15_000;
/**
 * A database failover takes seconds. An answer that has started waits this long for credit before it is interrupted.
 */
const EXTEND_WAIT_MS = 10_000;
const ENDED_POLL_INTERVAL_MS = 20;

export interface Reservation {
  /** Reserves more. Rejects as `Ledger.extend` does; if the database does not respond it is retried for 10 s. */
  extend(by: NanoUsd): Promise<void>;
  /**
   * Charges a cost, as far as the credit allows, and returns the rest to the pool. Call it once; `rowFor` gets the
   * charged amount.
   */
  settle(cost: NanoUsd, rowFor: (charged: NanoUsd) => MessageRow): void;
}

export interface CreditReservations {
  /**
   * Returns synchronously if the pool has enough free credit; otherwise resolves after the ledger has granted it.
   * Rejects as `Ledger.hold` does.
   */
  reserve(caller: Caller, amount: NanoUsd): Reservation | Promise<Reservation>;
  /** Charges of the account that this process has not yet written to the ledger. */
  unwritten(account: Account): readonly UnwrittenCharge[];
  /** Resolves when no reservation is open any more, at the latest after `withinMs`. */
  ended(withinMs: number): Promise<void>;
  /** Writes all settled charges and releases unused holds. */
  settled(): Promise<void>;
}

export function createCreditReservations({
  db,
  ledger,
  clock,
  log,
  limits,
}: {
  db: Database;
  ledger: Ledger;
  clock: Clock;
  log: Log;
  limits: Pick<Limits, 'spent'>;
}): CreditReservations {
  /** By account, because users of all organisations and modes share the key id of the console. */
  const accounts: Readonly<Record<Mode, Map<OrgId, Map<KeyId, HoldPool>>>> = { live: new Map(), test: new Map() };
  const late = new Set<Promise<void>>();
  let running = 0;

  function poolOf(caller: Caller): HoldPool {
    const { orgId, mode } = caller;
    let pools = accounts[mode].get(orgId);
    if (!pools) accounts[mode].set(orgId, (pools = new Map()));
    let pool = pools.get(caller.keyId);
    if (!pool) {
      pool = newHoldPool(caller);
      pools.set(caller.keyId, pool);
    }
    pool.caller = caller;
    pool.isLimited = caller.hasSpendLimit === true;
    return pool;
  }

  function allPools(): HoldPool[] {
    return Object.values(accounts).flatMap((ofMode) => [...ofMode.values()].flatMap((pools) => [...pools.values()]));
  }

  function inTurn<T>(pool: HoldPool, run: () => Promise<T>): Promise<T> {
    const result = pool.work.then(run);
    pool.work = result.catch(() => {});
    return result;
  }

  async function take(pool: HoldPool, amount: NanoUsd): Promise<void> {
    while (!takeFree(pool, amount)) {
      await inTurn(pool, async () => {
        // Write the pending flush first: until its result is known, so is not which hold is the current one.
        if (pool.writing) await store(pool, pool.writing);
        await releaseUnknown(pool);
        pool.lastAsked = amount;
        if (pool.free < amount) await grow(pool, amount - pool.free);
      });
    }
  }

  /** Refuses new messages of a blocked pool: its charges would be written ever later, and the limit would not apply. */
  async function reserveBlocked(pool: HoldPool, reason: GatewayError, amount: NanoUsd): Promise<Reservation> {
    if (pool.reserved > 0n) throw reason;
    await flush(pool, false);
    await take(pool, amount);
    return reservation(pool, amount);
  }

  /** Like `take`, for an answer that has started: retries while the database does not respond. */
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

  async function addToHold(pool: HoldPool, amount: NanoUsd): Promise<void> {
    const { hold } = pool;
    if (hold) await db.inTransaction((tx) => ledger.extend(tx, hold, amount));
    else await openHold(pool, amount);
    pool.free += amount;
  }

  async function openHold(pool: HoldPool, amount: NanoUsd): Promise<void> {
    const id = newId('hold');
    try {
      pool.hold = await db.inTransaction((tx) => ledger.hold(tx, holdRequestOf(pool, amount), id));
    } catch (error) {
      if (!isGatewayError(error)) {
        pool.unknownHold = id;
        scheduleFlush(pool, LATER_MS);
      }
      throw error;
    }
  }

  /** Rejects if the database does not respond. */
  async function releaseUnknown(pool: HoldPool): Promise<void> {
    const { unknownHold } = pool;
    if (!unknownHold) return;
    await db.inTransaction((tx) => ledger.release(tx, unknownHold));
    pool.unknownHold = undefined;
  }

  function flushSoon(pool: HoldPool): void {
    if (pool.isWriting || pool.isFailing) return;
    if (pool.blockedBy && pool.reserved > 0n) return scheduleFlush(pool, LATER_MS);
    if (pool.isLate) unschedule(pool);
    if (pool.rows.length >= FLUSH_ROWS) void flush(pool, false);
    else scheduleFlush(pool, FLUSH_MS);
  }

  /** Does nothing if a flush is scheduled. */
  function scheduleFlush(pool: HoldPool, ms: number): void {
    if (pool.cancelFlush) return;
    pool.isLate = ms === LATER_MS;
    pool.cancelFlush = clock.after(ms, () => void flush(pool, false));
  }

  function unschedule(pool: HoldPool): void {
    pool.cancelFlush?.();
    pool.cancelFlush = undefined;
    pool.isLate = false;
  }

  function flush(pool: HoldPool, closing: boolean): Promise<void> {
    unschedule(pool);
    pool.isWriting = true;
    return inTurn(pool, () => write(pool, closing)).finally(() => {
      pool.isWriting = false;
      if (pool.isFailing || pool.unknownHold) scheduleFlush(pool, LATER_MS);
      else if (pool.rows.length > 0 || (pool.hold !== undefined && pool.reserved === 0n)) flushSoon(pool);
    });
  }

  async function write(pool: HoldPool, closing: boolean): Promise<void> {
    // If the database does not respond, the next flush tries again.
    await releaseUnknown(pool).catch(() => {});
    if (pool.writing && !(await storeAtLast(pool, pool.writing))) return;
    const writing = nextWriting(pool, closing);
    if (writing) await storeAtLast(pool, writing);
  }

  /** Returns false if the database does not respond; the writing is kept. */
  async function storeAtLast(pool: HoldPool, writing: Writing): Promise<boolean> {
    for (let tries = 1; ; tries += 1) {
      try {
        // `store` may have replaced the pool's writing by one without the rows that the database refuses.
        await store(pool, pool.writing ?? writing);
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

  /** Rejects if it is unknown whether the transaction was committed. */
  async function store(pool: HoldPool, writing: Writing): Promise<void> {
    try {
      await commit(pool, writing);
    } catch (error) {
      if (!isRefusedValue(error)) throw error;
      const accepted = await withoutRefused(pool, writing);
      if (!accepted) throw error;
      await commit(pool, (pool.writing = accepted));
    }
  }

  /**
   * Returns the writing without the rows that the database refuses because of a value in them; undefined if it refuses
   * no single row. Refused rows are not charged either, so that the costs of a hold's messages add up to what it
   * captured. Without this, one such row would block all charges of its key for ever.
   */
  async function withoutRefused(pool: HoldPool, { renewal, rows, charged }: Writing): Promise<Writing | undefined> {
    const { orgId, keyId, mode } = pool.caller;
    const refused = await findRefusedMessages(db, { orgId, keyId, mode, holdId: null, chargedAt: clock.now() }, rows);
    if (refused.size === 0) return undefined;
    let left = charged;
    for (const [row, error] of refused) {
      // Safe: every row is made by `messageText`.
      const { requestId, model, costNanoUsd } = JSON.parse(row) as MessageRow;
      left -= BigInt(costNanoUsd);
      log.error('the database refuses a value of a message, which is therefore neither stored nor charged', {
        orgId,
        keyId,
        requestId,
        model,
        costNanoUsd,
        error: errorForLog(error),
      });
    }
    return {
      renewal: renewal && {
        ...renewal,
        charged: left,
        ...(renewal.instead && { instead: { ...renewal.instead, amount: left } }),
      },
      rows: rows.filter((row) => !refused.has(row)),
      charged: left,
    };
  }

  async function commit(pool: HoldPool, { renewal, rows, charged }: Writing): Promise<void> {
    const { orgId, keyId, mode } = pool.caller;
    try {
      const renewed = await db.inTransaction(async (tx) => {
        const chargedAt = clock.now();
        const done = renewal && (await ledger.renew(tx, renewal, chargedAt));
        const charges = done && done.charged < charged ? limitCosts(rows, done.charged) : rows;
        await insertMessages(tx, { orgId, keyId, mode, holdId: done?.chargedTo ?? null, chargedAt }, charges);
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
      pool.blockedBy = undefined;
    } catch (error) {
      if (!isGatewayError(error)) throw error;
      // The key's limit was lowered, or its new period leaves no room for a new hold. The old hold stays until then or
      // until all running messages have ended.
      pool.rows = [...rows, ...pool.rows];
      pool.spent += charged;
      pool.blockedBy = error;
      pool.free = 0n;
    }
    pool.writing = undefined;
    if (!pool.isFailing) return;
    pool.isFailing = false;
    unschedule(pool);
    flushSoon(pool);
  }

  return {
    reserve(caller, amount) {
      const pool = poolOf(caller);
      if (pool.blockedBy) return reserveBlocked(pool, pool.blockedBy, amount);
      return takeFree(pool, amount)
        ? reservation(pool, amount)
        : take(pool, amount).then(() => reservation(pool, amount));
    },
    unwritten({ orgId, mode }) {
      const charges: UnwrittenCharge[] = [];
      for (const { hold, writing, spent, reserved } of accounts[mode].get(orgId)?.values() ?? []) {
        // The old hold is open before the flush commits, the new one afterwards.
        if (hold) charges.push({ hold, used: spent + (writing?.charged ?? 0n), reserved });
        if (writing?.renewal?.next) charges.push({ hold: writing.renewal.next.id, used: spent, reserved });
      }
      return charges;
    },
    async ended(withinMs) {
      const until = clock.nowMs() + withinMs;
      while (running > 0 && clock.nowMs() < until) await clock.sleep(ENDED_POLL_INTERVAL_MS);
      if (running > 0) log.warn('messages were still running when the process stopped', { count: running });
    },
    async settled() {
      do {
        await Promise.all(late);
        await Promise.all(allPools().map((pool) => flush(pool, true)));
      } while (
        late.size > 0 ||
        allPools().some(({ rows, isFailing, blockedBy }) => rows.length > 0 && !isFailing && !blockedBy)
      );
    },
  };

  function reservation(pool: HoldPool, amount: NanoUsd): Reservation {
    let mine = amount;
    let isClosed = false;
    running += 1;

    function close(cost: NanoUsd, rowFor: (charged: NanoUsd) => MessageRow): void {
      const charged = cost < mine ? cost : mine;
      // Made before any amount changes: if it throws, the reservation is still open and can be settled again.
      const row = messageText(rowFor(charged));
      end(charged);
      pool.rows.push(row);
      flushSoon(pool);
    }

    function end(charged: NanoUsd): void {
      running -= 1;
      pool.reserved -= mine;
      pool.spent += charged;
      limits.spent(pool.caller, charged);
      pool.free += mine - charged;
    }

    return {
      async extend(by) {
        if (!takeFree(pool, by)) await takePatiently(pool, by);
        // The message ended while this reservation waited.
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
              // The answer was delivered. It is charged as far as the credit allows.
              if (!isGatewayError(error))
                log.error('the rest of a charge could not be held', {
                  orgId: pool.caller.orgId,
                  error: errorForLog(error),
                });
            },
          )
          .then(() => close(cost, rowFor))
          .catch((error: unknown) => {
            log.error('a message could not be charged; its credit is released', {
              orgId: pool.caller.orgId,
              error: errorForLog(error),
            });
            end(0n);
            flushSoon(pool);
          })
          .finally(() => late.delete(work));
        late.add(work);
      },
    };
  }
}
