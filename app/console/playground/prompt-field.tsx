'use client';

import { useId, type RefObject } from 'react';
import { classNames } from '../components/ui/class-names';
import { inputClass } from '../components/ui/input-class';

/** The counter is shown from this length. */
const COUNTED_FROM = 1_000;

export function PromptField({
  value,
  maxCharacters,
  error,
  field,
  onChange,
}: {
  readonly value: string;
  readonly maxCharacters: number;
  readonly error: string | undefined;
  readonly field: RefObject<HTMLTextAreaElement | null>;
  onChange(value: string): void;
}) {
  const id = useId();
  const isLong = value.length > maxCharacters;
  return (
    <div data-field="prompt">
      <div className="mb-1.5 flex items-baseline justify-between gap-3">
        <label htmlFor={id} className="text-sm font-medium">
          Prompt
        </label>
        <span id={`${id}-count`} className={classNames('text-xs tabular-nums', isLong ? 'text-bad' : 'text-muted')}>
          {value !== '' && (
            <>
              {value.length < COUNTED_FROM
                ? value.length
                : `${value.length.toLocaleString('en')} of ${maxCharacters.toLocaleString('en')}`}
              <span className="sr-only"> characters</span>
            </>
          )}
        </span>
      </div>
      <textarea
        ref={field}
        id={id}
        rows={4}
        value={value}
        placeholder="A paper boat crossing a pond at dawn, mist on the water, slow push in"
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? `${id}-error` : `${id}-count`}
        onChange={(event) => onChange(event.target.value)}
        className={classNames(
          inputClass,
          'field-sizing-content h-auto max-h-72 min-h-26 resize-y py-2.5 leading-6 max-sm:h-auto',
        )}
      />
      <p id={`${id}-error`} role="alert" className={error ? 'mt-1.5 text-xs text-bad' : 'sr-only'}>
        {error}
      </p>
    </div>
  );
}
