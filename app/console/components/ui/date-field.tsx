import { inputClass } from './input-class';

/** A day of a filter; `value` and the argument of `onChange` are ISO dates, or empty. */
export function DateField({
  label,
  value,
  onChange,
}: {
  readonly label: string;
  readonly value: string;
  onChange(day: string): void;
}) {
  return (
    <input
      type="date"
      aria-label={label}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      className={`${inputClass} w-38! max-sm:flex-1`}
    />
  );
}
