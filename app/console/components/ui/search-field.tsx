'use client';

import { Search, X } from 'lucide-react';
import { useEffect, useRef, type KeyboardEvent } from 'react';
import { Button } from './button';
import { inputClass } from './input-class';

/**
 * The search field of a list. `/` focuses it, Escape clears it. `onEnter` opens the first entry of the list, and
 * `onDown`, the arrow down, moves into it. `width` is class names for the wrapper.
 */
export function SearchField({
  label,
  placeholder = label,
  value,
  onChange,
  onEnter,
  onDown,
  width = 'w-full sm:w-64',
}: {
  readonly label: string;
  readonly placeholder?: string;
  readonly value: string;
  onChange(text: string): void;
  onEnter?(): void;
  onDown?(): void;
  readonly width?: string;
}) {
  const field = useRef<HTMLInputElement>(null);
  // Text typed before hydration is only in the DOM.
  const wasRead = useRef(false);
  useEffect(() => {
    if (wasRead.current) return;
    wasRead.current = true;
    const typed = field.current?.value ?? '';
    if (typed !== value) onChange(typed);
  }, [value, onChange]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter') onEnter?.();
    else if (event.key === 'ArrowDown' && onDown) {
      event.preventDefault();
      onDown();
    } else if (event.key === 'Escape' && value !== '') {
      event.preventDefault();
      onChange('');
    }
  };
  return (
    <div className={`relative ${width}`}>
      <Search
        size={14}
        aria-hidden="true"
        className="pointer-events-none absolute inset-y-0 left-3 my-auto text-muted"
      />
      <input
        ref={field}
        type="search"
        data-search
        aria-label={label}
        placeholder={placeholder}
        autoComplete="off"
        spellCheck={false}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={onKeyDown}
        className={`${inputClass} pr-9 pl-8.5 [&::-webkit-search-cancel-button]:hidden`}
      />
      {value !== '' && (
        <Button
          variant="quiet"
          size="icon"
          aria-label="Clear the search"
          onClick={() => onChange('')}
          className="absolute! inset-y-0 right-0.5 my-auto max-sm:size-10"
        >
          <X size={14} aria-hidden="true" />
        </Button>
      )}
    </div>
  );
}
