import { afterServing } from './rotation';

// Limits the bytes of media that are held in memory to be sent inside requests. The waiting calls of an organisation
// are admitted in the order of their arrival, and organisations take turns. An organisation may not hold more than what
// then remains free, so that a small call of another organisation need not wait for it.
//
// A call that already holds bytes never waits: otherwise two calls, each with the first half of its media, could wait
// for each other. So further media of admitted calls may exceed the limit.

export interface InlineBudget {
  /**
   * Reserves bytes for a call, which is recognised by its signal. Rejects with the signal's reason if it aborts while
   * the call waits. An abort later releases the reservation. Calls without an organisation have no limit of their own.
   */
  reserve(bytes: number, signal: AbortSignal, orgId?: string): Promise<Reservation>;
  /** Reserves bytes as `reserve` does, or returns undefined if the call would have to wait. */
  take(bytes: number, signal: AbortSignal, orgId?: string): Reservation | undefined;
  /** Whether the call with this signal holds any bytes. */
  holds(signal: AbortSignal): boolean;
}

export interface Reservation {
  /** Keeps only this many bytes of the reservation. */
  shrink(bytes: number): void;
  /** Gives the bytes back. Safe to repeat. */
  release(): void;
}

/** Files of more than `fromBytes` have a limit of their own, so that smaller ones never wait for them. */
interface LargeFiles {
  readonly fromBytes: number;
  readonly maxBytes: number;
}

interface Wanted {
  readonly bytes: number;
  readonly signal: AbortSignal;
  readonly orgId: string | undefined;
}

interface Waiting extends Wanted {
  admit(): void;
}

/** The reservations with a common limit. */
interface Share {
  readonly maxBytes: number;
  held: number;
  /** By organisation; those that hold nothing are absent. */
  readonly heldBy: Map<string | undefined, number>;
  waiting: Waiting[];
}

/** A call with its reservations; one listener at its signal for all of them. */
interface Holder {
  readonly reservations: Set<Reservation>;
  onAbort(): void;
}

export function createInlineBudget(maxBytes: number, largeFiles?: LargeFiles): InlineBudget {
  const small = createShare(maxBytes);
  const large = largeFiles ? createShare(largeFiles.maxBytes) : small;
  const shareFor = (bytes: number) => (largeFiles && bytes > largeFiles.fromBytes ? large : small);
  /** The calls that hold any bytes, in any share. */
  const holders = new Map<AbortSignal, Holder>();

  function hold(share: Share, { bytes, signal, orgId }: Wanted): Reservation {
    const holder = holders.get(signal) ?? addHolder(signal);
    let mine = bytes;
    const reservation: Reservation = {
      release() {
        if (!holder.reservations.delete(reservation)) return;
        addHeld(share, orgId, -mine);
        if (holder.reservations.size === 0) {
          holders.delete(signal);
          signal.removeEventListener('abort', holder.onAbort);
        }
        admitWaiting();
      },
      shrink(kept) {
        if (!holder.reservations.has(reservation) || kept >= mine) return;
        addHeld(share, orgId, kept - mine);
        mine = kept;
        admitWaiting();
      },
    };
    addHeld(share, orgId, bytes);
    holder.reservations.add(reservation);
    return reservation;
  }

  function addHolder(signal: AbortSignal): Holder {
    const reservations = new Set<Reservation>();
    const onAbort = () => {
      for (const reservation of reservations) reservation.release();
    };
    const holder = { reservations, onAbort };
    holders.set(signal, holder);
    signal.addEventListener('abort', onAbort);
    return holder;
  }

  function nextOf(share: Share): Waiting | undefined {
    const open = share.waiting.filter(({ signal }) => !signal.aborted);
    const ofHolder = open.find(({ signal }) => holders.has(signal));
    if (ofHolder) return ofHolder;
    const atTheirLimit = new Set<string | undefined>();
    for (const one of open) {
      if (atTheirLimit.has(one.orgId)) continue;
      // Strict order within the own limits: smaller requests must not starve the first one.
      if (isWithinOwnLimit(share, one)) return hasRoom(share, one) ? one : undefined;
      atTheirLimit.add(one.orgId);
    }
    return undefined;
  }

  function admitNext(share: Share): boolean {
    const next = nextOf(share);
    if (!next) return false;
    share.waiting = afterServing(share.waiting, next);
    next.admit();
    return true;
  }

  function admitWaiting(): void {
    // Look at both shares again after each admission: a call that one share admits no longer waits in the other.
    let isAdmitted = true;
    while (isAdmitted) isAdmitted = admitNext(small) || admitNext(large);
  }

  return {
    reserve(bytes, signal, orgId) {
      return new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason);
        const share = shareFor(bytes);
        const leave = () => {
          share.waiting = share.waiting.filter((other) => other !== waiting);
          reject(signal.reason);
          admitWaiting();
        };
        const waiting: Waiting = {
          bytes,
          signal,
          orgId,
          admit() {
            signal.removeEventListener('abort', leave);
            resolve(hold(share, waiting));
          },
        };
        signal.addEventListener('abort', leave, { once: true });
        share.waiting.push(waiting);
        admitWaiting();
      });
    },

    take(bytes, signal, orgId) {
      signal.throwIfAborted();
      const share = shareFor(bytes);
      let reservation: Reservation | undefined;
      const wanted = { bytes, signal, orgId, admit: () => void (reservation = hold(share, wanted)) };
      share.waiting.push(wanted);
      admitWaiting();
      share.waiting = share.waiting.filter((other) => other !== wanted);
      return reservation;
    },

    holds: (signal) => holders.has(signal),
  };
}

function createShare(maxBytes: number): Share {
  return { maxBytes, held: 0, heldBy: new Map(), waiting: [] };
}

function addHeld(share: Share, orgId: string | undefined, bytes: number): void {
  const ofOrg = (share.heldBy.get(orgId) ?? 0) + bytes;
  share.held += bytes;
  if (ofOrg > 0) share.heldBy.set(orgId, ofOrg);
  else share.heldBy.delete(orgId);
}

/** Returns whether the bytes fit. A request larger than the limit is admitted if nothing else is held. */
function hasRoom({ held, maxBytes }: Share, { bytes }: Wanted): boolean {
  return held === 0 || held + bytes <= maxBytes;
}

function isWithinOwnLimit({ held, heldBy, maxBytes }: Share, { bytes, orgId }: Wanted): boolean {
  const ofOrg = heldBy.get(orgId) ?? 0;
  return orgId === undefined || ofOrg === 0 || ofOrg + bytes <= maxBytes - held - bytes;
}
