import type { JWT } from 'next-auth/jwt';
import type { SignedIn } from '../../../lib/accounts/accounts';
import type { Visitor } from '../../../lib/http/console/answer-console';
import type { Gateway } from '../../../lib/gateway';

// What the encrypted cookie says: who signed in, when, and under which version of the person's sign-ins. It proves nothing by
// itself; every reading asks the accounts whether that version still stands.

declare module 'next-auth/jwt' {
  interface JWT {
    userId?: string;
    orgId?: string;
    sessionVersion?: number;
    /** Unix milliseconds. */
    signedInAt?: number;
  }
}

/** Without a visit for this long, a sign-in ends … */
export const IDLE_SECONDS = 7 * 24 * 60 * 60;
/** … and after this long in any case. */
const LONGEST_MS = 30 * 24 * 60 * 60 * 1000;

export function makeSignInToken(person: SignedIn, now: Date): JWT {
  const { userId, orgId, sessionVersion } = person;
  return { userId, orgId, sessionVersion, signedInAt: now.getTime() };
}

/** The person, unless the sign-in is too old or was ended since. */
export async function findPersonOf(token: JWT, gateway: Gateway): Promise<Visitor | undefined> {
  const { userId, sessionVersion, signedInAt } = token;
  if (typeof userId !== 'string' || typeof sessionVersion !== 'number' || typeof signedInAt !== 'number') return undefined;
  if (gateway.clock.nowMs() - signedInAt >= LONGEST_MS) return undefined;
  const person = await gateway.accounts.findSignIn(userId, sessionVersion);
  return person && { ...person, signedInAtMs: signedInAt };
}
