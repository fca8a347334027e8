import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { gateway } from '../../../lib/runtime';
import { offeredServices } from '../components/auth/offered-services';
import { readQuietly } from '../components/shell/read-quietly';
import { AuthLayout } from '../components/auth/auth-layout';
import { paths } from '../paths';
import { SignUpForm } from './sign-up-form';

export const metadata: Metadata = { title: 'Set up' };

export default async function SignUpPage() {
  if (!(await readQuietly(() => gateway().accounts.awaitsFirstUser()))) redirect(paths.signIn());
  return (
    <AuthLayout
      title="Set up Patchbay"
      description="There is no account yet. The first account becomes the owner of this installation."
    >
      <SignUpForm services={offeredServices(gateway().config)} />
    </AuthLayout>
  );
}
