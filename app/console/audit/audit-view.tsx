'use client';

import { ScrollText } from 'lucide-react';
import type { AuditEntryJson, AuditPageJson } from '../../../lib/contract/audit';
import type { Role } from '../../../lib/domain/caller';
import type { Retention } from '../../../lib/domain/retention';
import { CsvLink } from '../components/list/csv-link';
import { ListBody } from '../components/list/list-body';
import { PeriodFilter } from '../components/list/period-filter';
import { useList } from '../components/list/use-list';
import { Card } from '../components/ui/card';
import { EmptyState, NoMatch } from '../components/ui/list-states';
import { days } from '../components/ui/numbers';
import { FilterSelect } from '../components/ui/select';
import { Cell, Row, Table } from '../components/ui/table';
import { TimeAgo } from '../components/ui/time-ago';
import { useUrlState } from '../components/ui/use-url-state';
import { OrganizationNav } from '../members/organization-nav';
import { auditPath, isNarrowed, NO_FILTER, parseAuditPageFilter } from './audit-filter';
import { ACTION_GROUPS, actionWords } from './audit-words';
import { PageHeading } from '../components/ui/page-heading';

const COLUMNS = [
  { title: 'Action' },
  { title: 'Actor' },
  { title: 'Target' },
  { title: 'Address' },
  { title: 'Time', align: 'right' },
] as const;

export interface AuditViewProps {
  readonly role: Role;
  /** The API path for the page's query and the response to it; undefined if the query is invalid. */
  readonly initial: { readonly path: string; readonly found: AuditPageJson } | undefined;
  /** The members, and the keys with the scope `manage`. */
  readonly actors: readonly { readonly id: string; readonly name: string }[];
  readonly retention: Pick<Retention, 'auditDays'>;
}

/** Who changed what in the organisation, from where and when. */
export function AuditView({ role, initial, actors, retention }: AuditViewProps) {
  const { query, change } = useUrlState();
  const filter = parseAuditPageFilter(query);
  const list = useList(auditPath(filter), initial, () => false);
  const narrow = (changes: Readonly<Record<string, string>>) => change({ ...changes, after: undefined });

  return (
    <>
      <PageHeading
        title="Audit log"
        description="Every change in this organisation and every time a secret was shown: by whom, from which address, and when."
        actions={<CsvLink path={auditPath(filter, 'csv')} label="audit log" />}
        nav={<OrganizationNav role={role} />}
      />

      <search aria-label="Filter entries" className="mb-4 grid grid-cols-2 items-center gap-2 sm:flex sm:flex-wrap">
        <FilterSelect
          label="Person or key"
          any="Anyone"
          value={filter.actor}
          options={[...actors.map(({ id, name }) => [id, name] as const), ['operator', 'The operator']]}
          onChange={(actor) => narrow({ actor })}
        />
        <FilterSelect
          label="Action"
          value={filter.action}
          options={ACTION_GROUPS}
          onChange={(action) => narrow({ action })}
        />
        <PeriodFilter value={filter} onChange={narrow} />
      </search>
      <ListBody
        list={list}
        noun="entries"
        isFirst={filter.after === ''}
        onPage={(after) => change({ after })}
        empty={
          isNarrowed(filter) ? (
            <NoMatch noun="entries" onClear={() => change(NO_FILTER)} />
          ) : (
            <EmptyState
              icon={ScrollText}
              title="No entries yet"
              description={`Sign-ins and changes to keys, members, webhooks, settings and credits appear here. They are kept for ${days(retention.auditDays)}.`}
            />
          )
        }
      >
        {(entries) => (
          <Card>
            <Table label="Audit log" columns={COLUMNS}>
              {entries.map((entry) => (
                <AuditRow key={entry.id} of={entry} />
              ))}
            </Table>
          </Card>
        )}
      </ListBody>
    </>
  );
}

/** Shown instead of the audit log to roles that may not read it. */
export function AuditRefusal({ role }: { readonly role: Role }) {
  return (
    <>
      <PageHeading title="Audit log" nav={<OrganizationNav role={role} />} />
      <EmptyState
        icon={ScrollText}
        title="For owners and admins"
        description={`Your role is ${role}. Ask an owner or admin if you need an entry of the audit log.`}
      />
    </>
  );
}

function AuditRow({ of: entry }: { readonly of: AuditEntryJson }) {
  const { action, actor, target, target_name: name, detail, address, at } = entry;
  return (
    <Row>
      <Cell full>
        <span className="block font-medium">{actionWords(action)}</span>
        {detail !== null && <span className="block text-xs break-words text-muted">{detail}</span>}
      </Cell>
      <Cell name="Actor">
        <span className="block truncate @4xl/table:max-w-52" title={actorName(actor)}>
          {actorName(actor)}
        </span>
      </Cell>
      <Cell name="Target">
        {name !== null && <span className="block break-words">{name}</span>}
        {target === null ? (
          <span className="text-muted">–</span>
        ) : (
          <code className="block max-w-48 truncate font-mono text-2xs text-muted" title={target}>
            {target}
          </code>
        )}
      </Cell>
      <Cell name="Address">
        {address === null ? (
          <span className="text-muted">–</span>
        ) : (
          // An IPv6 address is wider than the column.
          <span className="block truncate tabular-nums @4xl/table:max-w-36" title={address}>
            {address}
          </span>
        )}
      </Cell>
      <Cell name="Time" align="right">
        <TimeAgo at={at} />
      </Cell>
    </Row>
  );
}

function actorName(actor: AuditEntryJson['actor']): string {
  switch (actor.type) {
    case 'person':
      return actor.email ?? 'A deleted person';
    case 'key':
      return `Key ${actor.name ?? actor.id}`;
    case 'operator':
      return actor.email === undefined ? 'The operator' : `The operator ${actor.email}`;
  }
}
