import type { NextAuthOptions, User } from 'next-auth';
import { cookies } from 'next/headers';
import CredentialsProvider from 'next-auth/providers/credentials';
import { SIGN_IN_IDLE_MS, type Person } from '../../../../lib/accounts/accounts';
import { isSecure } from '../../../../lib/accounts/sign-in-cookie';
import { errorForLog, isGatewayError } from '../../../../lib/domain/errors';
import type { Gateway } from '../../../../lib/gateway';
import { nextPath } from '../../../../lib/http/console/next-path';
import { paths } from '../../paths';
import { services } from './services';
import { signInErrorCode } from './sign-in-error';
import { knownBrowserCookie, signInCookies } from './sign-in-cookies';
import { cookieHeader } from './current-person';

declare module 'next-auth' {
  interface User {
    /** Set after the credentials were verified. A sign-in without it is refused. */
    person?: Person;
  }
}

// next-auth reads its URL and its secret from the environment. The server sets both from the configuration.

/** The next-auth options for one request. */
export function authOptions(gateway: Gateway, remoteAddress: string): NextAuthOptions {
  const { baseUrl } = gateway;
  return {
    session: { strategy: 'jwt', maxAge: SIGN_IN_IDLE_MS / 1000 },
    useSecureCookies: isSecure(baseUrl),
    cookies: signInCookies(baseUrl),
    pages: { signIn: paths.signIn(), error: paths.signIn(), signOut: paths.signIn() },
    providers: [
      CredentialsProvider({
        credentials: { email: { type: 'email' }, password: { type: 'password' } },
        async authorize(credentials) {
          const person = await verify(gateway, credentials?.email ?? '', credentials?.password ?? '', remoteAddress);
          return person ? { id: person.userId, person } : null;
        },
      }),
      CredentialsProvider({
        id: 'link',
        credentials: { token: { type: 'text' } },
        async authorize(credentials) {
          const person = await inWords(gateway.signInMethods.spendLink(credentials?.token ?? ''));
          return person ? { id: person.userId, person } : null;
        },
      }),
      ...services(gateway.config),
    ],
    callbacks: {
      signIn: ({ user }) => decideSignIn(gateway, user),
      // Called whenever the sign-in is read. Throwing makes next-auth remove the cookie.
      async jwt({ token, user }) {
        // Only present while signing in.
        if (user) {
          if (!user.person) throw new Error('The sign-in has no verified person.');
          const formerId = await gateway.signInCookie.readId(await cookieHeader());
          const browserCookie = knownBrowserCookie(baseUrl);
          (await cookies()).set({ ...browserCookie, value: gateway.signInThrottle.browserToken(user.person.email) });
          return { signInId: await gateway.accounts.beginSignIn(user.person, formerId) };
        }
        if (token.signInId === undefined || !(await gateway.accounts.findSignIn(token.signInId)))
          throw new Error('The sign-in has ended.');
        return token;
      },
      // Pages get the user's data from the console API; this answer only shows whether there is a sign-in.
      session: ({ session }) => ({ expires: session.expires }),
      redirect: ({ url, baseUrl }) => baseUrl + nextPath(url.startsWith(baseUrl) ? url.slice(baseUrl.length) : url),
    },
    events: {
      async signOut({ token }) {
        if (token.signInId !== undefined) await gateway.accounts.endSignIn(token.signInId);
      },
      async signIn({ user: { person }, account }) {
        if (!person) return;
        const method = account?.provider === 'credentials' ? 'password' : (account?.provider ?? 'unknown');
        // A sign-in opens every organisation of the person.
        for (const { orgId } of person.memberships)
          await gateway.auditLog
            .record({ orgId, userId: person.userId, address: remoteAddress }, `sign_in.${method}`)
            .catch((error: unknown) => {
              gateway.log.error('an entry of the audit log could not be written', { error: errorForLog(error) });
            });
      },
    },
    logger: {
      error: (code) => {
        // Logged for every expired or foreign cookie, which is normal.
        if (code !== 'JWT_SESSION_ERROR') gateway.log.warn('sign-in failed', { code: signInErrorCode(code) });
      },
      warn: () => undefined,
      debug: () => undefined,
    },
  };
}

/** Returns true if the user may sign in, otherwise the URL of the sign-in form with an error code. */
async function decideSignIn(gateway: Gateway, user: User): Promise<boolean | string> {
  if (user.person) return true;
  if (!user.account) return false;
  const current = await gateway.signInCookie.findPerson(await cookieHeader());
  const outcome = await inWords(gateway.signInMethods.signInElsewhere(user.account, current));
  if ('refused' in outcome) return `${gateway.baseUrl}${paths.signIn()}?error=${outcome.refused}`;
  user.person = outcome;
  return true;
}

/**
 * Returns the person, or undefined for wrong credentials. Throws `throttled:<seconds>` after too many attempts;
 * next-auth puts the message of the error into the URL of the sign-in form.
 */
async function verify(
  gateway: Gateway,
  email: string,
  password: string,
  remoteAddress: string,
): Promise<Person | undefined> {
  const browser = (await cookies()).get(knownBrowserCookie(gateway.baseUrl).name)?.value;
  const attempt = await gateway.signInThrottle.attempt(email, remoteAddress, browser);
  if (!attempt.allowed) throw new Error(`throttled:${attempt.retryAfterSeconds}`);
  const person = await inWords(gateway.accounts.verifyPassword(email, password));
  if (person) attempt.succeeded();
  return person;
}

async function inWords<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw new Error(isGatewayError(error) ? error.code : 'unavailable', { cause: error });
  }
}
