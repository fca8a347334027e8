'use client';

import type { KeyJson } from '../../../lib/contract/keys';
import type { VideoStatus } from '../../../lib/domain/video';
import { DateField } from '../components/ui/date-field';
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
  readonly keys: readonly Pick<KeyJson, 'id' | 'name'>[];
  /** The text of the search field, which may be ahead of the filter. */
  readonly search: string;
  onSearch(text: string): void;
  onChange(changes: Readonly<Record<string, string>>): void;
}) {
  // The URL may contain a model or key that no longer exists; it is shown anyway.
  const shownModels = filter.model === '' || models.includes(filter.model) ? models : [filter.model, ...models];
  const knowsKey = filter.key === '' || filter.key === 'console' || keys.some(({ id }) => id === filter.key);
  return (
    <search aria-label="Filter videos" className="grid grid-cols-2 items-center gap-2 sm:flex sm:flex-wrap">
      <SearchField label="Video or request id" value={search} onChange={onSearch} width="col-span-2 sm:w-60" />
      <FilterSelect label="Status" value={filter.status} onChange={(status) => onChange({ status })}>
        <option value="">Any status</option>
        {STATUSES.map((status) => (
          <option key={status} value={status}>
            {videoStatuses[status].word}
          </option>
        ))}
      </FilterSelect>
      <FilterSelect label="Model" value={filter.model} onChange={(model) => onChange({ model })}>
        <option value="">Any model</option>
        {shownModels.map((model) => (
          <option key={model} value={model}>
            {model}
          </option>
        ))}
      </FilterSelect>
      <FilterSelect label="Key" value={filter.key} onChange={(key) => onChange({ key })}>
        <option value="">Any key</option>
        <option value="console">Console</option>
        {keys.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
        {!knowsKey && <option value={filter.key}>{filter.key}</option>}
      </FilterSelect>
      <FilterSelect
        label="Created"
        value={filter.period}
        onChange={(period) => onChange({ period, ...(period === 'dates' ? {} : { from: '', to: '' }) })}
      >
        <option value="">Any time</option>
        {PERIODS.map(([period, label]) => (
          <option key={period} value={period}>
            {label}
          </option>
        ))}
        <option value="dates">Custom range…</option>
      </FilterSelect>
      {filter.period === 'dates' && (
        <div className="col-span-2 flex flex-wrap items-center gap-2 text-sm text-muted">
          <DateField label="From, UTC" value={filter.from} onChange={(from) => onChange({ from })} />
          <span aria-hidden="true">–</span>
          <DateField label="To, UTC" value={filter.to} onChange={(to) => onChange({ to })} />
          <span className="text-xs">UTC</span>
        </div>
      )}
    </search>
  );
}
