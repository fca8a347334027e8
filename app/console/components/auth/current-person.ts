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

/** What the sign-in's cookie of this request says, if we made it; the sign-in itself may have ended. */
export async function readSignInCookie(from: Gateway): Promise<JWT | undefined> {
  const cookieName = signInCookieName(isSecure(from.baseUrl));
  const value = (await cookies()).get(cookieName)?.value;
  if (!value) return undefined;
  // The cookie alone: next-auth would otherwise take an Authorization header for a sign-in as well.
  const req = { cookies: { [cookieName]: value }, headers: {} } as unknown as Parameters<typeof getToken>[0]['req']; // Safe: it reads these two fields.
  return (await getToken({ req, cookieName })) ?? undefined;
}

/** The same for what is rendered: once for a request, however many parts of the page ask. */
export const visitor = cache(() => readQuietly(() => findPerson(gateway())));

/** The same for a page; leads to the sign-in page, and from there back to `wanted`, when there is none. */
export async function requirePerson(wanted: string): Promise<SignedIn> {
  const person = await visitor();
  if (!person) redirect(paths.signIn(wanted));
  return person;
}
