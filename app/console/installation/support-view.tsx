'use client';

import { CircleDollarSign, Eye, KeyRound, Logs, Users } from 'lucide-react';
import type { ReactNode } from 'react';
import type { SupportViewJson } from '../../../lib/contract/installation';
import { keyNameOf } from '../components/request/key-name';
import { requestKinds } from '../components/request/request-kinds';
import { RequestStatusChip } from '../components/request/request-status-chip';
import { Card, Section } from '../components/ui/card';
import { Chip } from '../components/ui/chip';
import { milliseconds } from '../components/ui/elapsed';
import { Fact, Facts } from '../components/ui/facts';
import { EmptyState } from '../components/ui/list-states';
import { ExactMoney, Money } from '../components/ui/money';
import { PageHeading } from '../components/ui/page-heading';
import { Cell, Row, Table } from '../components/ui/table';
import { TimeAgo } from '../components/ui/time-ago';
import { Expiry, KeyStateChip, LastUse } from '../keys/key-chips';
import { roleName } from '../members/role-words';
import { paths } from '../paths';
import { OrganizationStateChip } from './state-chip';
import { TransferTable } from './transfer-table';

const REQUEST_COLUMNS = [
  { title: 'Request' },
  { title: 'Outcome' },
  { title: 'Time taken', align: 'right' },
  { title: 'Key' },
  { title: 'Cost', align: 'right' },
  { title: 'Created', align: 'right' },
] as const;
const KEY_COLUMNS = [
  { title: 'Key' },
  { title: 'State' },
  { title: 'Scopes' },
  { title: 'Limit' },
  { title: 'Last used' },
  { title: 'Expires' },
] as const;
const MEMBER_COLUMNS = [{ title: 'Member' }, { title: 'Role' }, { title: 'Joined' }, { title: 'Last seen' }] as const;

/** What an operator sees of an organisation to support it. The page is read-only. */
export function SupportView({ of: seen }: { readonly of: SupportViewJson }) {
  const { mode, organization, members, keys, limits, requests, transfers } = seen;
  const { id, name, state, credits } = organization;
  return (
    <>
      <PageHeading
        title={`Support: ${name}`}
        chips={
          <>
            <OrganizationStateChip state={state} />
            <Chip tone="info" icon={Eye}>
              Read only
            </Chip>
          </>
        }
        parent={{ title: name, path: paths.installedOrganization(id), here: 'Support' }}
        description="This visit is recorded in the audit log of the organisation, where its owners and admins see it. The page shows neither secrets nor the content of requests."
      />
      <div className="flex flex-col gap-10">
        <Facts>
          <Fact name={`${mode === 'live' ? 'Live' : 'Test'} balance`}>
            <Money amount={credits[mode].available} />
          </Fact>
          <Fact name="Held">
            <Money amount={credits[mode].held} />
          </Fact>
          <Fact name="Total spent">
            <Money amount={credits[mode].spent} />
          </Fact>
          <Fact name="Mode">{mode}</Fact>
        </Facts>
        <Requests of={requests} mode={mode} />
        <Keys of={keys} />
        <Part id="members" title="Members" count={members.length} icon={Users} empty="No members yet">
          <Table label="Members" columns={MEMBER_COLUMNS}>
            {members.map((member) => (
              <Row key={member.id}>
                <Cell full>
                  <span className="block truncate font-medium">{member.name ?? member.email}</span>
                  <span className="block truncate text-xs text-muted">{member.email}</span>
                  <code className="block truncate font-mono text-2xs text-muted">{member.id}</code>
                </Cell>
                <Cell name="Role">{roleName(member.role)}</Cell>
                <Cell name="Joined">
                  <TimeAgo at={member.joined_at} />
                </Cell>
                <Cell name="Last seen">
                  {member.last_seen_at === null ? 'Not yet' : <TimeAgo at={member.last_seen_at} />}
                </Cell>
              </Row>
            ))}
          </Table>
        </Part>
        <Section
          id="limits"
          title="Limits"
          description="The limits in force. Change them with the command “npm run limits”."
        >
          <Facts>
            {Object.entries(limits.limits).map(([limit, value]) => (
              <Fact key={limit} name={limit.replaceAll('_', ' ')}>
                {value}
                {limits.changed.some((each) => each === limit) && <span className="text-xs text-muted"> changed</span>}
              </Fact>
            ))}
          </Facts>
        </Section>
        <Section id="transfers" title={`Credit transfers, ${mode}`}>
          {transfers.length === 0 ? (
            <EmptyState icon={CircleDollarSign} title={`No transfers of ${mode} credits yet`} />
          ) : (
            <TransferTable transfers={transfers} />
          )}
        </Section>
      </div>
    </>
  );
}

