import type { HoldRequest, Renewal } from '../../billing/hold';
import type { Caller } from '../../domain/caller';
import type { Cancel } from '../../domain/clock';
import type { GatewayError } from '../../domain/errors';
import { newId, type HoldId } from '../../domain/ids';
import type { NanoUsd } from '../../domain/money';

// The shared hold of the requests of one API key, as numbers: what is free, and what the next flush charges and holds.
// See `credit-reservations.ts` for how it is used.

/**
 * More is held than is requested, so that the next messages find free credit: at most 50 cents, and only if the account
 * has it.
 */
const FLOAT_TIMES = 32n;
/** A busy key holds the amount that it uses in this many flushes. */
const FLOAT_FLUSHES = 8n;
const MAX_FLOAT: NanoUsd = 500_000_000n;

export interface HoldPool {
  /** The caller of the last reservation: the limits of a key can change. */
  caller: Caller;
  hold: HoldId | undefined;
  /** A first hold whose request had no response: if it was made, it is released before anything else. */
  unknownHold: HoldId | undefined;
  /** The hold is the sum of these three. */
  free: NanoUsd;
  reserved: NanoUsd;
  spent: NanoUsd;
  /**
   * Finished messages as `insertMessages` takes them. Strings rather than objects: the garbage collector would copy
   * thousands of small objects that live for a tenth of a second.
   */
  rows: string[];
  /** Number of reservations since the last flush. */
  taken: number;
  /** The amount of the last reservation that needed the ledger. */
  lastAsked: NanoUsd;
  /** The amount that the last flush charged. */
  lastSpent: NanoUsd;
  /**
   * Whether the key has a spend limit. Then no credit is held in advance, because it would be missing for other
   * processes and other capabilities of the key.
   */
  isLimited: boolean;
  /** Serializes the database calls of this pool. */
  work: Promise<unknown>;
  /** Sent to the database, not yet confirmed. */
  writing: Writing | undefined;
  isWriting: boolean;
  /** Whether the database does not respond; charges are kept until it does. */
  isFailing: boolean;
  /** Why no new hold is possible now; absent if one is. */
  blockedBy: GatewayError | undefined;
  cancelFlush: Cancel | undefined;
  /**
   * Whether the scheduled flush is a retry after LATER_MS. It is moved forward when the last reservation is settled.
   */
  isLate: boolean;
}

/**
 * One transaction. It keeps its ids and amounts until its result is known: a COMMIT without a response may have
 * succeeded, and only a retry with the same ids can tell.
 */
export interface Writing {
  readonly renewal: Renewal | undefined;
  readonly rows: readonly string[];
  readonly charged: NanoUsd;
}

export function newHoldPool(caller: Caller): HoldPool {
  return {
    caller,
    hold: undefined,
    unknownHold: undefined,
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
    blockedBy: undefined,
    cancelFlush: undefined,
    isLate: false,
  };
}

/** Reserves an amount if that much is free. */
export function takeFree(pool: HoldPool, amount: NanoUsd): boolean {
  if (pool.free < amount) return false;
  pool.free -= amount;
  pool.reserved += amount;
  pool.taken += 1;
  return true;
}

/** Returns a reserved amount. */
export function giveBack(pool: HoldPool, amount: NanoUsd): void {
  pool.reserved -= amount;
  pool.free += amount;
}

/** Returns how much to hold in addition to what is needed now. */
export function floatOf({ lastAsked, lastSpent, isLimited }: HoldPool): NanoUsd {
  if (isLimited) return 0n;
  const wanted =
    lastAsked * FLOAT_TIMES > lastSpent * FLOAT_FLUSHES ? lastAsked * FLOAT_TIMES : lastSpent * FLOAT_FLUSHES;
  return wanted < MAX_FLOAT ? wanted : MAX_FLOAT;
}

export function holdRequestOf({ caller }: HoldPool, amount: NanoUsd): HoldRequest {
  return {
    account: { orgId: caller.orgId, mode: caller.mode },
    keyId: caller.keyId,
    amount,
    subject: { kind: 'message', id: newId('transfer') },
  };
}

/**
 * Returns what the next flush writes; undefined if there is nothing to write. Takes the rows and charges out of the
 * pool and sets `pool.writing`.
 */
export function nextWriting(pool: HoldPool, closing: boolean): Writing | undefined {
  const { hold, rows, spent } = pool;
  // A key in regular use keeps its hold between messages; a key with a single message releases it.
  const isOver = pool.reserved === 0n && (closing || pool.taken <= 1 || pool.blockedBy !== undefined);
  pool.taken = 0;
  if (rows.length === 0 && (!hold || !isOver)) return undefined;
  pool.lastSpent = spent;
  pool.spent = 0n;
  pool.rows = [];
  // Setting `free` to 0 makes later reservations wait for the new hold.
  if (isOver || pool.isLimited) pool.free = 0n;
  const rest = pool.free + pool.reserved;
  const float = isOver || pool.free * 2n > floatOf(pool) ? 0n : floatOf(pool) - pool.free;
  const next = isOver ? {} : { next: { id: newId('hold'), ...holdRequestOf(pool, rest + float), atLeast: rest } };
  const renewal = hold
    ? { hold, charged: spent, instead: { id: newId('hold'), ...holdRequestOf(pool, spent) }, ...next }
    : undefined;
  return (pool.writing = { renewal, rows, charged: spent });
}
