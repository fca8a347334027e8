'use client';

import { useId, type ReactNode } from 'react';
import { classNames } from './class-names';

/** An on/off switch with label and description. The whole row is clickable. */
export function Switch({
  label,
  description,
  checked,
  onChange,
  ...data
}: {
  readonly label: ReactNode;
  readonly description?: ReactNode;
  readonly checked: boolean;
  onChange(checked: boolean): void;
  readonly 'data-field'?: string;
}) {
  const id = useId();
  return (
    <label className="flex min-h-9 cursor-pointer items-center justify-between gap-4 max-sm:min-h-11" {...data}>
      <span className="min-w-0 grow">
        <span id={id} className="block text-sm font-medium">
          {label}
        </span>
        {description && (
          <span id={`${id}-description`} className="block text-xs text-muted">
            {description}
          </span>
        )}
      </span>
      <input
        type="checkbox"
        role="switch"
        checked={checked}
        aria-checked={checked}
        onChange={(event) => onChange(event.target.checked)}
        aria-labelledby={id}
        aria-describedby={description ? `${id}-description` : undefined}
        className={classNames(
          'relative h-5 w-9 shrink-0 cursor-pointer appearance-none rounded-full border transition-colors duration-150',
          'before:absolute before:top-1/2 before:left-0.5 before:size-3.5 before:-translate-y-1/2 before:rounded-full before:transition-transform before:duration-150 before:content-[""]',
          checked
            ? 'border-accent bg-accent before:translate-x-4 before:bg-inverse'
            : 'border-control-line/70 bg-hover before:bg-control-line',
        )}
      />
    </label>
  );
}
