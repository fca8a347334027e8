import { LRUCache } from 'lru-cache';
import type { Clock } from '../domain/clock';
import { networkOf } from '../net/network-of';

// Guessing passwords must be slow, for one account from many addresses and for many accounts from one address. An attempt
// counts before the password is looked at, so that a burst of parallel ones finds the door shut as well; one that succeeds
// is taken back, so that an office behind one address is not locked out by its own people signing in.

const WINDOW_MS = 15 * 60_000;
const MOST_ATTEMPTS = 10;
/** Some 15 MB at the very most; the least recently seen go first. */
const MOST_COUNTERS = 50_000;

export interface SignInThrottle {
  /** Counts an attempt to sign in as `email` from this address; `allowed: false` means that the password must not be looked at. */
  attempt(email: string, remoteAddress: string): SignInAttempt;
}

export type SignInAttempt =
  | { readonly allowed: true; /** The attempt was no guess. */ succeeded(): void }
  | { readonly allowed: false; readonly retryAfterSeconds: number };

/** Ten failed attempts in 15 minutes per account, and per IPv4 address or /64 of IPv6. Counts in this process alone. */
export function createSignInThrottle(deps: { readonly clock: Clock }): SignInThrottle {
  // One list of instants (milliseconds) a counter, oldest first.
  const counters = new LRUCache<string, readonly number[]>({ max: MOST_COUNTERS });

  const recent = (counter: string, now: number) => (counters.get(counter) ?? []).filter((at) => at > now - WINDOW_MS);

  return {
    attempt(email, remoteAddress) {
      const now = deps.clock.nowMs();
      const account = `account ${accountName(email)}`;
      const network = `network ${networkOf(remoteAddress)}`;
      const waits = [account, network].flatMap((counter) => {
        const attempts = recent(counter, now);
        const oldest = attempts[0];
        return attempts.length >= MOST_ATTEMPTS && oldest !== undefined ? [oldest + WINDOW_MS - now] : [];
      });
      if (waits.length > 0) return { allowed: false, retryAfterSeconds: Math.ceil(Math.max(...waits) / 1000) };

      for (const counter of [account, network]) counters.set(counter, [...recent(counter, now), now]);
      return {
        allowed: true,
        succeeded() {
          counters.delete(account);
          const attempts = [...(counters.get(network) ?? [])];
          const mine = attempts.indexOf(now);
          if (mine !== -1) attempts.splice(mine, 1);
          counters.set(network, attempts);
        },
      };
    },
  };
}

/** As accounts are looked up; cut, because the text is a stranger's. */
function accountName(email: string): string {
  return email.trim().toLowerCase().slice(0, 254);
}
