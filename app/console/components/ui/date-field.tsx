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
      // The browser's calendar button inside the field takes the focus too, and the field then is not `:focus-visible`.
      className={`${inputClass} w-38! outline-accent focus-within:border-accent focus-within:outline-2 focus-within:outline-offset-0 max-sm:flex-1`}
    />
  );
}
