'use client';

import { Logs } from 'lucide-react';
import Link from 'next/link';
import type { RequestPageJson } from '../../../lib/contract/requests';
import type { Mode } from '../../../lib/domain/video';
import type { NamedKey } from '../components/list/key-filter';
import { ListBody } from '../components/list/list-body';
import { useList } from '../components/list/use-list';
import { isRunning } from '../components/request/charge';
import { buttonClass } from '../components/ui/button-class';
import { Card } from '../components/ui/card';
import { EmptyState, NoMatch } from '../components/ui/list-states';
import { Table, type Column } from '../components/ui/table';
import { useDebouncedText } from '../components/ui/use-debounced-text';
import { useUrlState } from '../components/ui/use-url-state';
import { paths } from '../paths';
import { isNarrowed, NO_FILTER, parseRequestFilter, requestsPath } from './request-filter';
import { RequestFilters } from './request-filters';
import { RequestRow } from './request-row';
import { PageHeading } from '../components/ui/page-heading';

const COLUMNS: readonly Column[] = [
  { title: 'Request' },
  { title: 'Outcome' },
  { title: 'Time taken', align: 'right' },
  { title: 'Used', align: 'right' },
  { title: 'Key' },
  { title: 'Cost', align: 'right' },
  { title: 'Created', align: 'right' },
];

export interface RequestsViewProps {
  readonly mode: Mode;
  /** The API path for the page's query and the response to it; undefined if the query is invalid. */
  readonly initial: { readonly path: string; readonly found: RequestPageJson } | undefined;
  readonly models: readonly string[];
  readonly providers: readonly string[];
  readonly keys: readonly NamedKey[];
}

export function RequestsView({ mode, initial, models, providers, keys }: RequestsViewProps) {
  const { query, change } = useUrlState();
  const filter = parseRequestFilter(query);
  const list = useList(requestsPath(mode, filter), initial, isRunning);
  const [search, setSearch] = useDebouncedText(filter.search, (q) => change({ q, after: undefined }, 'replace'));
  const clear = () => {
    setSearch('');
    change(NO_FILTER);
  };

  return (
    <>
      <PageHeading
        title="Requests"
        description={<>Every {mode} video, message, transcription and spoken text: how it went, and what it cost.</>}
      />
      <div className="mb-4">
        <RequestFilters
          filter={filter}
          models={models}
          providers={providers}
          keys={keys}
          search={search}
          onSearch={setSearch}
          onChange={(changes) => change({ ...changes, after: undefined })}
        />
      </div>
      <ListBody
        list={list}
        noun="requests"
        isFirst={filter.after === ''}
        onPage={(after) => change({ after })}
        empty={
          isNarrowed(filter) ? (
            <NoMatch
              noun="requests"
              description="Requests that were refused before they started, such as those without credits, are not in this log."
              onClear={clear}
            />
          ) : (
            <NoRequests mode={mode} />
          )
        }
      >
        {(requests) => (
          <Card>
            <Table label="Requests" columns={COLUMNS}>
              {requests.map((request) => (
                <RequestRow key={request.id} request={request} />
              ))}
            </Table>
          </Card>
        )}
      </ListBody>
    </>
  );
}

function NoRequests({ mode }: { readonly mode: Mode }) {
  return (
    <EmptyState
      icon={Logs}
      title={`No ${mode} requests yet`}
      description="Requests appear here as soon as an app with a key of this mode, or you in the playground, makes one."
    >
      <Link href={paths.playground()} prefetch={false} className={buttonClass({ variant: 'primary' })}>
        Open the playground
      </Link>
    </EmptyState>
  );
}
