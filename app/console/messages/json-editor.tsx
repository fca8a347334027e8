'use client';

import type { ReactNode } from 'react';
import { Button } from '../components/ui/button';
import { TextArea } from '../components/ui/text-area';

/** An editor for JSON. `error` says what is wrong with the text; a button fills an empty editor with an example. */
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
  const action = (name: string, textOf: () => string) => (
    <Button size="small" variant="quiet" onClick={() => onChange(textOf())}>
      {name}
    </Button>
  );
  return (
    <TextArea
      label={label}
      data-field={field}
      rows={4}
      code
      className="field-sizing-content max-h-80 min-h-24 resize-y"
      value={value}
      placeholder={placeholder}
      hint={description}
      error={error}
      actions={
        value.trim() === ''
          ? action('Insert an example', () => example)
          : error === undefined && action('Format', () => JSON.stringify(JSON.parse(value), undefined, 2))
      }
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
