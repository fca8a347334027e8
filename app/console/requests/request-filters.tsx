'use client';

import type { RequestStatus } from '../../../lib/contract/requests';
import { KeyFilter, type NamedKey } from '../components/list/key-filter';
import { KindFilter } from '../components/list/kind-filter';
import { PeriodFilter } from '../components/list/period-filter';
import { failureCodes } from '../components/request/failure-advice';
import { requestStatuses } from '../components/request/request-status-chip';
import { FilterSelect } from '../components/ui/select';
import { SearchField } from '../components/ui/search-field';
import type { RequestFilter } from './request-filter';

const asOptions = (values: readonly string[]) => values.map((value) => [value, value] as const);

export function RequestFilters({
  filter,
  models,
  providers,
  keys,
  search,
  onSearch,
  onChange,
}: {
  readonly filter: RequestFilter;
  readonly models: readonly string[];
  readonly providers: readonly string[];
  readonly keys: readonly NamedKey[];
  /** The text of the search field, which may be ahead of the filter. */
  readonly search: string;
  onSearch(text: string): void;
  onChange(changes: Readonly<Record<string, string>>): void;
}) {
  return (
    <search aria-label="Filter requests" className="grid grid-cols-2 items-center gap-2 sm:flex sm:flex-wrap">
      <SearchField
        label="Request, message or session id"
        value={search}
        onChange={onSearch}
        width="col-span-2 sm:w-68"
      />
      <FilterSelect
        label="Outcome"
        value={filter.status}
        // Safe: the keys of the table are the statuses.
        options={(Object.keys(requestStatuses) as RequestStatus[]).map((status) => [
          status,
          requestStatuses[status].word,
        ])}
        onChange={(status) => onChange({ status })}
      />
      <KindFilter value={filter.kind} onChange={(kind) => onChange({ kind })} />
      <FilterSelect
        label="Error"
        value={filter.code}
        options={asOptions(failureCodes)}
        onChange={(code) => onChange({ code })}
      />
      <FilterSelect
        label="Model"
        value={filter.model}
        options={asOptions(models)}
        onChange={(model) => onChange({ model })}
      />
      <FilterSelect
        label="Provider"
        value={filter.provider}
        options={asOptions(providers)}
        onChange={(provider) => onChange({ provider })}
      />
      <KeyFilter keys={keys} value={filter.key} onChange={(key) => onChange({ key })} />
      <PeriodFilter value={filter} onChange={onChange} />
    </search>
  );
}
