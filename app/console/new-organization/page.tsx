import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { AuthLayout } from '../components/auth/auth-layout';
import { visitingMember, visitor } from '../components/auth/current-person';
import { Shell } from '../components/shell/shell';
import { paths } from '../paths';
import { NewOrganizationForm } from './new-organization-form';

export const metadata: Metadata = { title: 'Create an organisation' };

const DESCRIPTION = 'It has its own members, keys, credits and usage, and begins with $1,000 of test credits.';

export default async function NewOrganizationPage() {
  const person = await visitor();
  if (!person) redirect(paths.signIn(paths.newOrganization()));
  const member = await visitingMember();
  if (!member)
    return (
      <AuthLayout
        title="Create an organisation"
        description={`${person.email} belongs to no organisation. To join one, open the invitation that you were sent, or create your own. ${DESCRIPTION}`}
      >
        <NewOrganizationForm framed={false} />
      </AuthLayout>
    );
  return (
    <Shell person={member}>
      <div className="max-w-md">
        <h1 className="text-xl font-semibold tracking-[-0.02em]">Create an organisation</h1>
        <p className="mt-0.5 mb-6 text-sm text-muted">{DESCRIPTION}</p>
        <NewOrganizationForm framed />
      </div>
    </Shell>
  );
}
