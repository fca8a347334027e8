import type { Metadata } from 'next';
import type { Actor } from '../../../../lib/domain/caller';
import { utcDay } from '../../../../lib/domain/clock';
import { isId } from '../../../../lib/domain/ids';
import { mayChange } from '../../../../lib/domain/roles';
import { gateway } from '../../../../lib/runtime';
import { requirePerson } from '../../components/auth/current-person';
import { currentMode } from '../../components/shell/current-mode';
import { readOrNotFound } from '../../components/shell/read-or-not-found';
import { readQuietly } from '../../components/shell/read-quietly';
import { Shell } from '../../components/shell/shell';
import { NowProvider } from '../../components/ui/now';
import { paths, withQuery } from '../../paths';
import { ProjectView } from '../project-view';

export const metadata: Metadata = { title: 'Project' };

const DAY_MS = 86_400_000;
const SHOWN_DAYS = 30;

export default async function ProjectPage({
  params,
  searchParams,
}: {
  readonly params: Promise<{ readonly id: string }>;
  readonly searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  const { id } = await params;
  const query = await searchParams;
  const person = await requirePerson(withQuery(paths.project(id), query));
  const mode = await currentMode(query.mode);
  const { accounts, projects, usage, clock } = gateway();
  const account = { orgId: person.orgId, mode };
  const actor: Actor = { orgId: person.orgId, role: person.role, userId: person.userId };
  const project = await readOrNotFound('project_not_found', () => projects.find(account, id));
  const today = utcDay(clock.nowMs());
  const [keys, spending] = await readQuietly(() =>
    Promise.all([
      accounts.listKeys(actor),
      usage.reports.read(account, {
        days: { from: utcDay(clock.nowMs() - (SHOWN_DAYS - 1) * DAY_MS), to: today },
        by: 'key',
        interval: 'day',
        filter: { project: isId('project', id) ? id : undefined },
      }),
    ]),
  );

  return (
    <Shell person={person}>
      <NowProvider startMs={clock.nowMs()}>
        <ProjectView
          key={`${id} ${mode}`}
          mode={mode}
          initial={project}
          keys={keys.filter((key) => key.project?.id === id && key.mode === mode && key.status !== 'revoked')}
          spending={spending}
          today={today}
          me={person.userId}
          mayEdit={mayChange(person, 'policies')}
          mayCreateKeys={mayChange(person, 'edit')}
        />
      </NowProvider>
    </Shell>
  );
}
