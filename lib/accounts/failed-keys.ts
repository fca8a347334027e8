import { LRUCache } from 'lru-cache';
import type { Clock } from '../domain/clock';
import { GatewayError } from '../domain/errors';
import { networkOf } from '../net/network-of';

// Looking up a key that does not exist costs a query, and the checksum of keys is public, so invented keys would load the database. Keys that
// this process knows are found without a query and are never counted.

const WINDOW_MS = 60_000;
const MAX_FAILURES = 50;
/** Some 10 MB at the very most; the least recently seen go first. */
const MAX_NETWORKS = 50_000;

/** As `lib/http/to-web.ts` writes it. */
const UNKNOWN_ADDRESS = '0.0.0.0';

export interface FailedKeys {
  /** Throws `rate_limit_exceeded` when no unknown key from this address may be looked up now. */
  check(remoteAddress: string): void;
  /** A key from this address was looked up and does not exist. */
  note(remoteAddress: string): void;
}

/** Fifty unknown keys a minute per IPv4 address or /64 of IPv6. Counts in this process alone. */
export function createFailedKeys({ clock }: { readonly clock: Clock }): FailedKeys {
  const windows = new LRUCache<string, { readonly endsAtMs: number; count: number }>({ max: MAX_NETWORKS });

  return {
    check(remoteAddress) {
      const window = windows.get(networkOf(remoteAddress));
      if (!window || window.count < MAX_FAILURES) return;
      const leftMs = window.endsAtMs - clock.nowMs();
      if (leftMs <= 0) return;
      throw new GatewayError(
        'rate_limit_exceeded',
        'Too many requests from your network used API keys that do not exist. Check the key, and try again in a minute.',
        {
          retryAfterSeconds: Math.ceil(leftMs / 1000),
        },
      );
    },
    note(remoteAddress) {
      // Of everybody, where the address is not known (plain `next start`): one stranger would shut all others out.
      if (remoteAddress === UNKNOWN_ADDRESS) return;
      const network = networkOf(remoteAddress);
      const nowMs = clock.nowMs();
      const window = windows.get(network);
      if (window && window.endsAtMs > nowMs) window.count += 1;
      else windows.set(network, { endsAtMs: nowMs + WINDOW_MS, count: 1 });
    },
  };
}
