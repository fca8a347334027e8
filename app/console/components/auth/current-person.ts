import { headers } from 'next/headers';
import { notFound, redirect } from 'next/navigation';
import { cache } from 'react';
import type { ActivePerson, SignedIn } from '../../../../lib/accounts/accounts';
import { gateway } from '../../../../lib/runtime';
import { readQuietly } from '../shell/read-quietly';
import { paths } from '../../paths';

/** The person behind this request's cookie, who may belong to no organisation. Cached per request, for rendering. */
export const currentPerson = cache((): Promise<ActivePerson | undefined> =>
  readQuietly(async () => gateway().signInCookie.findPerson(await cookieHeader())),
);

/** The signed-in person in their current organisation; undefined also for a person without an organisation. */
export const currentMember = cache(async (): Promise<SignedIn | undefined> => {
  const person = await currentPerson();
  if (!person?.memberships.length) return undefined;
  return readQuietly(async () => gateway().signInCookie.findMember(await cookieHeader()));
});

/**
 * Returns the person of a page, in their current organisation. Redirects signed-out users to the sign-in page, which
 * redirects back to `wanted`, and people without an organisation to the page that creates one.
 */
export async function requirePerson(wanted: string): Promise<SignedIn> {
  const member = await currentMember();
  if (member) return member;
  redirect((await currentPerson()) ? paths.newOrganization() : paths.signIn(wanted));
}

/**
 * Returns the person of a page about the installation. Redirects as `requirePerson` does, and answers 404 to anyone but
 * an operator.
 */
export async function requireOperator(wanted: string): Promise<SignedIn> {
  const person = await requirePerson(wanted);
  return person.isOperator ? person : notFound();
}

/** The `Cookie` header of this request, for a page or a route of Next. */
export async function cookieHeader(): Promise<string | undefined> {
  return (await headers()).get('cookie') ?? undefined;
}
