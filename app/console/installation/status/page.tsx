import type { Metadata } from 'next';
import { gateway } from '../../../../lib/runtime';
import { requireOperator } from '../../components/auth/current-person';
import { readQuietly } from '../../components/shell/read-quietly';
import { Shell } from '../../components/shell/shell';
import { NowProvider } from '../../components/ui/now';
import { paths } from '../../paths';
import { StatusView } from '../status-view';

export const metadata: Metadata = { title: 'Status of the installation' };

export default async function InstallationStatusPage() {
  const person = await requireOperator(paths.installationStatus());
  const { clock, operator } = gateway();
  const initial = await readQuietly(() => operator.status());
  return (
    <Shell person={person}>
      <NowProvider startMs={clock.nowMs()}>
        <StatusView initial={initial} />
      </NowProvider>
    </Shell>
  );
}
