'use client';

import { Plus, Send, UserPlus, X } from 'lucide-react';
import { useState } from 'react';
import useSWR from 'swr';
import type { InvitationJson, InvitationListJson, MadeInvitationJson } from '../../../lib/contract/invitations';
import { StaleError } from '../components/shell/request-error';
import { Button } from '../components/ui/button';
import { Card, Section } from '../components/ui/card';
import { Chip } from '../components/ui/chip';
import { EmptyState } from '../components/ui/list-states';
import { Cell, Row, Table } from '../components/ui/table';
import { TimeAgo } from '../components/ui/time-ago';
import { toast } from '../components/ui/toast';
import { ask, send } from '../console-api';
import { apiPaths } from '../api-paths';
import { roleName } from './role-words';
import { onDemand } from '../components/ui/on-demand';

// Each dialog loads when it is first opened.
const InviteDialog = onDemand(() => import('./invite-dialog').then((module) => module.InviteDialog));
const InvitationLinkDialog = onDemand(() =>
  import('./invitation-link-dialog').then((module) => module.InvitationLinkDialog),
);
const ConfirmDialog = onDemand(() => import('../components/ui/confirm-dialog').then((module) => module.ConfirmDialog));

const COLUMNS = [
  { title: 'For' },
  { title: 'Role' },
  { title: 'Invited by' },
  { title: 'Expires' },
  { title: 'Actions', hidden: true, align: 'right' },
] as const;

type Opened =
  | { readonly dialog: 'invite' }
  | { readonly dialog: 'link'; readonly made: MadeInvitationJson }
  | { readonly dialog: 'resend' | 'revoke'; readonly of: InvitationJson };

/** The invitations of the organisation. Without `mayManage` the list is read-only. */
export function InvitationsSection({
  initial,
  orgName,
  mayManage,
  mayMakeOwner,
}: {
  readonly initial: InvitationListJson;
  readonly orgName: string;
  readonly mayManage: boolean;
  readonly mayMakeOwner: boolean;
}) {
  const { data, error, mutate } = useSWR(apiPaths.invitations(), (path: string) => ask<InvitationListJson>(path), {
    fallbackData: initial,
  });
  const [opened, setOpened] = useState<Opened>();
  const close = () => setOpened(undefined);
  const show = async (made: MadeInvitationJson) => {
    setOpened({ dialog: 'link', made });
    await mutate();
  };
  const invite = mayManage && (
    <Button variant="primary" data-new onClick={() => setOpened({ dialog: 'invite' })}>
      <Plus size={15} aria-hidden="true" /> Invite someone
    </Button>
  );

  return (
    <Section id="invitations" title="Invitations" {...(data.data.length > 0 ? { actions: invite } : {})}>
      <div className="flex flex-col gap-4">
        <StaleError error={error} onRetry={() => void mutate()} />
        {data.data.length === 0 ? (
          <EmptyState
            icon={UserPlus}
            title="No pending invitations"
            description="An invitation is a link that works once, within 7 days, also for people without an account."
          >
            {invite}
          </EmptyState>
        ) : (
          <Card>
            <Table label="Invitations" columns={COLUMNS}>
              {data.data.map((invitation) => (
                <Row key={invitation.id}>
                  <Cell full className="font-medium break-all">
                    {invitation.email ?? 'Anyone with the link'}
                  </Cell>
                  <Cell name="Role">{roleName(invitation.role)}</Cell>
                  <Cell name="Invited by" className="break-all">
                    {invitation.invited_by ?? 'An API key'}
                  </Cell>
                  <Cell name="Expires">
                    {invitation.expired ? <Chip tone="warn">Expired</Chip> : <TimeAgo at={invitation.expires_at} />}
                  </Cell>
                  <Cell full align="right" className="whitespace-nowrap">
                    {mayManage && (
                      <span className="inline-flex gap-1">
                        {(mayMakeOwner || invitation.role !== 'owner') && (
                          <Button
                            size="small"
                            aria-label={`New link for ${invitation.email ?? 'the invitation'}`}
                            onClick={() => setOpened({ dialog: 'resend', of: invitation })}
                          >
                            <Send size={13} aria-hidden="true" /> New link
                          </Button>
                        )}
                        <Button
                          size="small"
                          variant="quiet"
                          aria-label={`Withdraw the invitation for ${invitation.email ?? 'anyone with the link'}`}
                          onClick={() => setOpened({ dialog: 'revoke', of: invitation })}
                        >
                          <X size={13} aria-hidden="true" /> Withdraw
                        </Button>
                      </span>
                    )}
                  </Cell>
                </Row>
              ))}
            </Table>
          </Card>
        )}
      </div>
      {opened?.dialog === 'invite' && (
        <InviteDialog orgName={orgName} canMail={data.mail} mayMakeOwner={mayMakeOwner} onMade={show} onClose={close} />
      )}
      {opened?.dialog === 'link' && <InvitationLinkDialog made={opened.made} onClose={close} />}
      {opened?.dialog === 'resend' && (
        <ConfirmDialog
          title="Make a new link?"
          confirmLabel="Make a new link"
          variant="primary"
          fallbackError="The link could not be made. Try again."
          onConfirm={async () => show(await send('POST', apiPaths.resendInvitation(opened.of.id)))}
          onClose={close}
        >
          <p className="text-sm">
            The previous link stops working. The new one works once, within 7 days
            {data.mail && opened.of.email !== null ? `, and is sent to ${opened.of.email}` : ''}.
          </p>
        </ConfirmDialog>
      )}
      {opened?.dialog === 'revoke' && (
        <ConfirmDialog
          title="Withdraw this invitation?"
          confirmLabel="Withdraw"
          cancelLabel="Keep it"
          fallbackError="The invitation could not be withdrawn. Try again."
          onConfirm={async () => {
            await send('DELETE', apiPaths.invitation(opened.of.id));
            await mutate();
            toast('The invitation is withdrawn.');
            close();
          }}
          onClose={close}
        >
          <p className="text-sm">The link of {opened.of.email ?? 'this invitation'} stops working at once.</p>
        </ConfirmDialog>
      )}
    </Section>
  );
}
