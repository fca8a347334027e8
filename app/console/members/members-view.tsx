'use client';

import { Crown, Ellipsis, LogOut, ShieldCheck, UserMinus } from 'lucide-react';
import { useState } from 'react';
import useSWR from 'swr';
import type { InvitationListJson } from '../../../lib/contract/invitations';
import type { MemberJson, MemberListJson } from '../../../lib/contract/members';
import type { Role } from '../../../lib/domain/caller';
import { useMayChange } from '../components/shell/organization';
import { StaleError } from '../components/shell/request-error';
import { buttonClass } from '../components/ui/button-class';
import { Button } from '../components/ui/button';
import { Card } from '../components/ui/card';
import { Chip } from '../components/ui/chip';
import { Menu } from '../components/ui/menu';
import { Cell, Row, Table } from '../components/ui/table';
import { TimeAgo } from '../components/ui/time-ago';
import { ask } from '../console-api';
import { apiPaths } from '../api-paths';
import { InvitationsSection } from './invitations-section';
import { OrganizationNav } from './organization-nav';
import { ROLE_WORDS, roleName } from './role-words';
import { PageHeading } from '../components/ui/page-heading';
import { onDemand } from '../components/ui/on-demand';

// Each dialog loads when it is first opened.
const RoleDialog = onDemand(() => import('./role-dialog').then((module) => module.RoleDialog));
const MemberDialog = onDemand(() => import('./member-dialog').then((module) => module.MemberDialog));

const COLUMNS = [
  { title: 'Member' },
  { title: 'Role' },
  { title: 'Joined' },
  { title: 'Last seen' },
  { title: 'Actions', hidden: true, align: 'right' },
] as const;

export interface MembersViewProps {
  readonly initial: MemberListJson;
  /** Undefined if the user may not manage invitations. */
  readonly invitations: InvitationListJson | undefined;
  /** The id of the signed-in user. */
  readonly me: string;
  readonly role: Role;
  readonly orgName: string;
}

type Opened = { readonly dialog: 'role' | 'remove' | 'transfer' | 'leave'; readonly of: MemberJson };

/** The members of the organisation, and what the user may change about them. */
export function MembersView({ initial, invitations, me, role, orgName }: MembersViewProps) {
  const { data, error, mutate } = useSWR(apiPaths.members(), (path: string) => ask<MemberListJson>(path), {
    fallbackData: initial,
  });
  const mayChange = useMayChange();
  const [opened, setOpened] = useState<Opened>();
  const own = data.data.find(({ id }) => id === me);
  const isOnlyOwner = role === 'owner' && !data.data.some((each) => each.role === 'owner' && each.id !== me);
  const close = () => setOpened(undefined);

  return (
    <>
      <PageHeading
        title="Members"
        description={<>The members of {orgName}, and what their roles allow.</>}
        nav={<OrganizationNav role={role} />}
      />

      <div className="flex flex-col gap-8">
        <div className="flex flex-col gap-4">
          <StaleError error={error} onRetry={() => void mutate()} />
          <Card>
            <Table label="Members" columns={COLUMNS}>
              {data.data.map((member) => (
                <MemberRow
                  key={member.id}
                  of={member}
                  isMe={member.id === me}
                  mayManage={mayChange(member.role === 'owner' ? 'owners' : 'members')}
                  mayTransfer={mayChange('owners') && member.id !== me}
                  onOpen={(dialog) => setOpened({ dialog, of: member })}
                />
              ))}
            </Table>
          </Card>
        </div>
        {invitations && (
          <InvitationsSection
            initial={invitations}
            orgName={orgName}
            mayManage={mayChange('members')}
            mayMakeOwner={mayChange('owners')}
          />
        )}
        <section aria-labelledby="roles">
          <h2 id="roles" className="mb-3 text-lg font-semibold tracking-[-0.01em]">
            Roles
          </h2>
          <dl className="grid gap-3 text-sm sm:grid-cols-2">
            {ROLE_WORDS.map(({ role: each, name, description }) => (
              <div key={each}>
                <dt className="font-medium">{name}</dt>
                <dd className="text-muted">{description}</dd>
              </div>
            ))}
          </dl>
        </section>
        {own && (
          <section aria-labelledby="leave">
            <h2 id="leave" className="mb-1 text-lg font-semibold tracking-[-0.01em]">
              Leave
            </h2>
            {isOnlyOwner ? (
              <p className="text-sm text-muted">
                You are the only owner, so you cannot leave. Make another member an owner first.
              </p>
            ) : (
              <>
                <p className="mb-3 max-w-2xl text-sm text-muted">
                  You lose access to {orgName}. Keys that you created stay, but can no longer manage the organisation.
                </p>
                <Button onClick={() => setOpened({ dialog: 'leave', of: own })}>
                  <LogOut size={14} aria-hidden="true" /> Leave organisation
                </Button>
              </>
            )}
          </section>
        )}
      </div>
      {opened?.dialog === 'role' && (
        <RoleDialog of={opened.of} mayMakeOwner={mayChange('owners')} onSaved={() => mutate()} onClose={close} />
      )}
      {opened !== undefined && opened.dialog !== 'role' && (
        <MemberDialog dialog={opened.dialog} of={opened.of} orgName={orgName} onDone={() => mutate()} onClose={close} />
      )}
    </>
  );
}

function MemberRow({
  of: member,
  isMe,
  mayManage,
  mayTransfer,
  onOpen,
}: {
  readonly of: MemberJson;
  readonly isMe: boolean;
  readonly mayManage: boolean;
  readonly mayTransfer: boolean;
  onOpen(dialog: 'role' | 'remove' | 'transfer'): void;
}) {
  const items = [
    ...(mayManage ? [{ label: 'Change role…', icon: ShieldCheck, onSelect: () => onOpen('role') }] : []),
    ...(mayTransfer ? [{ label: 'Transfer ownership…', icon: Crown, onSelect: () => onOpen('transfer') }] : []),
    ...(mayManage && !isMe
      ? [
          {
            label: 'Remove…',
            icon: UserMinus,
            tone: 'danger' as const,
            separatorAbove: true,
            onSelect: () => onOpen('remove'),
          },
        ]
      : []),
  ];
  return (
    <Row>
      <Cell full>
        <span className="flex min-w-0 items-center gap-2 font-medium max-lg:pr-10">
          <span className="truncate">{member.name ?? member.email}</span>
          {isMe && <Chip tone="accent">You</Chip>}
        </span>
        {member.name !== null && <span className="block truncate text-xs text-muted">{member.email}</span>}
      </Cell>
      <Cell name="Role">{roleName(member.role)}</Cell>
      <Cell name="Joined">
        <TimeAgo at={member.joined_at} />
      </Cell>
      <Cell name="Last seen">
        {member.last_seen_at === null ? (
          <span className="text-muted">Not yet</span>
        ) : (
          <TimeAgo at={member.last_seen_at} />
        )}
      </Cell>
      <Cell align="right" corner>
        {items.length > 0 && (
          <Menu
            trigger={
              <button
                type="button"
                aria-label={`Actions for ${member.email}`}
                className={buttonClass({ variant: 'quiet', size: 'icon' })}
              >
                <Ellipsis size={16} aria-hidden="true" />
              </button>
            }
            items={items}
          />
        )}
      </Cell>
    </Row>
  );
}
