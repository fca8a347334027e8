'use client';

import { CircleAlert, CircleCheck, CircleHelp, Plus, Wallet } from 'lucide-react';
import Link from 'next/link';
import { useState } from 'react';
import useSWR, { useSWRConfig } from 'swr';
import type { ProviderCredentialJson, ProviderCredentialListJson } from '../../../lib/contract/provider-credentials';
import { StaleError } from '../components/shell/request-error';
import { Button } from '../components/ui/button';
import { Card, Section } from '../components/ui/card';
import { Chip } from '../components/ui/chip';
import { linkClass } from '../components/ui/link-class';
import { EmptyState } from '../components/ui/list-states';
import { Cell, Row, Table } from '../components/ui/table';
import { TimeAgo } from '../components/ui/time-ago';
import { toast } from '../components/ui/toast';
import { useAsyncAction } from '../components/ui/use-async-action';
import { ask, send } from '../console-api';
import { apiPaths } from '../api-paths';
import { paths } from '../paths';
import { onDemand } from '../components/ui/on-demand';

const RemoveAccountDialog = onDemand(() =>
  import('./remove-account-dialog').then((module) => module.RemoveAccountDialog),
);
const StoreAccountDialog = onDemand(() => import('./store-account-dialog').then((module) => module.StoreAccountDialog));

const COLUMNS = [
  { title: 'Provider' },
  { title: 'Key' },
  { title: 'Models', align: 'right' },
  { title: 'State' },
  { title: 'Actions', hidden: true, align: 'right' },
] as const;

type Opened =
  | { readonly dialog: 'store'; readonly provider?: string }
  | { readonly dialog: 'remove'; readonly of: ProviderCredentialJson };

/** The organisation's own accounts at providers. Without `mayManage` the list is read-only. */
export function OwnAccounts({
  initial,
  mayManage,
}: {
  readonly initial: ProviderCredentialListJson;
  readonly mayManage: boolean;
}) {
  const { data, error, mutate } = useSWR<ProviderCredentialListJson, unknown>(
    apiPaths.providerCredentials(),
    (path: string) => ask(path),
    { fallbackData: initial },
  );
  const [opened, setOpened] = useState<Opened>();
  const { data: credentials, providers } = data ?? initial;
  const close = () => setOpened(undefined);
  const add = (
    <Button variant="primary" onClick={() => setOpened({ dialog: 'store' })}>
      <Plus size={15} aria-hidden="true" /> Add an account
    </Button>
  );

  return (
    <Section
      id="own-accounts"
      title="Accounts of your organisation"
      description="Live requests that one of these can serve go only there: the provider bills you, and they cost no credits."
      actions={mayManage && credentials.length > 0 && add}
    >
      <div className="flex flex-col gap-4">
        <StaleError error={error} onRetry={() => void mutate()} />
        {credentials.length === 0 ? (
          <EmptyState
            icon={Wallet}
            title="No accounts of your own"
            description="With a key of your own account at a provider, its models are available to your organisation only."
          >
            {mayManage && add}
          </EmptyState>
        ) : (
          <Card>
            <Table label="Accounts of your organisation" columns={COLUMNS}>
              {credentials.map((credential) => (
                <AccountRow
                  key={credential.id}
                  of={credential}
                  {...(mayManage && {
                    onReplace: () => setOpened({ dialog: 'store', provider: credential.provider }),
                    onRemove: () => setOpened({ dialog: 'remove', of: credential }),
                  })}
                />
              ))}
            </Table>
          </Card>
        )}
      </div>
      {opened?.dialog === 'store' && (
        <StoreAccountDialog
          providers={providers}
          {...(opened.provider !== undefined && { provider: opened.provider })}
          onClose={close}
        />
      )}
      {opened?.dialog === 'remove' && <RemoveAccountDialog of={opened.of} onClose={close} />}
    </Section>
  );
}

const STATUS = {
  accepted: { tone: 'good', icon: CircleCheck, word: 'Accepted' },
  refused: { tone: 'bad', icon: CircleAlert, word: 'Refused' },
  unknown: { tone: 'neutral', icon: CircleHelp, word: 'Not verified' },
} as const;

function AccountRow({
  of: credential,
  onReplace,
  onRemove,
}: {
  readonly of: ProviderCredentialJson;
  onReplace?(): void;
  onRemove?(): void;
}) {
  const { tone, icon, word } = STATUS[credential.status];
  return (
    <Row>
      <Cell full>
        <span className="block font-medium">{credential.provider_name}</span>
        <span className="block text-xs text-muted">
          Added <TimeAgo at={credential.created_at} />
          {credential.created_by_name !== null && ` by ${credential.created_by_name}`}
        </span>
      </Cell>
      <Cell name="Key">
        <code className="font-mono text-xs">{credential.display}</code>
      </Cell>
      <Cell name="Models" align="right" className="tabular-nums">
        <Link
          href={paths.models({ provider: credential.provider })}
          prefetch={false}
          className={linkClass}
          title={`The models that this account serves: ${credential.models.join(', ')}`}
        >
          {credential.models.length}
        </Link>
      </Cell>
      <Cell name="State" full>
        <Chip tone={tone} icon={icon}>
          {word}
        </Chip>{' '}
        {credential.verified_at !== null && credential.refused_since === null && (
          <span className="text-xs text-muted">
            verified <TimeAgo at={credential.verified_at} />
          </span>
        )}
        {credential.last_error !== null && <LastError of={credential} error={credential.last_error} />}
      </Cell>
      {onReplace && onRemove && (
        <Cell full align="right">
          <span className="inline-flex flex-wrap gap-1.5">
            <VerifyButton of={credential} />
            <Button size="small" variant="quiet" onClick={onReplace}>
              Replace
            </Button>
            <Button size="small" variant="quiet" onClick={onRemove}>
              Remove
            </Button>
          </span>
        </Cell>
      )}
    </Row>
  );
}

/** Shows the last refusal, even if the provider has accepted the account again since. */
function LastError({
  of: { refused_since: refusedSince },
  error: { at, message },
}: {
  readonly of: ProviderCredentialJson;
  readonly error: NonNullable<ProviderCredentialJson['last_error']>;
}) {
  return (
    <span className="mt-1 block max-w-xs text-xs text-muted">
      {refusedSince === null ? (
        <>
          Last refused <TimeAgo at={at} />, accepted again since.
        </>
      ) : (
        <>
          First refused <TimeAgo at={refusedSince} />, last <TimeAgo at={at} />. {message}
        </>
      )}
    </span>
  );
}

function VerifyButton({ of: { id, provider_name: name } }: { readonly of: ProviderCredentialJson }) {
  const { mutate } = useSWRConfig();
  const { busy, error, run } = useAsyncAction('The account could not be verified. Try again.');

  async function verify() {
    const { status } = await send<ProviderCredentialJson>('POST', apiPaths.verifyProviderCredential(id));
    await mutate(apiPaths.providerCredentials());
    if (status === 'accepted') toast(`${name} accepted the account.`);
    else if (status === 'refused') toast(`${name} refused the account. Replace its key.`);
    else toast(`${name} could not confirm or refuse the account. Try again later.`);
  }

  return (
    <>
      <Button size="small" variant="quiet" busy={busy} onClick={() => void run(verify)}>
        Verify
      </Button>
      {error && (
        <span role="alert" className="text-xs text-bad">
          {error}
        </span>
      )}
    </>
  );
}
