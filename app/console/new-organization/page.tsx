import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { AuthLayout } from '../components/auth/auth-layout';
import { currentMember, currentPerson } from '../components/auth/current-person';
import { Shell } from '../components/shell/shell';
import { paths } from '../paths';
import { NewOrganizationForm } from './new-organization-form';
import { PageHeading } from '../components/ui/page-heading';

export const metadata: Metadata = { title: 'Create an organisation' };

const DESCRIPTION = 'It has its own members, keys, credits and usage, and begins with $1,000 of test credits.';

export default async function NewOrganizationPage() {
  const person = await currentPerson();
  if (!person) redirect(paths.signIn(paths.newOrganization()));
  const member = await currentMember();
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
        <PageHeading title="Create an organisation" description={DESCRIPTION} />
        <NewOrganizationForm framed />
      </div>
    </Shell>
  );
}
