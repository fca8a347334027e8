import type { JWT } from 'next-auth/jwt';
import type { ActiveSignIn } from '../../../../lib/accounts/accounts';
import type { Gateway } from '../../../../lib/gateway';

// The encrypted cookie names a sign-in and nothing else. It proves nothing by itself: every reading looks for the sign-in in the
// database, so that a copied cookie is worth nothing once the sign-in has ended.

declare module 'next-auth/jwt' {
  interface JWT {
    signInId?: string;
  }
}

/** The sign-in that the token names, unless it has ended. */
export async function findSignInOf({ signInId }: JWT, gateway: Gateway): Promise<ActiveSignIn | undefined> {
  return typeof signInId === 'string' ? gateway.accounts.findSignIn(signInId) : undefined;
}
