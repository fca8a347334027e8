import { headers } from 'next/headers';
import { redirect } from 'next/navigation';
import { cache } from 'react';
import type { ActiveSignIn, SignedIn } from '../../../../lib/accounts/accounts';
import { gateway } from '../../../../lib/runtime';
import { readQuietly } from '../shell/read-quietly';
import { paths } from '../../paths';

/** The person behind this request's cookie. Cached per request, for rendering. */
export const visitor = cache((): Promise<ActiveSignIn | undefined> =>
  readQuietly(async () => gateway().signInCookie.findPerson(await cookieHeader())),
);

/** The same for a page. Redirects signed-out users to the sign-in page, which redirects back to `wanted`. */
export async function requirePerson(wanted: string): Promise<SignedIn> {
  const person = await visitor();
  if (!person) redirect(paths.signIn(wanted));
  return person;
}

/** The `Cookie` header of this request, for a page or a route of Next. */
export async function cookieHeader(): Promise<string | undefined> {
  return (await headers()).get('cookie') ?? undefined;
}
