// Limits the bytes of media that are held in memory to be sent inside requests. A call that must wait does so in the
// order of arrival. A call that already holds bytes never waits: otherwise two calls, each with the first half of its
// media, could wait for each other. So the limit may be exceeded by the further media of calls that were admitted.

export interface InlineBudget {
  /**
   * Reserves bytes for a call, which is recognised by its signal. Rejects with the signal's reason if it aborts while the
   * call waits. An abort later releases the reservation.
   */
  reserve(bytes: number, signal: AbortSignal): Promise<Reservation>;
}

export interface Reservation {
  /** Keeps only this many bytes of the reservation. */
  shrink(bytes: number): void;
  /** Safe to repeat. */
  release(): void;
}

interface Waiting {
  readonly bytes: number;
  readonly signal: AbortSignal;
  admit(): void;
}

/** A call with its reservations; one listener at its signal for all of them. */
interface Holder {
  readonly reservations: Set<Reservation>;
  onAbort(): void;
}

export function createInlineBudget(maxBytes: number): InlineBudget {
  let held = 0;
  let waiting: Waiting[] = [];
  /** The calls that hold any bytes. */
  const holders = new Map<AbortSignal, Holder>();

  // A single request larger than the limit is admitted when nothing else is held.
  const fits = (bytes: number) => held === 0 || held + bytes <= maxBytes;

  function hold(bytes: number, signal: AbortSignal): Reservation {
    const holder = holders.get(signal) ?? addHolder(signal);
    let mine = bytes;
    const reservation: Reservation = {
      release() {
        if (!holder.reservations.delete(reservation)) return;
        held -= mine;
        if (holder.reservations.size === 0) {
          holders.delete(signal);
          signal.removeEventListener('abort', holder.onAbort);
        }
        admitWaiting();
      },
      shrink(kept) {
        if (!holder.reservations.has(reservation) || kept >= mine) return;
        held -= mine - kept;
        mine = kept;
        admitWaiting();
      },
    };
    held += bytes;
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

  function admitWaiting(): void {
    for (;;) {
      // Those of a call that holds bytes, wherever they wait; otherwise the first, if there is room for it.
      const open = waiting.filter(({ signal }) => !signal.aborted);
      const [first] = open;
      const next = open.find(({ signal }) => holders.has(signal)) ?? (first && fits(first.bytes) ? first : undefined);
      if (!next) return;
      waiting = waiting.filter((other) => other !== next);
      next.admit();
    }
  }

  return {
    reserve(bytes, signal) {
      return new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason);
        if (holders.has(signal) || (waiting.length === 0 && fits(bytes))) return resolve(hold(bytes, signal));
        const leave = () => {
          waiting = waiting.filter((other) => other !== entry);
          reject(signal.reason);
          admitWaiting();
        };
        const entry: Waiting = {
          bytes,
          signal,
          admit() {
            signal.removeEventListener('abort', leave);
            resolve(hold(bytes, signal));
          },
        };
        signal.addEventListener('abort', leave, { once: true });
        waiting.push(entry);
      });
    },
  };
}
