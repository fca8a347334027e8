'use client';

import { useId, useRef, type KeyboardEvent, type ReactNode } from 'react';

// Not from a package: on the pages with tabs the package was larger than their own code.

export interface Tab {
  readonly value: string;
  readonly title: string;
  /** The panel contains a focusable element, so it needs no tab stop itself. */
  readonly children: ReactNode;
}

/** Tabs with arrow-key navigation. `actions` are on the right of the tab list. */
export function Tabs({
  label,
  value,
  onChange,
  tabs,
  actions,
}: {
  readonly label: string;
  readonly value: string;
  onChange(value: string): void;
  readonly tabs: readonly Tab[];
  readonly actions?: ReactNode;
}) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const openIndex = tabs.findIndex((tab) => tab.value === value);
  const open = tabs[openIndex];

  function move(event: KeyboardEvent) {
    const index = indexAfter(event.key, openIndex, tabs.length);
    const next = index === undefined ? undefined : tabs[index];
    if (!next || index === undefined) return;
    event.preventDefault();
    onChange(next.value);
    list.current?.querySelectorAll<HTMLElement>('[role="tab"]')[index]?.focus();
  }

  return (
    <div className="min-w-0">
      <div className="flex items-center justify-between gap-2 border-b border-line pr-1">
        <div
          ref={list}
          role="tablist"
          aria-label={label}
          className="flex min-w-0 overflow-x-auto px-1.5 [scrollbar-width:none]"
        >
          {tabs.map((tab) => (
            <button
              key={tab.value}
              type="button"
              role="tab"
              id={`${id}-${tab.value}`}
              aria-selected={tab.value === value}
              aria-controls={`${id}-panel`}
              tabIndex={tab.value === value ? 0 : -1}
              onClick={() => onChange(tab.value)}
              onKeyDown={move}
              className="relative h-10 px-2.5 text-xs font-medium whitespace-nowrap text-muted transition-colors after:absolute after:inset-x-2.5 after:-bottom-px after:h-0.5 after:rounded-full hover:text-ink focus-visible:-outline-offset-4 aria-selected:text-ink aria-selected:after:bg-accent max-sm:h-12"
            >
              {tab.title}
            </button>
          ))}
        </div>
        {actions}
      </div>
      {open && (
        // A new element per tab, so that scrollable content starts at the top.
        <div
          key={open.value}
          role="tabpanel"
          id={`${id}-panel`}
          aria-labelledby={`${id}-${open.value}`}
          className="min-w-0"
        >
          {open.children}
        </div>
      )}
    </div>
  );
}

/** Returns the index of the tab that a key moves to, wrapping at the ends; undefined for other keys. */
function indexAfter(key: string, index: number, count: number): number | undefined {
  if (key === 'ArrowRight') return (index + 1) % count;
  if (key === 'ArrowLeft') return (index - 1 + count) % count;
  if (key === 'Home') return 0;
  return key === 'End' ? count - 1 : undefined;
}
