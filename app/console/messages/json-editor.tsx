'use client';

import { useId, type ReactNode } from 'react';
import { Button } from '../components/ui/button';
import { classNames } from '../components/ui/class-names';
import { inputClass } from '../components/ui/input-class';

/** An editor for JSON. `error` is what is wrong with the text; an example fills an empty editor. */
export function JsonEditor({
  label,
  value,
  error,
  placeholder,
  example,
  field,
  description,
  onChange,
}: {
  readonly label: string;
  readonly value: string;
  readonly error: string | undefined;
  readonly placeholder: string;
  readonly example: string;
  readonly field: string;
  readonly description?: ReactNode;
  onChange(value: string): void;
}) {
  const id = useId();
  const isEmpty = value.trim() === '';
  return (
    <div data-field={field}>
      <div className="mb-1.5 flex items-center justify-between gap-2">
        <label htmlFor={id} className="text-sm font-medium">
          {label}
        </label>
        {isEmpty ? (
          <Button size="small" variant="quiet" onClick={() => onChange(example)}>
            Insert an example
          </Button>
        ) : (
          error === undefined && (
            <Button
              size="small"
              variant="quiet"
              onClick={() => onChange(JSON.stringify(JSON.parse(value), undefined, 2))}
            >
              Format
            </Button>
          )
        )}
      </div>
      <textarea
        id={id}
        rows={4}
        value={value}
        spellCheck={false}
        autoComplete="off"
        placeholder={placeholder}
        aria-invalid={error ? true : undefined}
        aria-describedby={`${id}-note`}
        onChange={(event) => onChange(event.target.value)}
        className={classNames(
          inputClass,
          'field-sizing-content h-auto max-h-80 min-h-24 resize-y py-2 font-mono text-xs leading-5 max-sm:h-auto',
        )}
      />
      <p id={`${id}-note`} className={classNames('mt-1.5 text-xs', error ? 'text-bad' : 'text-muted')}>
        {error ?? description}
      </p>
      <output className="sr-only">{error}</output>
    </div>
  );
}
