import type { CookiesOptions } from 'next-auth';
import { cookieName, isSecure } from '../../../../lib/accounts/sign-in-cookie';

/** Marks a browser that has signed in before (`SignInThrottle`). It grants no access, so signing out keeps it. */
export function knownBrowserCookie(baseUrl: string): {
  readonly name: string;
  readonly httpOnly: true;
  readonly sameSite: 'lax';
  readonly path: string;
  readonly secure: boolean;
  readonly maxAge: number;
} {
  return {
    name: cookieName(baseUrl, 'known-browser'),
    httpOnly: true,
    sameSite: 'lax',
    path: '/',
    secure: isSecure(baseUrl),
    maxAge: 180 * 24 * 60 * 60,
  };
}

/** The cookies that next-auth sets. */
export function signInCookies(baseUrl: string): Partial<CookiesOptions> {
  const options = { httpOnly: true, sameSite: 'lax', path: '/', secure: isSecure(baseUrl) } as const;
  return {
    sessionToken: { name: cookieName(baseUrl, 'sign-in'), options },
    csrfToken: { name: cookieName(baseUrl, 'csrf'), options },
    callbackUrl: { name: cookieName(baseUrl, 'callback'), options },
  };
}
