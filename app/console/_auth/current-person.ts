import { cookies } from 'next/headers';
import { redirect } from 'next/navigation';
import { getToken } from 'next-auth/jwt';
import type { SignedIn } from '../../../lib/accounts/accounts';
import type { Gateway } from '../../../lib/gateway';
import { gateway } from '../../../lib/runtime';
import { readQuietly } from '../_shell/read-quietly';
import { paths } from '../paths';
import { isSecure, signInCookieName } from './sign-in-cookies';
import { findPersonOf } from './sign-in-token';

/** The person behind this request's cookie. */
export async function findPerson(from: Gateway): Promise<SignedIn | undefined> {
  const cookieName = signInCookieName(isSecure(from.baseUrl));
  const value = (await cookies()).get(cookieName)?.value;
  if (!value) return undefined;
  // The cookie alone: next-auth would otherwise take an Authorization header for a sign-in as well.
  const req = { cookies: { [cookieName]: value }, headers: {} } as unknown as Parameters<typeof getToken>[0]['req']; // Safe: it reads these two fields.
  const token = await getToken({ req, cookieName });
  return token ? findPersonOf(token, from) : undefined;
}

/** The same for a page; leads to the sign-in page, and from there back to `wanted`, when there is none. */
export async function requirePerson(wanted: string): Promise<SignedIn> {
  const person = await readQuietly(() => findPerson(gateway()));
  if (!person) redirect(paths.signIn(wanted));
  return person;
}
