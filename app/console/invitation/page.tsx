import type { Metadata } from 'next';
import { AuthLayout } from '../components/auth/auth-layout';
import { visitor } from '../components/auth/current-person';
import { InvitationView } from './invitation-view';

export const metadata: Metadata = { title: 'Invitation' };

/** The target of invitation links, for people who are signed in, for those who are not, and for new ones. */
export default async function InvitationPage() {
  const person = await visitor();
  return (
    <AuthLayout title="Invitation" description="Join an organisation on Patchbay.">
      <InvitationView email={person?.email} />
    </AuthLayout>
  );
}
