import type { CookiesOptions } from 'next-auth';

// Over https the names have the `__Host-` prefix, so that sibling domains cannot set them. Over plain http browsers do
// not store prefixed or Secure cookies.

/** Whether the console is served over https. */
export function isSecure(baseUrl: string): boolean {
  return baseUrl.startsWith('https:');
}

export function signInCookieName(secure: boolean): string {
  return `${secure ? '__Host-' : ''}patchbay-sign-in`;
}

/** Marks a browser that has signed in before (`SignInThrottle`). It grants no access, so signing out keeps it. */
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
