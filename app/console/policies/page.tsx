import type { Metadata } from 'next';
import type { Actor } from '../../../lib/domain/caller';
import { mayChange } from '../../../lib/domain/roles';
import { gateway } from '../../../lib/runtime';
import { requirePerson } from '../components/auth/current-person';
import { currentMode } from '../components/shell/current-mode';
import { readQuietly } from '../components/shell/read-quietly';
import { Shell } from '../components/shell/shell';
import { paths, withQuery } from '../paths';
import { PoliciesView } from './policies-view';

export const metadata: Metadata = { title: 'Policies' };

export default async function PoliciesPage({
  searchParams,
}: {
  readonly searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  const query = await searchParams;
  const person = await requirePerson(withQuery(paths.policies(), query));
  const mode = await currentMode(query.mode);
  const { accounts, catalog, policies, projects } = gateway();
  const actor: Actor = { orgId: person.orgId, role: person.role, userId: person.userId };
  const [policy, groups, keys] = await readQuietly(() =>
    Promise.all([policies.find(actor), projects.list({ orgId: person.orgId, mode }), accounts.listKeys(actor)]),
  );
  return (
    <Shell person={person}>
      <PoliciesView
        key={mode}
        mode={mode}
        initial={policy}
        projects={groups}
        keys={keys.filter((key) => key.mode === mode && key.status !== 'revoked')}
        models={catalog()
          .list()
          .map(({ id, capability }) => ({ id, capability }))}
        mayEdit={mayChange(person, 'policies')}
      />
    </Shell>
  );
}
