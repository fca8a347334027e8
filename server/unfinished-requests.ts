import type { Duplex } from 'node:stream';
import type { Clock } from '../lib/domain/clock';

// Limits connections without a complete request, which cost the client almost nothing and us a socket. Many at once are
// normal: a client that opens its pool, or a batch of uploads. So none is refused; if too many of one network stay
// unfinished for seconds, the oldest are cut.

const MAX_UNFINISHED = 100;
const GRACE_MS = 3_000;

export interface UnfinishedRequests {
  /** This connection waits for a request or for the rest of one. Safe to repeat. */
  begin(socket: Duplex, network: string): void;
  /** Its request is complete, or it has closed. Safe to repeat. */
  end(socket: Duplex): void;
}

/** At most 100 unfinished requests older than 3 s per network; `cut` ends the excess connections. */
export function createUnfinishedRequests(clock: Clock, cut: (socket: Duplex) => void): UnfinishedRequests {
  const networks = new Map<string, Network>();
  const networkOf = new WeakMap<Duplex, string>();

  function trim(name: string): void {
    const network = networks.get(name);
    if (!network) return;
    network.isTrimming = false;
    const youngestAtMs = clock.nowMs() - GRACE_MS;
    // Oldest first, in insertion order.
    for (const [socket, beganAtMs] of network.sockets) {
      if (network.sockets.size <= MAX_UNFINISHED || beganAtMs > youngestAtMs) break;
      network.sockets.delete(socket);
      cut(socket);
    }
    trimLater(name, network);
  }

  function trimLater(name: string, network: Network): void {
    if (network.isTrimming || network.sockets.size <= MAX_UNFINISHED) return;
    network.isTrimming = true;
    clock.after(GRACE_MS, () => trim(name));
  }

  return {
    begin(socket, name) {
      let network = networks.get(name);
      if (!network) networks.set(name, (network = { sockets: new Map(), isTrimming: false }));
      if (network.sockets.has(socket)) return;
      network.sockets.set(socket, clock.nowMs());
      networkOf.set(socket, name);
      trimLater(name, network);
    },
    end(socket) {
      const name = networkOf.get(socket);
      const network = name === undefined ? undefined : networks.get(name);
      if (name === undefined || !network) return;
      networkOf.delete(socket);
      network.sockets.delete(socket);
      if (network.sockets.size === 0) networks.delete(name);
    },
  };
}

interface Network {
  /** Since when each of them is unfinished, in milliseconds. */
  readonly sockets: Map<Duplex, number>;
  isTrimming: boolean;
}
