import { DateField } from './date-field';

/** The first and the last day of a filter, as ISO dates in UTC, or empty. */
export function DateRange({
  from,
  to,
  onChange,
}: {
  readonly from: string;
  readonly to: string;
  onChange(change: { readonly from: string } | { readonly to: string }): void;
}) {
  return (
    <div className="col-span-2 flex flex-wrap items-center gap-2 text-sm text-muted">
      <DateField label="From, UTC" value={from} onChange={(day) => onChange({ from: day })} />
      <span aria-hidden="true">–</span>
      <DateField label="To, UTC" value={to} onChange={(day) => onChange({ to: day })} />
      <span className="text-xs">UTC</span>
    </div>
  );
}
