import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { networkOf } from '../net/network-of';
import type { AttemptCounters } from './attempt-counters';
import { hashSecret } from './hash-secret';

// Guessing passwords must be slow, for one account from many addresses and for many accounts from one address, and it must not
// lock the person out. So attempts of strangers are counted by account and network, and a browser that has signed in to an
// account before is counted by itself: its attempts on that account are judged as if there were no strangers. An attempt counts
// before the password is looked at, so that a burst of parallel ones finds the door shut as well; one that succeeds is taken back.

const WINDOW_MS = 15 * 60_000;

/** How many failed attempts there may be in 15 minutes. */
export interface AttemptLimits {
  /** On one account from one IPv4 address or /64 of IPv6. */
  readonly pair: number;
  /** From one IPv4 address or /64, on all accounts together. */
  readonly network: number;
  /** On one account, from all networks together. */
  readonly account: number;
}

const PASSWORD_LIMITS: AttemptLimits = { pair: 10, network: 30, account: 100 };
/** Each attempt sends an e-mail to the account. */
export const LINK_LIMITS: AttemptLimits = { pair: 10, network: 10, account: 10 };
/** Of one browser that has signed in before, on its account. */
const MAX_BROWSER_ATTEMPTS = 10;

export interface SignInThrottle {
  /**
   * Counts an attempt to sign in as `email` from this address; `allowed: false` means that the password must not be looked at.
   * `browserToken`: what the browser brings of `browserToken` of an earlier sign-in; anything else counts as none.
   */
  attempt(email: string, remoteAddress: string, browserToken?: string): Promise<SignInAttempt>;
  /** For a browser to keep that has just signed in to this account; it opens nothing. */
  browserToken(email: string): string;
}

export type SignInAttempt =
  | { readonly allowed: true; /** The attempt was no guess. */ succeeded(): Promise<void> }
  | { readonly allowed: false; readonly retryAfterSeconds: number };

export interface SignInThrottleDeps {
  readonly counters: AttemptCounters;
  /** Keeps one throttle's counts apart from another's. */
  readonly name: string;
  readonly secret: string;
  readonly limits?: AttemptLimits;
}

export function createSignInThrottle({
  counters,
  name,
  secret,
  limits = PASSWORD_LIMITS,
}: SignInThrottleDeps): SignInThrottle {
  const proofOf = (account: string, nonce: string) =>
    createHmac('sha256', secret).update(`known browser\0${account}\0${nonce}`).digest();

  /** What names the browser, if it has signed in to this account before. */
  function knownBrowser(account: string, token: string | undefined): string | undefined {
    const [nonce, proof] = /^([A-Za-z0-9_-]{22})\.([A-Za-z0-9_-]{43})$/.exec(token ?? '')?.slice(1) ?? [];
    if (nonce === undefined || proof === undefined) return undefined;
    return timingSafeEqual(Buffer.from(proof, 'base64url'), proofOf(account, nonce)) ? nonce : undefined;
  }

  return {
    async attempt(email, remoteAddress, browserToken) {
      const account = accountName(email);
      const network = networkOf(remoteAddress);
      const browser = knownBrowser(account, browserToken);
      // The widest last: an attempt that is refused already must not use up what others have.
      const judged: readonly (readonly [string, number])[] =
        browser === undefined
          ? [
              [`network ${network}`, limits.network],
              [`pair ${network} ${account}`, limits.pair],
              [`account ${account}`, limits.account],
            ]
          : [[`browser ${browser}`, MAX_BROWSER_ATTEMPTS]];
      const counted: string[] = [];
      for (const [what, max] of judged) {
        // Hashed: the counts may be kept in Redis, which should not contain e-mail addresses.
        const counter = `${name} ${hashSecret(what)}`;
        const { count, endsInMs } = await counters.add(counter, WINDOW_MS);
        if (count > max) return { allowed: false, retryAfterSeconds: Math.max(1, Math.ceil(endsInMs / 1000)) };
        counted.push(counter);
      }
      return {
        allowed: true,
        async succeeded() {
          await Promise.all(counted.map((counter) => counters.takeBack(counter)));
        },
      };
    },

    browserToken(email) {
      const nonce = randomBytes(16).toString('base64url');
      return `${nonce}.${proofOf(accountName(email), nonce).toString('base64url')}`;
    },
  };
}

/** As accounts are looked up; cut, because the text is a stranger's. */
function accountName(email: string): string {
  return email.trim().toLowerCase().slice(0, 254);
}
