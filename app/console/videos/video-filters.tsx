'use client';

import type { VideoStatus } from '../../../lib/domain/video';
import { FavoriteFilter } from '../components/list/favorite-filter';
import { KeyFilter, type NamedKey } from '../components/list/key-filter';
import { PeriodFilter } from '../components/list/period-filter';
import { FilterSelect } from '../components/ui/select';
import { SearchField } from '../components/ui/search-field';
import { requestStatuses } from '../components/request/request-status-chip';
import type { VideoFilter } from './video-filter';

const STATUSES: readonly VideoStatus[] = ['queued', 'in_progress', 'completed', 'failed'];

export function VideoFilters({
  filter,
  models,
  keys,
  search,
  onSearch,
  onChange,
}: {
  readonly filter: VideoFilter;
  readonly models: readonly string[];
  readonly keys: readonly NamedKey[];
  /** The text of the search field, which may be ahead of the filter. */
  readonly search: string;
  onSearch(text: string): void;
  onChange(changes: Readonly<Record<string, string>>): void;
}) {
  return (
    <search aria-label="Filter videos" className="grid grid-cols-2 items-center gap-2 sm:flex sm:flex-wrap">
      <SearchField label="Video or request id" value={search} onChange={onSearch} width="col-span-2 sm:w-60" />
      <FilterSelect
        label="Status"
        value={filter.status}
        options={STATUSES.map((status) => [status, requestStatuses[status].word])}
        onChange={(status) => onChange({ status })}
      />
      <FilterSelect
        label="Model"
        value={filter.model}
        options={models.map((model) => [model, model])}
        onChange={(model) => onChange({ model })}
      />
      <KeyFilter keys={keys} value={filter.key} onChange={(key) => onChange({ key })} />
      <PeriodFilter value={filter} onChange={onChange} />
      <FavoriteFilter value={filter.favorite === 'true'} onChange={(on) => onChange({ favorite: on ? 'true' : '' })} />
    </search>
  );
}
