'use client';

import type { KeyJson } from '../../../lib/contract/keys';
import { DateField } from '../components/ui/date-field';
import { FilterSelect, Select } from '../components/ui/select';
import { DIMENSIONS, INTERVALS, KINDS, MEASURES, RANGES, type UsageFilter } from './usage-filter';

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
  readonly keys: readonly Pick<KeyJson, 'id' | 'name'>[];
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
      <Narrow
        label="Model"
        value={filter.model}
        values={models.map((id) => [id, id])}
        onChange={(model) => onChange({ model })}
      />
      <Narrow
        label="Provider"
        value={filter.provider}
        values={providers.map((id) => [id, id])}
        onChange={(provider) => onChange({ provider })}
      />
      <Narrow
        label="Key"
        value={filter.key}
        values={[['console', 'Console'], ...keys.map(({ id, name }) => [id, name] as const)]}
        onChange={(key) => onChange({ key })}
      />
      <Narrow label="Endpoint" value={filter.kind} values={KINDS} onChange={(kind) => onChange({ kind })} />
      {filter.range === 'dates' && (
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

/** The URL may contain a value that is not in the list any more; it is shown anyway. */
function Narrow({
  label,
  value,
  values,
  onChange,
}: {
  readonly label: string;
  readonly value: string;
  readonly values: readonly (readonly [string, string])[];
  onChange(value: string): void;
}) {
  return (
    <FilterSelect label={label} value={value} onChange={onChange}>
      <option value="">Any {label.toLowerCase()}</option>
      {values.map(([id, name]) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
      {value !== '' && !values.some(([id]) => id === value) && <option value={value}>{value}</option>}
    </FilterSelect>
  );
}
