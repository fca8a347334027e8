import type { Metadata } from 'next';
import { gateway } from '../../../../../lib/runtime';
import { requireOperator } from '../../../components/auth/current-person';
import { currentMode } from '../../../components/shell/current-mode';
import { readOrNotFound } from '../../../components/shell/read-or-not-found';
import { readQuietly } from '../../../components/shell/read-quietly';
import { Shell } from '../../../components/shell/shell';
import { NowProvider } from '../../../components/ui/now';
import { paths, withQuery } from '../../../paths';
import { OrganizationView } from '../../organization-view';

export const metadata: Metadata = { title: 'Organisation' };

const SHOWN_TRANSFERS = 20;

export default async function InstalledOrganizationPage({
  params,
  searchParams,
}: {
  readonly params: Promise<{ readonly id: string }>;
  readonly searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  const { id } = await params;
  const query = await searchParams;
  const person = await requireOperator(withQuery(paths.installedOrganization(id), query));
  const mode = await currentMode(query.mode);
  const { clock, operator } = gateway();
  const organization = await readOrNotFound('organization_not_found', () => operator.readOrganization(id));
  const transfers = await readQuietly(() => operator.listTransfers({ organization: id, mode, limit: SHOWN_TRANSFERS }));

  return (
    <Shell person={person}>
      <NowProvider startMs={clock.nowMs()}>
        <OrganizationView key={`${id} ${mode}`} mode={mode} initial={organization} transfers={transfers} />
      </NowProvider>
    </Shell>
  );
}
