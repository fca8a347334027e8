'use client';

import { useState } from 'react';
import { TextField } from '../components/ui/field';

/** A field for an optional number. Invalid input stays visible and is not reported; an empty field is the default. */
export function NumberSetting({
  label,
  value,
  min,
  max,
  whole = false,
  placeholder,
  hint,
  field,
  onChange,
}: {
  readonly label: string;
  readonly value: number | undefined;
  readonly min: number;
  readonly max: number;
  readonly whole?: boolean;
  readonly placeholder?: string;
  readonly hint?: string;
  readonly field: string;
  onChange(value: number | undefined): void;
}) {
  const [typed, setTyped] = useState<{ readonly text: string; readonly value: number | undefined }>();
  // What was typed is shown as long as it stands for the value: another request may have been opened since.
  const text = typed && typed.value === value ? typed.text : value === undefined ? '' : String(value);
  const isInvalid = typed !== undefined && typed.value === value && !isValid(typed.text);
  function isValid(given: string): boolean {
    if (given.trim() === '') return true;
    const number = Number(given);
    return /^\d*\.?\d*$/.test(given.trim()) && number >= min && number <= max && (!whole || Number.isInteger(number));
  }
  return (
    <div data-field={field}>
      <TextField
        label={label}
        inputMode={whole ? 'numeric' : 'decimal'}
        autoComplete="off"
        value={text}
        {...(placeholder !== undefined && { placeholder })}
        {...(isInvalid
          ? { error: `${min.toLocaleString('en')} to ${max.toLocaleString('en')}` }
          : hint !== undefined && { hint })}
        onChange={(event) => {
          const given = event.target.value;
          const next = isValid(given) ? (given.trim() === '' ? undefined : Number(given)) : value;
          setTyped({ text: given, value: next });
          if (next !== value) onChange(next);
        }}
      />
    </div>
  );
}
