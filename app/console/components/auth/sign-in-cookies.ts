import type { CookiesOptions } from 'next-auth';

// Over https the names carry the `__Host-` prefix: the browser then keeps a neighbouring domain from setting them. Over plain
// http, which browsers only trust on this machine, a prefixed or Secure cookie would never be stored.

/** Is the console reached over https? */
export function isSecure(baseUrl: string): boolean {
  return baseUrl.startsWith('https:');
}

export function signInCookieName(secure: boolean): string {
  return `${secure ? '__Host-' : ''}patchbay-sign-in`;
}

/** Says that somebody signed in from this browser before (`SignInThrottle`); it opens nothing, so signing out leaves it. */
export function knownBrowserCookie(secure: boolean): {
  readonly name: string;
  readonly httpOnly: true;
  readonly sameSite: 'lax';
  readonly path: string;
  readonly secure: boolean;
  readonly maxAge: number;
} {
  return {
    name: `${secure ? '__Host-' : ''}patchbay-known-browser`,
    httpOnly: true,
    sameSite: 'lax',
    path: '/',
    secure,
    maxAge: 180 * 24 * 60 * 60,
  };
}

export function signInCookies(secure: boolean): Partial<CookiesOptions> {
  const options = { httpOnly: true, sameSite: 'lax', path: '/', secure } as const;
  const prefix = secure ? '__Host-' : '';
  return {
    sessionToken: { name: signInCookieName(secure), options },
    csrfToken: { name: `${prefix}patchbay-csrf`, options },
    callbackUrl: { name: `${prefix}patchbay-callback`, options },
  };
}
