'use client';

import { Search, X } from 'lucide-react';
import type { ChangeEvent } from 'react';
import { Button } from './button';
import { inputClass } from './input-class';

/** The search field of a list. `/` focuses it, Escape clears it. `width` is class names for the wrapper. */
export function SearchField({
  label,
  value,
  onChange,
  width = 'w-full sm:w-64',
}: {
  readonly label: string;
  readonly value: string;
  onChange(text: string): void;
  readonly width?: string;
}) {
  return (
    <div className={`relative ${width}`}>
      <Search
        size={14}
        aria-hidden="true"
        className="pointer-events-none absolute inset-y-0 left-3 my-auto text-muted"
      />
      <input
        type="search"
        data-search
        aria-label={label}
        placeholder={label}
        autoComplete="off"
        spellCheck={false}
        value={value}
        onChange={(event: ChangeEvent<HTMLInputElement>) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || value === '') return;
          event.preventDefault();
          onChange('');
        }}
        className={`${inputClass} pr-9 pl-8.5 [&::-webkit-search-cancel-button]:hidden`}
      />
      {value !== '' && (
        <Button
          variant="quiet"
          size="icon"
          aria-label="Clear the search"
          onClick={() => onChange('')}
          className="absolute! inset-y-0 right-0.5 my-auto"
        >
          <X size={14} aria-hidden="true" />
        </Button>
      )}
    </div>
  );
}
