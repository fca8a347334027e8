import { ChevronDown } from 'lucide-react';
import type { ReactNode } from 'react';
import { classNames } from './class-names';

/** One filter of a list as a small menu; it stands out while it narrows the list. `children` are its options, the first one "all". */
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
