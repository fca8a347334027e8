'use client';

import { CircleDollarSign, CirclePause, CirclePlay, Eye, Mail } from 'lucide-react';
import { useState } from 'react';
import useSWR from 'swr';
import type { TransferPageJson } from '../../../lib/contract/credits';
import type { MadeInvitationJson } from '../../../lib/contract/invitations';
import type { OrganizationJson } from '../../../lib/contract/organizations';
import type { Mode } from '../../../lib/domain/video';
import { NavLink } from '../components/shell/page-transition';
import { StaleError } from '../components/shell/request-error';
import { Button } from '../components/ui/button';
import { buttonClass } from '../components/ui/button-class';
import { Section } from '../components/ui/card';
import { Fact, Facts, Id } from '../components/ui/facts';
import { EmptyState } from '../components/ui/list-states';
import { Money } from '../components/ui/money';
import { grouped } from '../components/ui/numbers';
import { PageHeading } from '../components/ui/page-heading';
import { TimeAgo } from '../components/ui/time-ago';
import { useAsyncAction } from '../components/ui/use-async-action';
import { ask, send } from '../console-api';
import { apiPaths } from '../api-paths';
import { paths } from '../paths';
import { OrganizationStateChip } from './state-chip';
import { TransferTable } from './transfer-table';
import { onDemand } from '../components/ui/on-demand';

// Each dialog loads when it is first opened.
const SuspensionDialog = onDemand(() => import('./suspension-dialog').then((module) => module.SuspensionDialog));
const TransferDialog = onDemand(() => import('./transfer-dialog').then((module) => module.TransferDialog));
const InvitationLinkDialog = onDemand(() =>
  import('../members/invitation-link-dialog').then((module) => module.InvitationLinkDialog),
);

/** One organisation, with the actions of an operator. */
export function OrganizationView({
  mode,
  initial,
  transfers: initialTransfers,
}: {
  readonly mode: Mode;
  readonly initial: OrganizationJson;
  readonly transfers: TransferPageJson;
}) {
  const { id } = initial;
  const organization = useSWR(apiPaths.installedOrganization(id), (path: string) => ask<OrganizationJson>(path), {
    fallbackData: initial,
  });
  const transfers = useSWR(
    apiPaths.transfers({ organization: id, mode, limit: '20' }),
    (path: string) => ask<TransferPageJson>(path),
    { fallbackData: initialTransfers },
  );
  const [opened, setOpened] = useState<'suspension' | 'transfer'>();
  const [made, setMade] = useState<MadeInvitationJson>();
  const invitation = useAsyncAction('The invitation could not be made. Try again.');
  const { name, state, suspended, credits, activity, members, owners } = organization.data;
  const close = () => setOpened(undefined);
  const refresh = () => Promise.all([organization.mutate(), transfers.mutate()]);
  const isErased = state === 'erased';

  return (
    <>
      <PageHeading
        title={name}
        chips={<OrganizationStateChip state={state} />}
        parent={{ title: 'Organisations', path: paths.installation(), here: name }}
        actions={
          <div className="flex flex-wrap gap-2">
            <NavLink href={paths.support(id, mode)} title={`Support: ${name}`} className={buttonClass({})}>
              <Eye size={14} aria-hidden="true" /> Support view
            </NavLink>
            <Button onClick={() => setOpened('transfer')}>
              <CircleDollarSign size={14} aria-hidden="true" /> Transfer credits
            </Button>
            {!isErased && (
              <Button variant={suspended ? 'primary' : 'danger'} onClick={() => setOpened('suspension')}>
                {suspended ? <CirclePlay size={14} aria-hidden="true" /> : <CirclePause size={14} aria-hidden="true" />}
                {suspended ? 'Resume' : 'Suspend'}
              </Button>
            )}
          </div>
        }
        description="What you do here is recorded in the audit log of the organisation, where its owners and admins see it."
      />
      <div className="flex flex-col gap-8">
        <div className="flex flex-col gap-4">
          <StaleError error={organization.error ?? transfers.error} onRetry={() => void refresh()} />
          {owners === 0 && !isErased && (
            <div className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-xl border border-line bg-surface px-4 py-3 text-sm">
              <span className="min-w-0 flex-1 basis-60">
                This organisation has no owner yet. The invitation works once, within 7 days; you can make a new one.
                {invitation.error && (
                  <span role="alert" className="block text-bad">
                    {invitation.error}
                  </span>
                )}
              </span>
              <Button
                size="small"
                busy={invitation.busy}
                onClick={() =>
                  void invitation.run(async () => setMade(await send('POST', apiPaths.inviteOwner(id), {})))
                }
              >
                <Mail size={13} aria-hidden="true" /> Invite an owner
              </Button>
            </div>
          )}
          <Facts>
            <Fact name="Live balance">
              <Money amount={credits.live.available} />
            </Fact>
            <Fact name="Live, held">
              <Money amount={credits.live.held} />
            </Fact>
            <Fact name="Live, 30 days">
              <Money amount={activity.live.charged} /> · {grouped(activity.live.requests)} requests
            </Fact>
            <Fact name="Total spent, live">
              <Money amount={credits.live.spent} />
            </Fact>
            <Fact name="Test balance">
              <Money amount={credits.test.available} />
            </Fact>
            <Fact name="Test, 30 days">
              <Money amount={activity.test.charged} /> · {grouped(activity.test.requests)} requests
            </Fact>
            <Fact name="Last request">{activity.last_day ?? 'None in 30 days'}</Fact>
            <Fact name="Members">{grouped(members)}</Fact>
            <Fact name="Created">
              <TimeAgo at={organization.data.created_at} />
            </Fact>
            {organization.data.suspended_at !== null && (
              <Fact name="Suspended">
                <TimeAgo at={organization.data.suspended_at} />
              </Fact>
            )}
            {organization.data.deletes_at !== null && (
              <Fact name={isErased ? 'Erased' : 'Will be erased'}>
                <TimeAgo at={organization.data.deletes_at} />
              </Fact>
            )}
            <Fact name="Id" wide>
              <Id id={id} label="Copy the id of the organisation" isPages />
            </Fact>
          </Facts>
        </div>
        <Section
          id="transfers"
          title={`Credit transfers, ${mode}`}
          description="Grants, adjustments and refunds of operators, the latest first. The organisation sees them in its ledger."
        >
          {transfers.data.data.length === 0 ? (
            <EmptyState
              icon={CircleDollarSign}
              title={`No transfers of ${mode} credits yet`}
              description="Grant credits when they are paid, and refund a charge that should not have been made."
            />
          ) : (
            <TransferTable transfers={transfers.data.data} />
          )}
        </Section>
      </div>
      {opened === 'suspension' && (
        <SuspensionDialog
          of={organization.data}
          onDone={(changed) => organization.mutate(changed, { revalidate: false })}
          onClose={close}
        />
      )}
      {opened === 'transfer' && <TransferDialog of={organization.data} mode={mode} onDone={refresh} onClose={close} />}
      {made && <InvitationLinkDialog made={made} onClose={() => setMade(undefined)} />}
    </>
  );
}
