'use client';

import { useState } from 'react';
import { TextField } from '../components/ui/field';

/** A field for whole numbers from 0 to `max`. Invalid input stays visible and is not reported. */
export function NumberField({
  label,
  value,
  max,
  onChange,
}: {
  readonly label: string;
  readonly value: number;
  readonly max: number;
  onChange(value: number): void;
}) {
  const [text, setText] = useState(String(value));
  const number = parse(text);
  const isInvalid = number === undefined || number > max;
  return (
    <TextField
      label={label}
      inputMode="numeric"
      autoComplete="off"
      value={text}
      {...(isInvalid && { error: `0 to ${max.toLocaleString('en')}` })}
      onChange={(event) => {
        setText(event.target.value);
        const typed = parse(event.target.value);
        if (typed !== undefined && typed <= max) onChange(typed);
      }}
    />
  );
}

function parse(text: string): number | undefined {
  const digits = text.replace(/[\s,_]/g, '');
  return /^\d{1,12}$/.test(digits) ? Number(digits) : undefined;
}
