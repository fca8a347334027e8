import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { nextPath } from '../../../lib/http/console/next-path';
import { gateway } from '../../../lib/runtime';
import { signInSentence } from '../_auth/browser-sign-in';
import { findPerson } from '../_auth/current-person';
import { readQuietly } from '../_shell/read-quietly';
import { EntryPage } from '../_ui/entry-page';
import { paths } from '../paths';
import { SignInForm } from './sign-in-form';

export const metadata: Metadata = { title: 'Sign in' };

export default async function SignInPage({ searchParams }: { readonly searchParams: Promise<Record<string, string | string[] | undefined>> }) {
  const { next, error, csrf } = await searchParams;
  const wanted = nextPath(next);
  if (await readQuietly(() => findPerson(gateway()))) redirect(wanted);
  if (await readQuietly(() => gateway().accounts.awaitsFirstUser())) redirect(paths.signUp());
  const refusal = typeof error === 'string' ? signInSentence(error) : csrf === undefined ? undefined : signInSentence('expired');
  return (
    <EntryPage title="Sign in" says="Welcome back. Your keys, credits and videos are inside.">
      <SignInForm next={wanted} {...(refusal ? { refusal } : {})} />
    </EntryPage>
  );
}
