'use client';

import { ScrollText } from 'lucide-react';
import type { OperatorEntryJson, OperatorEntryPageJson } from '../../../lib/contract/audit';
import type { Retention } from '../../../lib/domain/retention';
import { actionWords } from '../audit/audit-words';
import { ListBody } from '../components/list/list-body';
import { someText } from '../components/list/url-filter';
import { useList } from '../components/list/use-list';
import { NavLink } from '../components/shell/page-transition';
import { Card } from '../components/ui/card';
import { linkClass } from '../components/ui/link-class';
import { EmptyState } from '../components/ui/list-states';
import { days } from '../components/ui/numbers';
import { PageHeading } from '../components/ui/page-heading';
import { Cell, Row, Table } from '../components/ui/table';
import { TimeAgo } from '../components/ui/time-ago';
import { useUrlState } from '../components/ui/use-url-state';
import { apiPaths } from '../api-paths';
import { paths } from '../paths';
import { InstallationNav } from './installation-nav';

const COLUMNS = [
  { title: 'Action' },
  { title: 'Operator' },
  { title: 'Organisation' },
  { title: 'Time', align: 'right' },
] as const;

/** The log of what operators did. */
export function LogView({
  initial,
  retention,
}: {
  /** The API path for the page's query and the response to it; undefined if the query is invalid. */
  readonly initial: { readonly path: string; readonly found: OperatorEntryPageJson } | undefined;
  readonly retention: Pick<Retention, 'auditDays'>;
}) {
  const { query, change } = useUrlState();
  const after = query.get('after') ?? '';
  const list = useList(apiPaths.operatorEntries({ after: someText(after) }), initial, () => false);
  return (
    <>
      <PageHeading
        title="Log"
        description={`What operators did, in the console or with the operator token. Kept for ${days(retention.auditDays)}. Each organisation sees its own part in its audit log.`}
        nav={<InstallationNav />}
      />
      <ListBody
        list={list}
        noun="entries"
        isFirst={after === ''}
        onPage={(next) => change({ after: next })}
        empty={<EmptyState icon={ScrollText} title="No actions of operators yet" />}
      >
        {(entries) => (
          <Card>
            <Table label="Log" columns={COLUMNS}>
              {entries.map((entry) => (
                <EntryRow key={entry.id} of={entry} />
              ))}
            </Table>
          </Card>
        )}
      </ListBody>
    </>
  );
}

function EntryRow({ of: { action, detail, actor, organization, at } }: { readonly of: OperatorEntryJson }) {
  return (
    <Row>
      <Cell full>
        <span className="block font-medium">{actionWords(action)}</span>
        {detail !== null && <span className="block text-xs break-words text-muted">{detail}</span>}
      </Cell>
      <Cell name="Operator" className="break-all">
        {actor === null ? 'The operator token' : (actor.email ?? 'A deleted person')}
      </Cell>
      <Cell name="Organisation" className="break-words">
        {organization === null ? (
          <span className="text-muted">The installation</span>
        ) : (
          <NavLink href={paths.installedOrganization(organization.id)} title={organization.name} className={linkClass}>
            {organization.name}
          </NavLink>
        )}
      </Cell>
      <Cell name="Time" align="right">
        <TimeAgo at={at} />
      </Cell>
    </Row>
  );
}
