import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { currentPerson } from '../../components/auth/current-person';
import { AuthLayout } from '../../components/auth/auth-layout';
import { paths } from '../../paths';
import { LinkForm } from './link-form';

export const metadata: Metadata = { title: 'Sign in by link' };

export default async function SignInLinkPage() {
  if (await currentPerson()) redirect(paths.overview());
  return (
    <AuthLayout title="Sign in by link" description="You requested this link by e-mail. It works once.">
      <LinkForm />
    </AuthLayout>
  );
}
