import type { Metadata } from 'next';
import type { Actor } from '../../../lib/domain/caller';
import { may, mayChange } from '../../../lib/domain/roles';
import { gateway } from '../../../lib/runtime';
import { requirePerson } from '../components/auth/current-person';
import { PROVIDER_COLUMNS, ProviderRow } from '../components/provider/provider-row';
import { readQuietly } from '../components/shell/read-quietly';
import { Shell } from '../components/shell/shell';
import { Card, Section } from '../components/ui/card';
import { NowProvider } from '../components/ui/now';
import { Table } from '../components/ui/table';
import { paths } from '../paths';
import { OwnAccounts } from './own-accounts';
import { PageHeading } from '../components/ui/page-heading';

export const metadata: Metadata = { title: 'Providers' };

export default async function ProvidersPage() {
  const person = await requirePerson(paths.providers());
  const { credentials, clock } = gateway();
  const actor: Actor = { orgId: person.orgId, role: person.role, userId: person.userId };
  const initial = await readQuietly(() => credentials.list(actor));
  const mayManage = mayChange(person, 'ownAccounts');
  return (
    <Shell person={person} wide>
      <PageHeading title="Providers" />
      <div className="flex flex-col gap-10">
        <NowProvider startMs={clock.nowMs()}>
          <OwnAccounts initial={initial} mayManage={mayManage} />
        </NowProvider>
        {may(person.role, 'providers') && <InstalledProviders />}
      </div>
    </Shell>
  );
}

function InstalledProviders() {
  return (
    <Section
      id="installed"
      title="Providers of this installation"
      description="A provider is offered when its variables are set; a change needs a restart. The command “npm run providers -- verify” also asks the offered ones whether they accept their credentials."
    >
      <Card>
        <Table label="Providers" columns={PROVIDER_COLUMNS}>
          {gateway()
            .operator.providers.list()
            .data.map((provider) => (
              <ProviderRow key={provider.id} of={provider} />
            ))}
        </Table>
      </Card>
    </Section>
  );
}
