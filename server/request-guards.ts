import type { Duplex } from 'node:stream';
import type { IncomingMessage } from 'node:http';
import type { Clock } from '../lib/domain/clock';
import { GatewayError } from '../lib/domain/errors';

// Guards against what Node accepts: requests that others could read differently, and connections without a complete
// request.
//
// Such a connection costs the client almost nothing and us a socket. Many at once are normal: a client that opens its
// pool, or a batch of uploads. So none is refused at first; if too many of one network stay unfinished for seconds, the
// oldest are cut. They are cut a few at a time: their clients connect again, and a hundred cuts and new requests at once
// would keep the requests of others waiting.

const MAX_UNFINISHED = 100;
const GRACE_MS = 5_000;
const TRIM_INTERVAL_MS = 100;
/** The part of the excess that is cut at once, so that any excess is gone within seconds. */
const TRIM_SHARE = 1 / 10;

export interface UnfinishedRequests {
  /** This connection waits for a request or for the rest of one. Safe to repeat. */
  begin(socket: Duplex, network: string): void;
  /** Its request is complete, or it has closed. Safe to repeat. */
  end(socket: Duplex): void;
}

/**
 * Allows at most 100 unfinished requests older than 5 s per network. Calls `cut` for the oldest connections above that,
 * within seconds, but not for those whose request `hasArrived`: the end of a body that is never read is not announced.
 */
export function createUnfinishedRequests(
  clock: Clock,
  cut: (socket: Duplex) => void,
  hasArrived: (socket: Duplex) => boolean = () => false,
): UnfinishedRequests {
  /** Oldest first, in insertion order. */
  const unfinished = new Map<Duplex, Unfinished>();
  /** The number of unfinished requests per network. */
  const counts = new Map<string, number>();
  /** The networks with too many. */
  const crowded = new Set<string>();
  let isTrimming = false;

  const excess = (network: string) => (counts.get(network) ?? 0) - MAX_UNFINISHED;

  function remove(socket: Duplex, network: string): void {
    unfinished.delete(socket);
    const left = (counts.get(network) ?? 0) - 1;
    if (left > 0) counts.set(network, left);
    else counts.delete(network);
    if (left <= MAX_UNFINISHED) crowded.delete(network);
  }

  /** One pass for all networks: those of a distributed attack are many. */
  function trim(): void {
    isTrimming = false;
    for (const [socket, { network }] of unfinished)
      if (crowded.has(network) && hasArrived(socket)) remove(socket, network);
    const youngestAtMs = clock.nowMs() - GRACE_MS;
    const toCut = new Map(
      [...crowded].map((network): [string, number] => [network, Math.ceil(excess(network) * TRIM_SHARE)]),
    );
    for (const [socket, { network, beganAtMs }] of unfinished) {
      if (toCut.size === 0 || beganAtMs > youngestAtMs) break;
      const left = toCut.get(network);
      if (left === undefined) continue;
      if (left > 1) toCut.set(network, left - 1);
      else toCut.delete(network);
      remove(socket, network);
      cut(socket);
    }
    trimLater();
  }

  function trimLater(): void {
    if (crowded.size === 0 || isTrimming) return;
    isTrimming = true;
    clock.after(TRIM_INTERVAL_MS, trim);
  }

  return {
    begin(socket, network) {
      if (unfinished.has(socket)) return;
      unfinished.set(socket, { network, beganAtMs: clock.nowMs() });
      counts.set(network, (counts.get(network) ?? 0) + 1);
      if (excess(network) <= 0) return;
      crowded.add(network);
      trimLater();
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

/**
 * Returns a `malformed_request` error for a request that Node accepts but proxies could read differently; otherwise
 * undefined. Absolute targets are refused because they are for proxies: a proxy behind us once followed such a target
 * into the internal network.
 */
export function malformedRequest(req: IncomingMessage): GatewayError | undefined {
  if (!req.url?.startsWith('/'))
    return new GatewayError('malformed_request', 'The request target must be a path, such as /v1/models.');
  const hosts = countHosts(req.rawHeaders);
  if (hosts > 1) return new GatewayError('malformed_request', 'The Host header was sent more than once. Send it once.');
  if (hosts === 0 && req.httpVersion === '1.1')
    return new GatewayError('malformed_request', 'The Host header is missing.');
  return undefined;
}

/** Counts the Host headers. `rawHeaders` alternates names and values; `req.headers` keeps only the first value. */
function countHosts(rawHeaders: readonly string[]): number {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts;
}
