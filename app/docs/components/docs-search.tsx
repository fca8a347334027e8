'use client';

import { Search } from 'lucide-react';
import { useSearchParams } from 'next/navigation';
import { useEffect, useRef } from 'react';
import { inputClass } from '../../console/components/ui/input-class';
import { docsPaths } from '../paths';

/** The search in the documentation: a plain form, which `/` and Ctrl K focus. */
export function DocsSearch() {
  const text = useSearchParams().get('q') ?? '';
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    function press(event: KeyboardEvent) {
      const isCommand = event.key.toLowerCase() === 'k' && (event.metaKey || event.ctrlKey);
      const isSlash = event.key === '/' && !event.metaKey && !event.ctrlKey && !isTyping(event.target);
      if (!isCommand && !isSlash) return;
      event.preventDefault();
      field.current?.focus();
      field.current?.select();
    }
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, []);
  return (
    <search className="w-full max-w-sm">
      <form action={docsPaths.search} className="relative">
        <label htmlFor="search" className="sr-only">
          Search the documentation
        </label>
        <Search
          size={14}
          aria-hidden="true"
          className="pointer-events-none absolute inset-y-0 left-3 my-auto text-muted"
        />
        <input
          ref={field}
          id="search"
          type="search"
          name="q"
          key={text}
          defaultValue={text}
          placeholder="Search"
          autoComplete="off"
          spellCheck={false}
          className={`${inputClass} pl-8.5`}
        />
      </form>
    </search>
  );
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable]');
}
