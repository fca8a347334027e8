'use client';

import type { VideoStatus } from '../../../lib/domain/video';
import { KeyFilter, type NamedKey } from '../components/key-filter';
import { DateRange } from '../components/ui/date-range';
import { FilterSelect } from '../components/ui/select';
import { SearchField } from '../components/ui/search-field';
import { videoStatuses } from '../components/video/video-status-chip';
import { PERIODS, type VideoFilter } from './video-filter';

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
        options={STATUSES.map((status) => [status, videoStatuses[status].word])}
        onChange={(status) => onChange({ status })}
      />
      <FilterSelect
        label="Model"
        value={filter.model}
        options={models.map((model) => [model, model])}
        onChange={(model) => onChange({ model })}
      />
      <KeyFilter keys={keys} value={filter.key} onChange={(key) => onChange({ key })} />
      <FilterSelect
        label="Created"
        any="Any time"
        value={filter.period}
        options={[...PERIODS.map(([period, label]) => [period, label] as const), ['dates', 'Custom range…']]}
        onChange={(period) => onChange({ period, ...(period === 'dates' ? {} : { from: '', to: '' }) })}
      />
      {filter.period === 'dates' && <DateRange from={filter.from} to={filter.to} onChange={onChange} />}
    </search>
  );
}
