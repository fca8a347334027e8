import type { Metadata } from 'next';
import { mayChange } from '../../../../lib/domain/roles';
import { gateway } from '../../../../lib/runtime';
import { requirePerson } from '../../components/auth/current-person';
import { currentMode } from '../../components/shell/current-mode';
import { readQuietly } from '../../components/shell/read-quietly';
import { Shell } from '../../components/shell/shell';
import { NowProvider } from '../../components/ui/now';
import { paths, withQuery } from '../../paths';
import { AlertsView } from './alerts-view';

export const metadata: Metadata = { title: 'Alerts' };

export default async function AlertsPage({
  searchParams,
}: {
  readonly searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  const query = await searchParams;
  const person = await requirePerson(withQuery(paths.alerts(), query));
  const mode = await currentMode(query.mode);
  const { alerts, clock } = gateway();
  const initial = await readQuietly(() => alerts.list({ orgId: person.orgId, mode }));
  return (
    <Shell person={person}>
      <NowProvider startMs={clock.nowMs()}>
        <AlertsView key={mode} mode={mode} initial={initial} mayManage={mayChange(person, 'alerts')} />
      </NowProvider>
    </Shell>
  );
}
