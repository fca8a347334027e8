import type { Metadata } from 'next';
import { gateway } from '../../../../lib/runtime';
import { requireOperator } from '../../components/auth/current-person';
import { Shell } from '../../components/shell/shell';
import { paths } from '../../paths';
import { ProvidersView } from '../providers-view';

export const metadata: Metadata = { title: 'Providers of the installation' };

export default async function InstalledProvidersPage() {
  const person = await requireOperator(paths.installedProviders());
  return (
    <Shell person={person} wide>
      <ProvidersView providers={gateway().operator.providers.list().data} />
    </Shell>
  );
}
