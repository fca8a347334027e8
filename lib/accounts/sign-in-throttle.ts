import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { networkOf } from '../net/client-address';
import type { WindowCounters } from '../limits/window-counters';
import { hashSecret } from './secrets';

// Password guessing must be slow, for one account from many addresses and for many accounts from one address, without
// locking out the real person. So attempts are counted by account and network. A browser that has signed in to an
// account before has its own count for that account and is not affected by others. An attempt is counted before the
// password is checked, so that a burst of parallel attempts is limited too; a successful one is taken back.

const WINDOW_MS = 15 * 60_000;

/** The maximum numbers of failed attempts in 15 minutes. */
export interface AttemptLimits {
  /** On one account from one IPv4 address or IPv6 /64. */
  readonly pair: number;
  /** From one IPv4 address or IPv6 /64, on all accounts together. */
  readonly network: number;
  /** On one account, from all networks together. */
  readonly account: number;
}

const PASSWORD_LIMITS: AttemptLimits = { pair: 10, network: 30, account: 100 };
/** Lower, because each attempt sends an e-mail to the account. */
export const LINK_LIMITS: AttemptLimits = { pair: 10, network: 10, account: 10 };
/** For a browser that has signed in to the account before. */
const MAX_BROWSER_ATTEMPTS = 10;

export interface SignInThrottle {
  /**
   * Counts an attempt to sign in as `email` from this address. If `allowed` is false, the password must not be checked.
   * `browserToken` is the token that the browser kept from an earlier sign-in; an invalid one counts as absent.
   */
  attempt(email: string, remoteAddress: string, browserToken?: string): Promise<SignInAttempt>;
  /** Creates a token for a browser that has just signed in to this account. It gives no access. */
  browserToken(email: string): string;
}

export type SignInAttempt =
  | { readonly allowed: true; /** The password was right: forgets the attempt. */ succeeded(): void }
  | { readonly allowed: false; readonly retryAfterSeconds: number };

export interface SignInThrottleDeps {
  readonly counters: WindowCounters;
  /** Separates the counts of different throttles. */
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

  /** Returns the name of the browser's counter, if the browser has signed in to this account before. */
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
      // The widest limit comes last: an attempt that is already refused must not use it up for others.
      const limitsToCheck: readonly (readonly [string, number])[] =
        browser === undefined
          ? [
              [`network ${network}`, limits.network],
              [`pair ${network} ${account}`, limits.pair],
              [`account ${account}`, limits.account],
            ]
          : [[`browser ${browser}`, MAX_BROWSER_ATTEMPTS]];
      const counted: string[] = [];
      for (const [what, max] of limitsToCheck) {
        // Hashed: the counts may be stored in Redis, which should not contain e-mail addresses.
        const counter = `${name} ${hashSecret(what)}`;
        const { allowed, endsInMs } = await counters.take({ name: counter, max, windowMs: WINDOW_MS });
        if (!allowed) return { allowed: false, retryAfterSeconds: Math.max(1, Math.ceil(endsInMs / 1000)) };
        counted.push(counter);
      }
      return {
        allowed: true,
        succeeded() {
          for (const counter of counted) counters.takeBack(counter);
        },
      };
    },

    browserToken(email) {
      const nonce = randomBytes(16).toString('base64url');
      return `${nonce}.${proofOf(accountName(email), nonce).toString('base64url')}`;
    },
  };
}

/** Normalised as for the account lookup; truncated, because the text is untrusted. */
function accountName(email: string): string {
  return email.trim().toLowerCase().slice(0, 254);
}
