import type { Metadata } from 'next';
import { gateway } from '../../../lib/runtime';
import { requirePerson } from '../components/auth/current-person';
import { readQuietly } from '../components/shell/read-quietly';
import { Shell } from '../components/shell/shell';
import { NowProvider } from '../components/ui/now';
import { paths } from '../paths';
import { SettingsView } from './settings-view';

export const metadata: Metadata = { title: 'Settings' };

export default async function SettingsPage() {
  const person = await requirePerson(paths.settings());
  const { clock, config, organizationSettings } = gateway();
  const initial = await readQuietly(() => organizationSettings.read(person));
  return (
    <Shell person={person}>
      <NowProvider startMs={clock.nowMs()}>
        <SettingsView initial={initial} role={person.role} retention={config.retention} />
      </NowProvider>
    </Shell>
  );
}
