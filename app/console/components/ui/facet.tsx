'use client';

import { useId, type ReactNode } from 'react';
import { classNames } from './class-names';
import { FoldButton, useFold } from './fold';

export interface FacetOption {
  readonly value: string;
  readonly label: ReactNode;
  /** Number of results with this value. */
  readonly count: number;
}

/** A multi-select filter with the number of results per value. More than `max` values are collapsed. */
export function Facet({
  title,
  options,
  chosen,
  onToggle,
  max = 8,
}: {
  readonly title: string;
  readonly options: readonly FacetOption[];
  readonly chosen: readonly string[];
  onToggle(value: string): void;
  readonly max?: number;
}) {
  const { canFold, isFolded, toggle } = useFold(options.length, max);
  // Selected values are never collapsed.
  const shown = isFolded ? options.filter(({ value }, index) => index < max || chosen.includes(value)) : options;
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1 text-xs font-medium text-muted">{title}</legend>
      {shown.map((option) => (
        <FacetBox
          key={option.value}
          checked={chosen.includes(option.value)}
          onChange={() => onToggle(option.value)}
          count={option.count}
        >
          {option.label}
        </FacetBox>
      ))}
      {canFold && (
        <div className="mt-0.5">
          <FoldButton count={options.length} isFolded={isFolded} onToggle={toggle} />
        </div>
      )}
    </fieldset>
  );
}

/** One checkbox with a count on the right. */
export function FacetBox({
  checked,
  onChange,
  count,
  children,
}: {
  readonly checked: boolean;
  onChange(): void;
  readonly count?: number;
  readonly children: ReactNode;
}) {
  const id = useId();
  const isEmpty = count === 0 && !checked;
  return (
    <div className="-mx-1.5 flex items-center gap-2 rounded-md px-1.5 hover:bg-hover">
      <input
        id={id}
        type="checkbox"
        checked={checked}
        onChange={onChange}
        className="size-4 shrink-0 accent-(--accent)"
        {...(count === undefined ? {} : { 'aria-describedby': `${id}-count` })}
      />
      <label
        htmlFor={id}
        className={classNames(
          'min-w-0 flex-1 cursor-pointer truncate py-1 text-sm max-lg:py-2.5',
          isEmpty && 'text-muted',
        )}
      >
        {children}
      </label>
      {count !== undefined && (
        <span id={`${id}-count`} className="text-xs text-muted tabular-nums">
          {count}
          <span className="sr-only"> of them</span>
        </span>
      )}
    </div>
  );
}
