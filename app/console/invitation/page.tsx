import type { Metadata } from 'next';
import { AuthLayout } from '../components/auth/auth-layout';
import { currentMember, currentPerson } from '../components/auth/current-person';
import { Shell } from '../components/shell/shell';
import { InvitationView } from './invitation-view';
import { PageHeading } from '../components/ui/page-heading';

export const metadata: Metadata = { title: 'Invitation' };

const DESCRIPTION = 'Join an organisation on Patchbay.';

/** The target of invitation links, for people who are signed in, for those who are not, and for new ones. */
export default async function InvitationPage() {
  const [person, member] = [await currentPerson(), await currentMember()];
  if (!member)
    return (
      <AuthLayout title="Invitation" description={DESCRIPTION}>
        <InvitationView email={person?.email} />
      </AuthLayout>
    );
  return (
    <Shell person={member}>
      <div className="max-w-md">
        <PageHeading title="Invitation" description={DESCRIPTION} />
        <InvitationView email={member.email} />
      </div>
    </Shell>
  );
}
