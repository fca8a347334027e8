'use client';

import { ScrollText, X } from 'lucide-react';
import useSWR from 'swr';
import type { LedgerPageJson } from '../../../../lib/contract/usage';
import type { Mode } from '../../../../lib/domain/video';
import { KeyFilter, type NamedKey } from '../../components/list/key-filter';
import { ListError, StaleError } from '../../components/shell/request-error';
import { Button } from '../../components/ui/button';
import { Card } from '../../components/ui/card';
import { DateRange } from '../../components/ui/date-range';
import { EmptyState, NoMatch } from '../../components/ui/list-states';
import { PageNav } from '../../components/ui/page-nav';
import { SearchField } from '../../components/ui/search-field';
import { FilterSelect } from '../../components/ui/select';
import { SkeletonRows } from '../../components/ui/skeleton';
import { Table, type Column } from '../../components/ui/table';
import { useDebouncedText } from '../../components/ui/use-debounced-text';
import { useUrlState } from '../../components/ui/use-url-state';
import { ask } from '../../console-api';
import { CsvLink } from '../../components/list/csv-link';
import { UsageNav } from '../usage-nav';
import { isNarrowed, KINDS, ledgerPath, NO_FILTER, parseLedgerFilter } from './ledger-filter';
import { LedgerRow } from './ledger-row';
import { PageHeading } from '../../components/ui/page-heading';

/**
 * The interval for the first page, where a charge or a refill from elsewhere soon appears. Older pages hardly change.
 */
const REFRESH_INTERVAL_MS = 2_000;

const COLUMNS: readonly Column[] = [
  { title: 'Entry' },
  { title: 'Cause' },
  { title: 'Available', align: 'right' },
  { title: 'Held', align: 'right' },
  { title: 'Charged', align: 'right' },
  { title: 'Available after', align: 'right' },
];

export function LedgerView({
  mode,
  initial,
  keys,
}: {
  readonly mode: Mode;
  /** The API path for the page's query and the response to it; undefined if the query is invalid. */
  readonly initial: { readonly path: string; readonly found: LedgerPageJson } | undefined;
  readonly keys: readonly NamedKey[];
}) {
  const { query, change } = useUrlState();
  const filter = parseLedgerFilter(query);
  const path = ledgerPath(mode, filter);
  const { data, error, isLoading, mutate } = useSWR<LedgerPageJson, unknown>(path, (wanted: string) => ask(wanted), {
    ...(path === initial?.path ? { fallbackData: initial.found } : {}),
    keepPreviousData: true,
    refreshInterval: filter.after === '' ? REFRESH_INTERVAL_MS : 0,
    // The default of two seconds would skip every other refresh.
    dedupingInterval: REFRESH_INTERVAL_MS / 2,
  });
  const narrow = (changes: Readonly<Record<string, string>>) => change({ ...changes, after: undefined });
  const [subject, setSubject] = useDebouncedText(filter.subject, (text) =>
    change({ subject: text, after: undefined }, 'replace'),
  );
  const clear = () => {
    setSubject('');
    change(NO_FILTER);
  };
  const isEmpty = data?.data.length === 0 && data.next === null && filter.after === '';

  return (
    <>
      <PageHeading
        title="Ledger"
        description={<>Every movement of {mode} credits, with its cause.</>}
        nav={<UsageNav />}
      />

      <div className="mb-4 flex flex-wrap items-start justify-between gap-2">
        <search aria-label="Filter the ledger" className="grid grid-cols-2 items-center gap-2 sm:flex sm:flex-wrap">
          <SearchField
            label="Video, message, session or hold id"
            value={subject}
            onChange={setSubject}
            width="col-span-2 sm:w-64"
          />
          <FilterSelect label="Kind" value={filter.kind} options={KINDS} onChange={(kind) => narrow({ kind })} />
          <KeyFilter keys={keys} value={filter.key} onChange={(key) => narrow({ key })} />
          <DateRange from={filter.from} to={filter.to} onChange={narrow} />
          {filter.open !== '' && (
            <Button size="small" onClick={() => change({ open: undefined, after: undefined })}>
              Held now <X size={13} aria-label="Remove this filter" />
            </Button>
          )}
        </search>
        <CsvLink path={ledgerPath(mode, filter, 'csv')} label="ledger" />
      </div>
      <output aria-live="polite" className="sr-only">
        {data ? `${data.data.length}${data.next === null ? '' : ' or more'} entries` : ''}
      </output>
      <div className="flex flex-col gap-4">
        {data && <StaleError error={error} onRetry={() => void mutate()} />}
        {!data && error !== undefined && <ListError error={error} busy={isLoading} onRetry={() => void mutate()} />}
        {!data && error === undefined && <SkeletonRows rows={8} label="Loading the ledger" />}
        {data && data.data.length > 0 && (
          <Card>
            <Table label="Ledger" columns={COLUMNS}>
              {data.data.map((entry) => (
                <LedgerRow key={entry.id} entry={entry} />
              ))}
            </Table>
          </Card>
        )}
        {isEmpty &&
          (isNarrowed(filter) ? (
            <NoMatch noun="entries" onClear={clear} />
          ) : (
            <EmptyState
              icon={ScrollText}
              title="No entries yet"
              description="The first grant of credits and every request write entries here."
            />
          ))}
        {data && data.data.length === 0 && !isEmpty && (
          <p className="text-sm text-muted">No entries match in this part of the ledger. Older parts may have some.</p>
        )}
        {data && (filter.after !== '' || data.next !== null) && (
          <PageNav
            label="Pages of the ledger"
            isFirst={filter.after === ''}
            next={data.next}
            onChange={(after) => change({ after })}
          />
        )}
      </div>
    </>
  );
}
