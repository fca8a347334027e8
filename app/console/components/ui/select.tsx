import { ChevronDown } from 'lucide-react';
import { useId } from 'react';
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
      <div className="relative">
        <select
          id={id}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          className={classNames(inputClass, 'appearance-none truncate pr-8')}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
        <ChevronDown
          size={14}
          aria-hidden="true"
          className="pointer-events-none absolute inset-y-0 right-2.5 my-auto text-muted"
        />
      </div>
    </div>
  );
}
