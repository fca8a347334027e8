'use client';

import { useId, type CSSProperties, type ReactNode } from 'react';

/** A slider for whole numbers. The value is next to the label and is read out with its unit. */
export function Slider({
  label,
  description,
  unit,
  value,
  min,
  max,
  disabled = false,
  onChange,
  ...data
}: {
  readonly label: string;
  readonly description?: ReactNode;
  /** Unit after the number, such as `s`. */
  readonly unit: string;
  readonly value: number;
  readonly min: number;
  readonly max: number;
  readonly disabled?: boolean;
  onChange(value: number): void;
  readonly 'data-field'?: string;
}) {
  const id = useId();
  const part = max === min ? 1 : (value - min) / (max - min);
  return (
    <div {...data}>
      <div className="mb-1 flex items-baseline justify-between gap-3">
        <label htmlFor={id} className="text-sm font-medium">
          {label}
        </label>
        <output htmlFor={id} className="text-sm font-medium tabular-nums">
          {value}
          <span className="text-muted"> {unit}</span>
        </output>
      </div>
      <input
        id={id}
        type="range"
        min={min}
        max={max}
        step={1}
        value={value}
        disabled={disabled}
        aria-valuetext={`${value} ${unit}`}
        aria-describedby={description ? `${id}-description` : undefined}
        onChange={(event) => onChange(Number(event.target.value))}
        // Safe: a custom property; React's type knows the standard ones only.
        style={{ '--part': `${part * 100}%` } as CSSProperties}
        className={
          'block h-6 w-full cursor-pointer appearance-none rounded-full bg-transparent disabled:cursor-not-allowed disabled:opacity-45 max-sm:h-11 ' +
          '[&::-webkit-slider-runnable-track]:h-1.5 [&::-webkit-slider-runnable-track]:rounded-full [&::-webkit-slider-runnable-track]:bg-[linear-gradient(to_right,var(--accent)_var(--part),var(--line)_var(--part))] ' +
          '[&::-webkit-slider-thumb]:-mt-[5px] [&::-webkit-slider-thumb]:size-4 [&::-webkit-slider-thumb]:appearance-none [&::-webkit-slider-thumb]:rounded-full [&::-webkit-slider-thumb]:border-2 [&::-webkit-slider-thumb]:border-accent [&::-webkit-slider-thumb]:bg-raised ' +
          '[&::-moz-range-track]:h-1.5 [&::-moz-range-track]:rounded-full [&::-moz-range-track]:bg-line [&::-moz-range-progress]:h-1.5 [&::-moz-range-progress]:rounded-full [&::-moz-range-progress]:bg-accent ' +
          '[&::-moz-range-thumb]:size-3.5 [&::-moz-range-thumb]:rounded-full [&::-moz-range-thumb]:border-2 [&::-moz-range-thumb]:border-accent [&::-moz-range-thumb]:bg-raised'
        }
      />
      <div aria-hidden="true" className="flex justify-between text-2xs text-muted tabular-nums">
        <span>{min}</span>
        <span>{max}</span>
      </div>
      {description && (
        <p id={`${id}-description`} className="mt-1 text-xs text-muted">
          {description}
        </p>
      )}
    </div>
  );
}
