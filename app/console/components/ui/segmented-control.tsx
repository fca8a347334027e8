'use client';

import { useId, type ReactNode } from 'react';
import { classNames } from './class-names';

// Radio buttons side by side: a bar of short labels, or options with an icon each.

export interface Segment<Value extends string | number> {
  readonly value: Value;
  readonly label: ReactNode;
  /** Accessible name, if it differs from the label. */
  readonly spokenLabel?: string;
  readonly icon?: ReactNode;
  /** Why the option is disabled; undefined if it is enabled. */
  readonly disabledReason?: string | undefined;
}

export function SegmentedControl<Value extends string | number>({
  legend,
  detail,
  description,
  value,
  options,
  onChange,
  variant = 'bar',
  ...data
}: {
  readonly legend: ReactNode;
  /** On the right of the legend: the value in numbers. */
  readonly detail?: ReactNode;
  readonly description?: ReactNode;
  readonly value: Value | undefined;
  readonly options: readonly Segment<Value>[];
  onChange(value: Value): void;
  readonly variant?: 'bar' | 'icons';
  readonly 'data-field'?: string;
}) {
  const name = useId();
  return (
    <fieldset className="min-w-0" {...data}>
      <legend className="sr-only">{legend}</legend>
      <div aria-hidden="true" className="mb-1.5 flex items-baseline justify-between gap-3">
        <span className="text-sm font-medium">{legend}</span>
        {detail && <span className="text-xs text-muted tabular-nums">{detail}</span>}
      </div>
      <div
        className={
          variant === 'bar'
            ? 'flex flex-wrap gap-0.5 rounded-lg border border-line bg-sunken p-0.5'
            : 'grid grid-cols-[repeat(auto-fill,minmax(2.5rem,1fr))] gap-1'
        }
      >
        {options.map((option) => (
          <label
            key={option.value}
            title={option.disabledReason}
            className={classNames(
              'flex cursor-pointer items-center justify-center text-sm transition-colors has-focus-visible:outline-2 has-focus-visible:outline-offset-1 has-focus-visible:outline-accent has-disabled:cursor-not-allowed has-disabled:opacity-45',
              variant === 'bar'
                ? 'h-8 min-w-9 flex-1 rounded-md px-2 whitespace-nowrap tabular-nums max-sm:h-11'
                : 'h-15 flex-col gap-1 rounded-lg border text-2xs tabular-nums',
              option.value === value
                ? variant === 'bar'
                  ? 'bg-raised font-medium text-ink shadow-[0_0_0_1px_var(--line),0_1px_2px_oklch(0_0_0/0.06)]'
                  : 'border-accent bg-accent-soft font-medium text-accent'
                : variant === 'bar'
                  ? 'text-muted hover:text-ink'
                  : 'border-line text-muted hover:border-line-strong hover:text-ink',
            )}
          >
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={option.value === value}
              disabled={option.disabledReason !== undefined}
              onChange={() => onChange(option.value)}
              aria-label={option.spokenLabel}
              className="sr-only"
            />
            {option.icon && <span className="grid size-6 place-items-center">{option.icon}</span>}
            <span>{option.label}</span>
          </label>
        ))}
      </div>
      {description && <p className="mt-1.5 text-xs text-muted">{description}</p>}
    </fieldset>
  );
}

/** A rectangle with the given aspect ratio; its longer side has a fixed length. */
export function RatioIcon({ wide, high }: { readonly wide: number; readonly high: number }) {
  const longest = Math.max(wide, high);
  const LONG_SIDE_REM = 1.375;
  return (
    <span
      aria-hidden="true"
      className="rounded-[3px] border-[1.5px] border-current"
      style={{ width: `${(wide / longest) * LONG_SIDE_REM}rem`, height: `${(high / longest) * LONG_SIDE_REM}rem` }}
    />
  );
}
