'use client';

import { Building2, Plus } from 'lucide-react';
import { useState } from 'react';
import { useSWRConfig } from 'swr';
import type { MadeOrganizationJson, OrganizationJson, OrganizationPageJson } from '../../../lib/contract/organizations';
import { ListBody } from '../components/list/list-body';
import { useList } from '../components/list/use-list';
import { NavLink } from '../components/shell/page-transition';
import { Button } from '../components/ui/button';
import { Card } from '../components/ui/card';
import { EmptyState, NoMatch } from '../components/ui/list-states';
import { Money } from '../components/ui/money';
import { grouped } from '../components/ui/numbers';
import { PageHeading } from '../components/ui/page-heading';
import { SearchField } from '../components/ui/search-field';
import { FilterSelect } from '../components/ui/select';
import { Cell, Row, Table } from '../components/ui/table';
import { TimeAgo } from '../components/ui/time-ago';
import { useDebouncedText } from '../components/ui/use-debounced-text';
import { useUrlState } from '../components/ui/use-url-state';
import { paths } from '../paths';
import { InstallationNav } from './installation-nav';
import { isNarrowed, NO_FILTER, organizationsPath, parseOrganizationFilter } from './organization-filter';
import { OrganizationStateChip, organizationStates } from './state-chip';
import { onDemand } from '../components/ui/on-demand';

// Each dialog loads when it is first opened.
const NewOrganizationDialog = onDemand(() =>
  import('./new-organization-dialog').then((module) => module.NewOrganizationDialog),
);
const InvitationLinkDialog = onDemand(() =>
  import('../members/invitation-link-dialog').then((module) => module.InvitationLinkDialog),
);

const COLUMNS = [
  { title: 'Organisation' },
  { title: 'State' },
  { title: 'Live balance', align: 'right' },
  { title: 'Live, 30 days', align: 'right' },
  { title: 'Test, 30 days', align: 'right' },
  { title: 'Members', align: 'right' },
  { title: 'Created', align: 'right' },
] as const;

/** All organisations of the installation. */
export function OrganizationsView({
  initial,
  canMail,
}: {
  /** The API path for the page's query and the response to it; undefined if the query is invalid. */
  readonly initial: { readonly path: string; readonly found: OrganizationPageJson } | undefined;
  /** Whether this installation sends e-mails. */
  readonly canMail: boolean;
}) {
  const { query, change } = useUrlState();
  const filter = parseOrganizationFilter(query);
  const path = organizationsPath(filter);
  const list = useList(path, initial, () => false);
  const { mutate } = useSWRConfig();
  const [search, setSearch] = useDebouncedText(filter.q, (q) => change({ q, after: undefined }, 'replace'));
  const [isCreating, setIsCreating] = useState(false);
  const [made, setMade] = useState<MadeOrganizationJson>();

  return (
    <>
      <PageHeading
        title="Organisations"
        description="Everyone who uses this installation, with their credits and what they did in the last 30 days."
        actions={
          <Button variant="primary" data-new onClick={() => setIsCreating(true)}>
            <Plus size={15} aria-hidden="true" /> Create organisation
          </Button>
        }
        nav={<InstallationNav />}
      />
      <search aria-label="Filter organisations" className="mb-4 flex flex-wrap items-center gap-2">
        <SearchField label="Search by name or id" value={search} onChange={setSearch} />
        <FilterSelect
          label="State"
          value={filter.state}
          options={Object.entries(organizationStates).map(([state, { word }]) => [state, word] as const)}
          onChange={(state) => change({ state, after: undefined })}
        />
      </search>
      <ListBody
        list={list}
        noun="organisations"
        isFirst={filter.after === ''}
        onPage={(after) => change({ after })}
        empty={
          isNarrowed(filter) ? (
            <NoMatch
              noun="organisations"
              onClear={() => {
                setSearch('');
                change(NO_FILTER);
              }}
            />
          ) : (
            <EmptyState icon={Building2} title="No organisations yet" />
          )
        }
      >
        {(organizations) => (
          <Card>
            <Table label="Organisations" columns={COLUMNS}>
              {organizations.map((organization) => (
                <OrganizationRow key={organization.id} of={organization} />
              ))}
            </Table>
          </Card>
        )}
      </ListBody>
      {isCreating && (
        <NewOrganizationDialog
          canMail={canMail}
          onMade={async (created) => {
            await mutate(path);
            setIsCreating(false);
            setMade(created);
          }}
          onClose={() => setIsCreating(false)}
        />
      )}
      {made && <InvitationLinkDialog made={made.invitation} onClose={() => setMade(undefined)} />}
    </>
  );
}

function OrganizationRow({ of: organization }: { readonly of: OrganizationJson }) {
  const { id, name, state, credits, activity, members, owners, created_at: createdAt } = organization;
  return (
    <Row>
      <Cell full>
        {/* The link covers the whole row; interactive elements are above it. */}
        <NavLink
          href={paths.installedOrganization(id)}
          title={name}
          className="block truncate font-medium after:absolute after:inset-0"
        >
          {name}
        </NavLink>
        <code className="block truncate font-mono text-2xs text-muted">{id}</code>
      </Cell>
      <Cell name="State">
        <OrganizationStateChip state={state} />
      </Cell>
      <Cell name="Live balance" align="right">
        <span className="relative z-1">
          <Money amount={credits.live.available} />
        </span>
      </Cell>
      <Cell name="Live, 30 days" align="right">
        <Activity of={activity.live} />
      </Cell>
      <Cell name="Test, 30 days" align="right">
        <Activity of={activity.test} />
      </Cell>
      <Cell name="Members" align="right" className="tabular-nums">
        {grouped(members)}
        {owners === 0 && state !== 'erased' && <span className="block text-xs text-warn">No owner yet</span>}
      </Cell>
      <Cell name="Created" align="right">
        <span className="relative z-1">
          <TimeAgo at={createdAt} />
        </span>
      </Cell>
    </Row>
  );
}

function Activity({ of: { requests, charged } }: { readonly of: OrganizationJson['activity']['live'] }) {
  if (requests === 0) return <span className="text-muted">–</span>;
  return (
    <span className="relative z-1">
      <Money amount={charged} />
      <span className="block text-xs text-muted tabular-nums">{grouped(requests)} requests</span>
    </span>
  );
}
