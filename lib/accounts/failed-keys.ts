import { isAhead, type Clock } from '../domain/clock';
import { GatewayError } from '../domain/errors';
import { createLru } from '../io/lru';
import { networkOf } from '../net/client-address';

// Limits lookups of unknown keys. Such a lookup costs a query, and the key checksum is public, so generated keys could
// load the database. Keys that this process knows are found without a query and never counted.

const WINDOW_MS = 60_000;
const MAX_FAILURES = 50;
/** About 10 MB at most; the least recently seen are evicted first. */
const MAX_NETWORKS = 50_000;

/** As written by `lib/http/to-web.ts`. */
const UNKNOWN_ADDRESS = '0.0.0.0';

export interface FailedKeys {
  /** Throws `rate_limit_exceeded` when this address may not look up an unknown key now. */
  check(remoteAddress: string): void;
  /** Counts a key from this address that does not exist. */
  note(remoteAddress: string): void;
}

/** Allows 50 unknown keys per minute for each IPv4 address or IPv6 /64, counted in this process only. */
export function createFailedKeys({ clock }: { readonly clock: Clock }): FailedKeys {
  const windows = createLru<string, { readonly endsAtMs: number; count: number }>(MAX_NETWORKS);

  return {
    check(remoteAddress) {
      const window = windows.get(networkOf(remoteAddress));
      if (!window || window.count < MAX_FAILURES) return;
      const nowMs = clock.nowMs();
      if (!isAhead(window.endsAtMs, WINDOW_MS, nowMs)) return;
      throw new GatewayError(
        'rate_limit_exceeded',
        'Too many requests from your network used API keys that do not exist. Check the key, and try again in a minute.',
        {
          retryAfterSeconds: Math.ceil((window.endsAtMs - nowMs) / 1000),
        },
      );
    },
    note(remoteAddress) {
      // Not limited when the address is unknown (plain `next start`): otherwise one client would lock out all others.
      if (remoteAddress === UNKNOWN_ADDRESS) return;
      const network = networkOf(remoteAddress);
      const nowMs = clock.nowMs();
      const window = windows.get(network);
      if (window && isAhead(window.endsAtMs, WINDOW_MS, nowMs)) window.count += 1;
      else windows.set(network, { endsAtMs: nowMs + WINDOW_MS, count: 1 });
    },
  };
}
