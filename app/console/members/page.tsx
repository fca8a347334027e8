import type { Metadata } from 'next';
import { may } from '../../../lib/domain/roles';
import { gateway } from '../../../lib/runtime';
import { requirePerson } from '../components/auth/current-person';
import { readQuietly } from '../components/shell/read-quietly';
import { Shell } from '../components/shell/shell';
import { NowProvider } from '../components/ui/now';
import { paths } from '../paths';
import { MembersView } from './members-view';

export const metadata: Metadata = { title: 'Members' };

export default async function MembersPage() {
  const person = await requirePerson(paths.members());
  const { clock, invitations, members } = gateway();
  const [initial, invited] = await Promise.all([
    readQuietly(() => members.list(person)),
    may(person.role, 'members') ? readQuietly(() => invitations.list(person)) : undefined,
  ]);
  return (
    <Shell person={person}>
      <NowProvider startMs={clock.nowMs()}>
        <MembersView
          initial={initial}
          invitations={invited}
          me={person.userId}
          role={person.role}
          orgName={person.orgName}
        />
      </NowProvider>
    </Shell>
  );
}
