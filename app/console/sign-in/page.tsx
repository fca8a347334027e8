import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { nextPath } from '../../../lib/http/console/next-path';
import { gateway } from '../../../lib/runtime';
import { signInSentence } from '../components/auth/browser-sign-in';
import { currentPerson } from '../components/auth/current-person';
import { offeredServices } from '../components/auth/offered-services';
import { readQuietly } from '../components/shell/read-quietly';
import { AuthLayout } from '../components/auth/auth-layout';
import { paths } from '../paths';
import { SignInForm } from './sign-in-form';

export const metadata: Metadata = { title: 'Sign in' };

export default async function SignInPage({
  searchParams,
}: {
  readonly searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  // next-auth uses another parameter name and an absolute URL.
  const { next, callbackUrl, error, csrf } = await searchParams;
  const { accounts, baseUrl, config, signInMethods } = gateway();
  const wanted = nextPath(
    next ??
      (typeof callbackUrl === 'string' && callbackUrl.startsWith(baseUrl)
        ? callbackUrl.slice(baseUrl.length)
        : undefined),
  );
  if (await currentPerson()) redirect(wanted);
  if (await readQuietly(() => accounts.awaitsFirstUser())) redirect(paths.signUp());
  const refusal =
    typeof error === 'string' ? signInSentence(error) : csrf === undefined ? undefined : signInSentence('expired');
  return (
    <AuthLayout title="Sign in" description="Sign in to your keys, credits and videos.">
      <SignInForm
        next={wanted}
        services={offeredServices(config)}
        mailsLinks={signInMethods.mailsLinks}
        {...(refusal ? { refusal } : {})}
      />
    </AuthLayout>
  );
}
