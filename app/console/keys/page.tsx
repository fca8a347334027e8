import type { Metadata } from 'next';
import type { Actor } from '../../../lib/domain/caller';
import { mayChange } from '../../../lib/domain/roles';
import { gateway } from '../../../lib/runtime';
import { requirePerson } from '../components/auth/current-person';
import { KeysView } from './keys-view';
import { currentMode } from '../components/shell/current-mode';
import { readQuietly } from '../components/shell/read-quietly';
import { Shell } from '../components/shell/shell';
import { NowProvider } from '../components/ui/now';
import { paths, withQuery } from '../paths';

export const metadata: Metadata = { title: 'API keys' };

export default async function KeysPage({
  searchParams,
}: {
  readonly searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  const query = await searchParams;
  const person = await requirePerson(withQuery(paths.keys(), query));
  const mode = await currentMode(query.mode);
  const { accounts, baseUrl, clock } = gateway();
  const actor: Actor = { orgId: person.orgId, role: person.role, userId: person.userId };
  const keys = await readQuietly(() => accounts.listKeys(actor));

  return (
    <Shell person={person}>
      <NowProvider startMs={clock.nowMs()}>
        <KeysView
          key={mode}
          keys={keys}
          me={person.userId}
          mode={mode}
          baseUrl={baseUrl}
          mayEdit={mayChange(person, 'edit')}
          mayManage={mayChange(person, 'manageKeys')}
        />
      </NowProvider>
    </Shell>
  );
}
