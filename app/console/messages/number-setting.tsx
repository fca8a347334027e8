'use client';

import { useState } from 'react';
import { TextField } from '../components/ui/field';
import { numberProblem, readNumber, type NumberLimits } from './number-limits';

/**
 * A field for a number. An invalid number is reported as it is, and other text as NaN, so that the request is not sent
 * without the setting. An empty field is undefined, the default.
 */
export function NumberSetting({
  limits,
  value,
  placeholder,
  hint,
  field,
  onChange,
}: {
  readonly limits: NumberLimits;
  readonly value: number | undefined;
  readonly placeholder?: string;
  readonly hint?: string;
  readonly field: string;
  onChange(value: number | undefined): void;
}) {
  const { label, min, max, whole } = limits;
  const [typed, setTyped] = useState<{ readonly text: string; readonly value: number | undefined }>();
  // Shows the typed text only while it matches the value, because opening another request changes the value.
  const text = typed && Object.is(typed.value, value) ? typed.text : textOf(value);
  const isInvalid = value !== undefined && numberProblem(value, limits) !== undefined;
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
          const next = given.trim() === '' ? undefined : readNumber(given);
          setTyped({ text: given, value: next });
          if (!Object.is(next, value)) onChange(next);
        }}
      />
    </div>
  );
}

function textOf(value: number | undefined): string {
  return value === undefined || Number.isNaN(value) ? '' : String(value);
}
