'use client';

import { KeyFilter, type NamedKey } from '../components/list/key-filter';
import { KindFilter } from '../components/list/kind-filter';
import { DateRange } from '../components/ui/date-range';
import { FilterSelect, Select } from '../components/ui/select';
import { DIMENSIONS, INTERVALS, MEASURES, RANGES, type UsageFilter } from './usage-filter';

type Changes = Readonly<Record<string, string | undefined>>;

export function UsageFilters({
  filter,
  models,
  providers,
  keys,
  onChange,
}: {
  readonly filter: UsageFilter;
  readonly models: readonly string[];
  readonly providers: readonly string[];
  readonly keys: readonly NamedKey[];
  onChange(changes: Changes): void;
}) {
  const options = (list: readonly (readonly [string, string])[]) => list.map(([value, label]) => ({ value, label }));
  return (
    <search aria-label="Filter usage" className="grid grid-cols-2 items-center gap-2 sm:flex sm:flex-wrap">
      <Select
        label="Time"
        value={filter.range}
        options={[...options(RANGES), { value: 'dates', label: 'Custom range…' }]}
        onChange={(range) =>
          onChange(
            range === 'dates'
              ? { range, from: filter.from, to: filter.to }
              : { range, from: undefined, to: undefined, interval: undefined },
          )
        }
        className="sm:w-40"
      />
      <Select
        label="Show"
        value={filter.measure}
        options={options(MEASURES)}
        onChange={(measure) => onChange({ measure })}
        className="sm:w-32"
      />
      <Select
        label="Break down by"
        value={filter.by}
        options={DIMENSIONS.map(([value, label]) => ({ value, label: `By ${label.toLowerCase()}` }))}
        onChange={(by) => onChange({ by })}
        className="sm:w-36"
      />
      <Select
        label="Interval"
        value={filter.interval}
        options={options(INTERVALS)}
        onChange={(interval) => onChange({ interval })}
        className="sm:w-32"
      />
      <FilterSelect
        label="Model"
        value={filter.model}
        options={models.map((id) => [id, id])}
        onChange={(model) => onChange({ model })}
      />
      <FilterSelect
        label="Provider"
        value={filter.provider}
        options={providers.map((id) => [id, id])}
        onChange={(provider) => onChange({ provider })}
      />
      <KeyFilter keys={keys} value={filter.key} onChange={(key) => onChange({ key })} />
      <KindFilter label="Endpoint" value={filter.kind} onChange={(kind) => onChange({ kind })} />
      {filter.range === 'dates' && <DateRange from={filter.from} to={filter.to} onChange={onChange} />}
    </search>
  );
}
