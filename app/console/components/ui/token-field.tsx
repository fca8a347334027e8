'use client';

import { CircleAlert, TriangleAlert, X } from 'lucide-react';
import { useId, useState } from 'react';
import { classNames } from './class-names';
import { inputClass } from './input-class';

/**
 * A field for a list of short texts. Enter, comma or blur adds the typed text. An empty list means no restriction. An
 * error or a warning replaces the hint; with a warning the list can be saved.
 */
export function TokenField({
  label,
  name,
  hint,
  error,
  warning,
  values,
  onChange,
  suggestions = [],
  placeholder,
}: {
  readonly label: string;
  readonly name: string;
  readonly hint: string;
  readonly error?: string | undefined;
  readonly warning?: string | undefined;
  readonly values: readonly string[];
  onChange(values: readonly string[]): void;
  readonly suggestions?: readonly string[];
  readonly placeholder?: string;
}) {
  const id = useId();
  const [text, setText] = useState('');

  function add(from: string) {
    const added = from.split(/[\s,]+/).filter((each) => each !== '' && !values.includes(each));
    if (added.length > 0) onChange([...values, ...new Set(added)]);
    setText('');
  }

  return (
    <div>
      <label htmlFor={id} className="mb-1.5 block text-sm font-medium">
        {label}
      </label>
      {values.length > 0 && (
        <ul className="mb-1.5 flex flex-wrap gap-1.5">
          {values.map((value) => (
            <li
              key={value}
              className="inline-flex h-7 max-w-full items-center rounded-md border border-line bg-sunken pl-2 font-mono text-xs max-sm:h-11"
            >
              <span className="truncate">{value}</span>
              <button
                type="button"
                aria-label={`Remove ${value}`}
                onClick={() => onChange(values.filter((each) => each !== value))}
                className="grid h-full w-7 shrink-0 place-items-center text-muted hover:text-ink max-sm:w-11"
              >
                <X size={12} aria-hidden="true" />
              </button>
            </li>
          ))}
        </ul>
      )}
      <input
        id={id}
        name={name}
        value={text}
        list={suggestions.length > 0 ? `${id}-list` : undefined}
        autoComplete="off"
        spellCheck={false}
        autoCapitalize="off"
        placeholder={values.length === 0 ? placeholder : 'Add another'}
        aria-describedby={`${id}-note`}
        aria-invalid={error ? true : undefined}
        onChange={(event) =>
          /[\s,]$/.test(event.target.value) ? add(event.target.value) : setText(event.target.value)
        }
        onBlur={() => add(text)}
        onKeyDown={(event) => {
          // Enter in an empty field submits the form, as in other fields.
          if (event.key !== 'Enter' || text.trim() === '') return;
          event.preventDefault();
          add(text);
        }}
        className={classNames(inputClass, 'font-mono text-xs')}
      />
      {suggestions.length > 0 && (
        <datalist id={`${id}-list`}>
          {suggestions
            .filter((each) => !values.includes(each))
            .map((each) => (
              <option key={each}>{each}</option>
            ))}
        </datalist>
      )}
      <p
        id={`${id}-note`}
        aria-live="polite"
        className={classNames(
          'mt-1.5 flex items-start gap-1.5 text-xs',
          error ? 'text-bad' : warning ? 'text-warn' : 'text-muted',
        )}
      >
        {error && <CircleAlert size={13} className="mt-0.5 shrink-0" aria-hidden="true" />}
        {!error && warning && <TriangleAlert size={13} className="mt-0.5 shrink-0" aria-hidden="true" />}
        <span className="min-w-0 break-words">{error ?? warning ?? hint}</span>
      </p>
    </div>
  );
}
