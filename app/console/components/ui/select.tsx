import { ChevronDown } from 'lucide-react';
import { useId, type ComponentProps } from 'react';
import { classNames } from './class-names';
import { inputClass } from './input-class';

/** A select outside of forms. The label is visible if `shown`, otherwise for screen readers only. */
export function Select({
  label,
  shown = false,
  value,
  onChange,
  options,
  className,
}: {
  readonly label: string;
  readonly shown?: boolean;
  readonly value: string;
  onChange(value: string): void;
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly className?: string;
}) {
  const id = useId();
  return (
    <div className={classNames('min-w-0', className)}>
      <label htmlFor={id} className={shown ? 'mb-1.5 block text-xs font-medium text-muted' : 'sr-only'}>
        {label}
      </label>
      <NativeSelect id={id} value={value} onChange={(event) => onChange(event.target.value)} className={inputClass}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </NativeSelect>
    </div>
  );
}

/** A select of a form, next to text fields. `children` are the options. */
export function SelectField({ label, className, ...select }: ComponentProps<'select'> & { readonly label: string }) {
  const id = useId();
  return (
    <div className={className}>
      <label htmlFor={id} className="mb-1.5 block text-sm font-medium">
        {label}
      </label>
      <NativeSelect id={id} {...select} className={inputClass} />
    </div>
  );
}

/**
 * A single-select filter of a list, highlighted while active. The first option, `any`, is the empty value. A value that
 * is not among the options, as the URL may contain one, is shown anyway.
 */
export function FilterSelect({
  label,
  any = `Any ${label.toLowerCase()}`,
  value,
  options,
  onChange,
}: {
  readonly label: string;
  readonly any?: string;
  readonly value: string;
  /** Values with their labels. */
  readonly options: readonly (readonly [value: string, label: string])[];
  onChange(value: string): void;
}) {
  return (
    <NativeSelect
      aria-label={label}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      className={classNames(
        'block h-9 w-full max-w-56 min-w-0 cursor-pointer rounded-lg border bg-surface pl-3 text-sm transition-colors hover:border-control-line max-sm:h-11 max-sm:max-w-none',
        value === '' ? 'border-control-line/60 text-muted' : 'border-accent font-medium text-ink',
      )}
    >
      <option value="">{any}</option>
      {options.map(([option, text]) => (
        <option key={option} value={option}>
          {text}
        </option>
      ))}
      {value !== '' && !options.some(([option]) => option === value) && <option value={value}>{value}</option>}
    </NativeSelect>
  );
}

/** The native select, with an arrow of our own. */
function NativeSelect({ className, ...select }: ComponentProps<'select'>) {
  return (
    <div className="relative min-w-0">
      <select {...select} className={classNames(className, 'appearance-none truncate pr-8')} />
      <ChevronDown
        size={14}
        aria-hidden="true"
        className="pointer-events-none absolute inset-y-0 right-2.5 my-auto text-muted"
      />
    </div>
  );
}
