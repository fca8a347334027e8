import { cookies } from 'next/headers';
import { redirect } from 'next/navigation';
import { getToken, type JWT } from 'next-auth/jwt';
import { cache } from 'react';
import type { ActiveSignIn, SignedIn } from '../../../../lib/accounts/accounts';
import type { Gateway } from '../../../../lib/gateway';
import { gateway } from '../../../../lib/runtime';
import { readQuietly } from '../shell/read-quietly';
import { paths } from '../../paths';
import { isSecure, signInCookieName } from './sign-in-cookies';
import { findSignInOf } from './sign-in-token';

/** The person behind this request's cookie. */
export async function findPerson(from: Gateway): Promise<ActiveSignIn | undefined> {
  const token = await readSignInCookie(from);
  return token && findSignInOf(token, from);
}

/** The content of this request's sign-in cookie, if its signature is valid. The sign-in itself may have ended. */
export async function readSignInCookie(from: Gateway): Promise<JWT | undefined> {
  const cookieName = signInCookieName(isSecure(from.baseUrl));
  const value = (await cookies()).get(cookieName)?.value;
  if (!value) return undefined;
  // Only the cookie: otherwise next-auth would also accept an Authorization header.
  const req = { cookies: { [cookieName]: value }, headers: {} } as unknown as Parameters<typeof getToken>[0]['req']; // Safe: it reads these two fields.
  return (await getToken({ req, cookieName })) ?? undefined;
}

/** The same for rendering, cached per request. */
export const visitor = cache(() => readQuietly(() => findPerson(gateway())));

/** The same for a page. Redirects signed-out users to the sign-in page, which redirects back to `wanted`. */
export async function requirePerson(wanted: string): Promise<SignedIn> {
  const person = await visitor();
  if (!person) redirect(paths.signIn(wanted));
  return person;
}
