import type { JWT } from 'next-auth/jwt';
import type { ActiveSignIn } from '../../../../lib/accounts/accounts';
import type { Gateway } from '../../../../lib/gateway';

// The encrypted cookie contains only the id of a sign-in. Each request looks the sign-in up in the database, so a
// copied cookie stops working when the sign-in ends.

declare module 'next-auth/jwt' {
  interface JWT {
    signInId?: string;
  }
}

/** The sign-in of the token, unless it has ended. */
export async function findSignInOf({ signInId }: JWT, gateway: Gateway): Promise<ActiveSignIn | undefined> {
  return typeof signInId === 'string' ? gateway.accounts.findSignIn(signInId) : undefined;
}
