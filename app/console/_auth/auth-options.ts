import type { NextAuthOptions } from 'next-auth';
import CredentialsProvider from 'next-auth/providers/credentials';
import type { SignedIn } from '../../../lib/accounts/accounts';
import { isGatewayError } from '../../../lib/domain/errors';
import type { Gateway } from '../../../lib/gateway';
import { paths } from '../paths';
import { isSecure, signInCookies } from './sign-in-cookies';
import { findPersonOf, IDLE_SECONDS, makeSignInToken } from './sign-in-token';

declare module 'next-auth' {
  interface User {
    person: SignedIn;
  }
}

// next-auth reads its address and its secret from the environment, where the server has put them from the configuration.

/** The options for one request. */
export function authOptions(gateway: Gateway, remoteAddress: string): NextAuthOptions {
  const secure = isSecure(gateway.baseUrl);
  return {
    session: { strategy: 'jwt', maxAge: IDLE_SECONDS },
    useSecureCookies: secure,
    cookies: signInCookies(secure),
    pages: { signIn: paths.signIn(), error: paths.signIn(), signOut: paths.signIn() },
    providers: [
      CredentialsProvider({
        credentials: { email: { type: 'email' }, password: { type: 'password' } },
        async authorize(credentials) {
          const person = await verify(gateway, credentials?.email ?? '', credentials?.password ?? '', remoteAddress);
          return person ? { id: person.userId, person } : null;
        },
      }),
    ],
    callbacks: {
      // Every reading of the sign-in passes here; the refusal makes next-auth remove the cookie.
      async jwt({ token, user }) {
        // Only present at the moment of signing in, where it is what `authorize` returned.
        if (user) return makeSignInToken(user.person, gateway.clock.now());
        if (!(await findPersonOf(token, gateway))) throw new Error('The sign-in has ended.');
        return token;
      },
      // The page is told by the console's own routes; this answer only says whether there is a sign-in.
      session: ({ session }) => ({ expires: session.expires }),
      redirect: ({ baseUrl }) => baseUrl + paths.overview(),
    },
    logger: {
      error: (code) => {
        // Said of every ended or foreign cookie; nothing is wrong.
        if (code !== 'JWT_SESSION_ERROR') gateway.log.warn('sign-in failed', { code });
      },
      warn: () => undefined,
      debug: () => undefined,
    },
  };
}

/** The words of a refusal travel in an address, so they are words for the sign-in form and not sentences. */
async function verify(gateway: Gateway, email: string, password: string, remoteAddress: string): Promise<SignedIn | undefined> {
  const attempt = gateway.signInThrottle.attempt(email, remoteAddress);
  if (!attempt.allowed) throw new Error(`throttled:${attempt.retryAfterSeconds}`);
  let person: SignedIn | undefined;
  try {
    person = await gateway.accounts.verifyPassword(email, password);
  } catch (error) {
    throw new Error(isGatewayError(error) ? error.code : 'unavailable', { cause: error });
  }
  if (person) attempt.succeeded();
  return person;
}
