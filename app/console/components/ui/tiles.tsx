'use client';

import { useId, type ReactNode } from 'react';
import { classNames } from './class-names';

// Radio buttons that one sees at a glance: a bar of short words, or tiles with a drawing each.

export interface Tile<Value extends string | number> {
  readonly value: Value;
  readonly label: ReactNode;
  /** Read out instead of the label. */
  readonly spoken?: string;
  readonly drawing?: ReactNode;
  /** Why it cannot be chosen now. */
  readonly blocked?: string | undefined;
}

export function Tiles<Value extends string | number>({
  legend,
  trailing,
  says,
  value,
  tiles,
  onChange,
  look = 'bar',
  ...data
}: {
  readonly legend: ReactNode;
  /** At the right of the legend: what the choice means in numbers. */
  readonly trailing?: ReactNode;
  readonly says?: ReactNode;
  readonly value: Value | undefined;
  readonly tiles: readonly Tile<Value>[];
  onChange(value: Value): void;
  readonly look?: 'bar' | 'drawings';
  readonly 'data-field'?: string;
}) {
  const name = useId();
  return (
    <fieldset className="min-w-0" {...data}>
      <legend className="sr-only">{legend}</legend>
      <div aria-hidden="true" className="mb-1.5 flex items-baseline justify-between gap-3">
        <span className="text-sm font-medium">{legend}</span>
        {trailing && <span className="text-xs text-muted tabular-nums">{trailing}</span>}
      </div>
      <div
        className={
          look === 'bar'
            ? 'flex flex-wrap gap-0.5 rounded-lg border border-line bg-sunken p-0.5'
            : 'grid grid-cols-[repeat(auto-fill,minmax(2.5rem,1fr))] gap-1'
        }
      >
        {tiles.map((tile) => (
          <label
            key={tile.value}
            title={tile.blocked}
            className={classNames(
              'flex cursor-pointer items-center justify-center text-sm transition-colors has-focus-visible:outline-2 has-focus-visible:outline-offset-1 has-focus-visible:outline-accent has-disabled:cursor-not-allowed has-disabled:opacity-45',
              look === 'bar'
                ? 'h-8 min-w-9 flex-1 rounded-md px-2 whitespace-nowrap tabular-nums max-sm:h-11'
                : 'h-15 flex-col gap-1 rounded-lg border text-2xs tabular-nums',
              tile.value === value
                ? look === 'bar'
                  ? 'bg-raised font-medium text-ink shadow-[0_0_0_1px_var(--line),0_1px_2px_oklch(0_0_0/0.06)]'
                  : 'border-accent bg-accent-soft font-medium text-accent'
                : look === 'bar'
                  ? 'text-muted hover:text-ink'
                  : 'border-line text-muted hover:border-line-strong hover:text-ink',
            )}
          >
            <input
              type="radio"
              name={name}
              value={tile.value}
              checked={tile.value === value}
              disabled={tile.blocked !== undefined}
              onChange={() => onChange(tile.value)}
              aria-label={tile.spoken}
              className="sr-only"
            />
            {tile.drawing && <span className="grid size-6 place-items-center">{tile.drawing}</span>}
            <span>{tile.label}</span>
          </label>
        ))}
      </div>
      {says && <p className="mt-1.5 text-xs text-muted">{says}</p>}
    </fieldset>
  );
}

/** A rectangle of a ratio such as `16:9`, the longer side always as long. */
export function RatioDrawing({ wide, high }: { readonly wide: number; readonly high: number }) {
  const longest = Math.max(wide, high);
  const LONGEST_REM = 1.375;
  return (
    <span
      aria-hidden="true"
      className="rounded-[3px] border-[1.5px] border-current"
      style={{ width: `${(wide / longest) * LONGEST_REM}rem`, height: `${(high / longest) * LONGEST_REM}rem` }}
    />
  );
}
