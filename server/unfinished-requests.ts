import type { Duplex } from 'node:stream';
import type { Clock } from '../lib/domain/clock';

// Limits connections without a complete request, which cost the client almost nothing and us a socket. Many at once are
// normal: a client that opens its pool, or a batch of uploads. So none is refused at first; if too many of one network
// stay unfinished for seconds, the oldest are cut.

const MAX_UNFINISHED = 100;
const GRACE_MS = 3_000;

export interface UnfinishedRequests {
  /** This connection waits for a request or for the rest of one. Safe to repeat. */
  begin(socket: Duplex, network: string): void;
  /** Its request is complete, or it has closed. Safe to repeat. */
  end(socket: Duplex): void;
}

/**
 * Allows at most 100 unfinished requests older than 3 s per network. Calls `cut` for the oldest connections above that.
 */
export function createUnfinishedRequests(clock: Clock, cut: (socket: Duplex) => void): UnfinishedRequests {
  /** Oldest first, in insertion order. */
  const unfinished = new Map<Duplex, Unfinished>();
  /** The number of unfinished requests per network. */
  const counts = new Map<string, number>();
  const trimming = new Set<string>();

  const isCrowded = (network: string) => (counts.get(network) ?? 0) > MAX_UNFINISHED;

  function remove(socket: Duplex, network: string): void {
    unfinished.delete(socket);
    const left = (counts.get(network) ?? 0) - 1;
    if (left > 0) counts.set(network, left);
    else counts.delete(network);
  }

  function trim(network: string): void {
    trimming.delete(network);
    const youngestAtMs = clock.nowMs() - GRACE_MS;
    for (const [socket, one] of unfinished) {
      if (!isCrowded(network) || one.beganAtMs > youngestAtMs) break;
      if (one.network !== network) continue;
      remove(socket, network);
      cut(socket);
    }
    trimLater(network);
  }

  function trimLater(network: string): void {
    if (!isCrowded(network) || trimming.has(network)) return;
    trimming.add(network);
    clock.after(GRACE_MS, () => trim(network));
  }

  return {
    begin(socket, network) {
      if (unfinished.has(socket)) return;
      unfinished.set(socket, { network, beganAtMs: clock.nowMs() });
      counts.set(network, (counts.get(network) ?? 0) + 1);
      trimLater(network);
    },
    end(socket) {
      const one = unfinished.get(socket);
      if (one) remove(socket, one.network);
    },
  };
}

interface Unfinished {
  readonly network: string;
  readonly beganAtMs: number;
}