/** A section with a table, or with a sentence if the table would be empty. */
function Part({
  id,
  title,
  description,
  count,
  icon,
  empty,
  children,
}: {
  readonly id: string;
  readonly title: string;
  readonly description?: string;
  readonly count: number;
  readonly icon: typeof Logs;
  readonly empty: string;
  readonly children: ReactNode;
}) {
  return (
    <Section id={id} title={title} {...(description !== undefined && { description })}>
      {count === 0 ? <EmptyState icon={icon} title={empty} /> : <Card>{children}</Card>}
    </Section>
  );
}

function Requests({
  of: { data, has_more: hasMore },
  mode,
}: {
  readonly of: SupportViewJson['requests'];
  readonly mode: string;
}) {
  return (
    <Part
      id="requests"
      title={`Latest requests, ${mode}`}
      description={hasMore ? `The latest ${data.length}.` : 'All that are kept.'}
      count={data.length}
      icon={Logs}
      empty={`No ${mode} requests`}
    >
      <Table label="Requests" columns={REQUEST_COLUMNS}>
        {data.map((request) => (
          <Row key={request.id}>
            <Cell full>
              <span className="block truncate font-medium">{request.model}</span>
              <span className="block text-xs text-muted">
                {requestKinds[request.kind].word}
                {request.provider !== undefined && ` · ${request.provider}`}
              </span>
              <code className="block font-mono text-2xs break-all text-muted">{request.id}</code>
            </Cell>
            <Cell name="Outcome">
              <RequestStatusChip status={request.status} />
              {request.code !== undefined && (
                <code className="mt-0.5 block font-mono text-2xs text-muted">{request.code}</code>
              )}
            </Cell>
            <Cell name="Time taken" align="right" className="tabular-nums">
              {request.duration_ms === undefined ? '–' : milliseconds(request.duration_ms)}
            </Cell>
            <Cell name="Key">{keyNameOf(request.key)}</Cell>
            <Cell name="Cost" align="right">
              <ExactMoney amount={request.cost} />
            </Cell>
            <Cell name="Created" align="right">
              <TimeAgo at={request.created_at} />
            </Cell>
          </Row>
        ))}
      </Table>
    </Part>
  );
}

function Keys({ of: keys }: { readonly of: SupportViewJson['keys'] }) {
  return (
    <Part id="keys" title="API keys" count={keys.length} icon={KeyRound} empty="No keys">
      <Table label="API keys" columns={KEY_COLUMNS}>
        {keys.map((key) => (
          <Row key={key.id}>
            <Cell full>
              <span className="block truncate font-medium">{key.name}</span>
              <code className="block truncate font-mono text-2xs text-muted">{key.display}</code>
              <code className="block truncate font-mono text-2xs text-muted">{key.id}</code>
            </Cell>
            <Cell name="State">
              <KeyStateChip of={key} />
            </Cell>
            <Cell name="Scopes">{key.scopes.join(', ')}</Cell>
            <Cell name="Limit">
              {key.limit === null ? (
                <span className="text-muted">None</span>
              ) : (
                <>
                  <Money amount={key.limit.spent} /> of <Money amount={key.limit.amount} />
                  <span className="block text-xs text-muted">{key.limit.period}</span>
                </>
              )}
            </Cell>
            <Cell name="Last used">
              <LastUse of={key} />
            </Cell>
            <Cell name="Expires">
              <Expiry of={key} />
            </Cell>
          </Row>
        ))}
      </Table>
    </Part>
  );
}
