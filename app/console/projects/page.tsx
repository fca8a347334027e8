import type { Metadata } from 'next';
import { mayChange } from '../../../lib/domain/roles';
import { gateway } from '../../../lib/runtime';
import { requirePerson } from '../components/auth/current-person';
import { currentMode } from '../components/shell/current-mode';
import { readQuietly } from '../components/shell/read-quietly';
import { Shell } from '../components/shell/shell';
import { NowProvider } from '../components/ui/now';
import { paths, withQuery } from '../paths';
import { ProjectsView } from './projects-view';

export const metadata: Metadata = { title: 'Projects' };

export default async function ProjectsPage({
  searchParams,
}: {
  readonly searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  const query = await searchParams;
  const person = await requirePerson(withQuery(paths.projects(), query));
  const mode = await currentMode(query.mode);
  const { projects, clock } = gateway();
  const initial = await readQuietly(() => projects.list({ orgId: person.orgId, mode }));
  return (
    <Shell person={person}>
      <NowProvider startMs={clock.nowMs()}>
        <ProjectsView key={mode} mode={mode} initial={initial} mayEdit={mayChange(person, 'policies')} />
      </NowProvider>
    </Shell>
  );
}
