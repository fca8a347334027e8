import { ChevronDown } from 'lucide-react';
import type { ReactNode } from 'react';
import { classNames } from './class-names';

/**
 * A single-select filter of a list, highlighted while active. `children` are the options; the first one means "all".
 */
export function FilterSelect({
  label,
  value,
  onChange,
  children,
}: {
  readonly label: string;
  readonly value: string;
  onChange(value: string): void;
  readonly children: ReactNode;
}) {
  return (
    <div className="relative min-w-0">
      <select
        aria-label={label}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        className={classNames(
          'block h-9 w-full max-w-56 min-w-0 cursor-pointer appearance-none truncate rounded-lg border bg-surface pr-8 pl-3 text-sm transition-colors hover:border-control-line max-sm:h-11 max-sm:max-w-none',
          value === '' ? 'border-control-line/60 text-muted' : 'border-accent font-medium text-ink',
        )}
      >
        {children}
      </select>
      <ChevronDown
        size={14}
        aria-hidden="true"
        className="pointer-events-none absolute inset-y-0 right-2.5 my-auto text-muted"
      />
    </div>
  );
}
