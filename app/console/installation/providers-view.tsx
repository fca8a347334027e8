'use client';

import { CircleAlert, CircleCheck, CircleHelp } from 'lucide-react';
import { useState } from 'react';
import type { VerificationJson, VerificationListJson } from '../../../lib/contract/providers';
import { capabilityWords, PROVIDER_COLUMNS, ProviderRow, type Provider } from '../components/provider/provider-row';
import { Button } from '../components/ui/button';
import { Card } from '../components/ui/card';
import { Chip } from '../components/ui/chip';
import { PageHeading } from '../components/ui/page-heading';
import { Cell, Table } from '../components/ui/table';
import { useAsyncAction } from '../components/ui/use-async-action';
import { send } from '../console-api';
import { apiPaths } from '../api-paths';
import { InstallationNav } from './installation-nav';

const COLUMNS = [...PROVIDER_COLUMNS, { title: 'Credentials' }] as const;

/** The providers of the installation, with a button to verify the credentials of each. */
export function ProvidersView({ providers }: { readonly providers: readonly Provider[] }) {
  const offered = providers.filter((provider) => provider.offered);
  return (
    <>
      <PageHeading
        title="Providers"
        description={`${offered.length} of ${providers.length} are offered. A provider is offered when its variables are set; a change needs a restart.`}
        nav={<InstallationNav />}
      />
      <Card>
        <Table label="Providers" columns={COLUMNS}>
          {[...offered, ...providers.filter((provider) => !provider.offered)].map((provider) => (
            <ProviderRow key={provider.id} of={provider}>
              <Cell name="Credentials" full>
                {provider.offered ? <Verification of={provider} /> : <span className="text-muted">–</span>}
              </Cell>
            </ProviderRow>
          ))}
        </Table>
      </Card>
    </>
  );
}

const OUTCOMES = {
  accepted: { tone: 'good', icon: CircleCheck, word: 'Accepted' },
  refused: { tone: 'bad', icon: CircleAlert, word: 'Refused' },
  unknown: { tone: 'neutral', icon: CircleHelp, word: 'Unknown' },
} as const;

/** Verifies with the provider that it accepts the credentials, by the cheapest request that needs them. */
function Verification({ of: { id, name } }: { readonly of: Provider }) {
  const [said, setSaid] = useState<readonly VerificationJson[]>();
  const { busy, error, run } = useAsyncAction('The provider could not be verified. Try again.');

  async function verify() {
    setSaid(undefined);
    const { data } = await send<VerificationListJson>('POST', apiPaths.verifyProviders(), { provider: id });
    setSaid(data);
  }

  return (
    <div className="flex flex-col items-start gap-1.5">
      <Button size="small" busy={busy} aria-label={`Verify ${name}`} onClick={() => void run(verify)}>
        Verify
      </Button>
      <output className="flex flex-col gap-1.5 empty:hidden">
        {said?.map(({ capability, outcome, message }) => {
          const { tone, icon, word } = OUTCOMES[outcome];
          return (
            <span key={capability} className="block max-w-xs text-xs text-muted">
              <Chip tone={tone} icon={icon}>
                {capabilityWords[capability]}: {word.toLowerCase()}
              </Chip>
              <span className="mt-0.5 block">{message}</span>
            </span>
          );
        })}
      </output>
      {error && (
        <span role="alert" className="text-xs text-bad">
          {error}
        </span>
      )}
    </div>
  );
}
