'use client';

import { Search, X } from 'lucide-react';
import { useEffect, useRef, type KeyboardEvent } from 'react';
import { Button } from '../components/ui/button';
import { classNames } from '../components/ui/class-names';
import { inputClass } from '../components/ui/input-class';

/** Arrow down moves into the list, Enter opens its first entry. */
export function CatalogSearch({
  text,
  onChange,
  onEnter,
  onDown,
}: {
  readonly text: string;
  onChange(text: string): void;
  onEnter(): void;
  onDown(): void;
}) {
  const field = useRef<HTMLInputElement>(null);
  // Text typed before hydration is only in the DOM.
  const wasRead = useRef(false);
  useEffect(() => {
    if (wasRead.current) return;
    wasRead.current = true;
    const typed = field.current?.value ?? '';
    if (typed !== text) onChange(typed);
  }, [text, onChange]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'ArrowDown') {
      event.preventDefault();
      onDown();
    }
    if (event.key === 'Enter') onEnter();
    if (event.key === 'Escape' && text !== '') onChange('');
  };
  return (
    <div className="relative min-w-0 flex-1 basis-64">
      <Search
        size={15}
        aria-hidden="true"
        className="pointer-events-none absolute inset-y-0 left-3 my-auto text-muted"
      />
      <input
        ref={field}
        type="search"
        aria-label="Search models"
        placeholder="Search by name, id, alias or family"
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={onKeyDown}
        className={classNames(inputClass, 'pr-10 pl-9 [&::-webkit-search-cancel-button]:hidden')}
      />
      {text !== '' && (
        <Button
          variant="quiet"
          size="icon"
          aria-label="Clear the search"
          onClick={() => onChange('')}
          className="absolute inset-y-0 right-0.5 my-auto max-sm:size-10"
        >
          <X size={14} aria-hidden="true" />
        </Button>
      )}
    </div>
  );
}
