import { DateRange } from '../ui/date-range';
import { FilterSelect } from '../ui/select';
import { PERIODS, type Period } from './period';

/** Narrows a list to entries that were created within a period. */
export function PeriodFilter({
  value: { period, from, to },
  onChange,
}: {
  readonly value: Period;
  onChange(changes: Readonly<Record<string, string>>): void;
}) {
  return (
    <>
      <FilterSelect
        label="Created"
        any="Any time"
        value={period}
        options={[...PERIODS.map(([name, label]) => [name, label] as const), ['dates', 'Custom range…']]}
        onChange={(name) => onChange({ period: name, ...(name === 'dates' ? {} : { from: '', to: '' }) })}
      />
      {period === 'dates' && <DateRange from={from} to={to} onChange={onChange} />}
    </>
  );
}
