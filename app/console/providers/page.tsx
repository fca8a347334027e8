import { CircleCheck, CircleSlash } from 'lucide-react';
import type { Metadata } from 'next';
import type { ProviderListJson } from '../../../lib/contract/providers';
import type { Actor } from '../../../lib/domain/caller';
import { may } from '../../../lib/domain/roles';
import { gateway } from '../../../lib/runtime';
import { requirePerson } from '../components/auth/current-person';
import { readQuietly } from '../components/shell/read-quietly';
import { Shell } from '../components/shell/shell';
import { Card, Section } from '../components/ui/card';
import { Chip } from '../components/ui/chip';
import { NowProvider } from '../components/ui/now';
import { Cell, Row, Table } from '../components/ui/table';
import { paths } from '../paths';
import { OwnAccounts } from './own-accounts';
import { PageHeading } from '../components/ui/page-heading';

export const metadata: Metadata = { title: 'Providers' };

type Provider = ProviderListJson['data'][number];

const COLUMNS = [
  { title: 'Provider' },
  { title: 'State' },
  { title: 'Live models', align: 'right' },
  { title: 'Missing' },
] as const;

const capabilityWords: Readonly<Record<Provider['capabilities'][number], string>> = {
  video: 'Videos',
  messages: 'Messages',
  stt: 'Speech to text',
  tts: 'Text to speech',
};

export default async function ProvidersPage() {
  const person = await requirePerson(paths.providers());
  const { credentials, clock } = gateway();
  const actor: Actor = { orgId: person.orgId, role: person.role, userId: person.userId };
  const initial = await readQuietly(() => credentials.list(actor));
  const mayManage = may(person.role, 'ownAccounts');
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
        <Table label="Providers" columns={COLUMNS}>
          {gateway()
            .operator.providers.list()
            .data.map((provider) => (
              <ProviderRow key={provider.id} provider={provider} />
            ))}
        </Table>
      </Card>
    </Section>
  );
}

function ProviderRow({ provider }: { readonly provider: Provider }) {
  const { id, name, capabilities, offered, models, reason } = provider;
  return (
    <Row>
      <Cell full>
        <span className="block font-medium">{name}</span>
        <span className="block text-xs text-muted">
          <span className="font-mono">{id}</span> · {capabilities.map((each) => capabilityWords[each]).join(', ')}
        </span>
      </Cell>
      <Cell name="State">
        {offered ? (
          <Chip tone="good" icon={CircleCheck}>
            Offered
          </Chip>
        ) : (
          <Chip tone="neutral" icon={CircleSlash}>
            Not offered
          </Chip>
        )}
      </Cell>
      <Cell name="Live models" align="right" className="tabular-nums">
        {models}
      </Cell>
      <Cell name="Missing" full className="text-xs text-muted">
        {reason ?? '–'}
      </Cell>
    </Row>
  );
}
