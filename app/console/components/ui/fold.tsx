'use client';

import { useState, type ReactNode } from 'react';
import { Card } from './card';

/** Folds a list of `count` entries to its first `max`. A list with only one entry more is not folded. */
export function useFold(count: number, max: number) {
  const [isOpen, setOpen] = useState(false);
  const canFold = count > max + 1;
  return { canFold, isFolded: canFold && !isOpen, toggle: () => setOpen(!isOpen) };
}

/** Shows or hides the rest of a list. After hiding it, scrolls the button back into the window. */
export function FoldButton({
  count,
  isFolded,
  onToggle,
}: {
  /** The number of all entries. */
  readonly count: number;
  readonly isFolded: boolean;
  onToggle(): void;
}) {
  return (
    <button
      type="button"
      aria-expanded={!isFolded}
      onClick={({ currentTarget }) => {
        onToggle();
        if (!isFolded) requestAnimationFrame(() => currentTarget.scrollIntoView({ block: 'nearest' }));
      }}
      className="h-7 scroll-mt-40 rounded-md text-xs text-muted underline decoration-line-strong underline-offset-4 hover:text-ink max-lg:h-11"
    >
      {isFolded ? `Show all ${count}` : 'Show fewer'}
    </button>
  );
}

const MAX_ROWS = 10;

/** A card with a table that shows its first ten rows until the button below it is pressed. */
export function FoldedCard<T>({
  rows,
  children,
}: {
  readonly rows: readonly T[];
  /** Renders the table with these rows. `rows` has no rows that always stay, such as the total. */
  children(shown: readonly T[]): ReactNode;
}) {
  const { canFold, isFolded, toggle } = useFold(rows.length, MAX_ROWS);
  return (
    <Card>
      {children(isFolded ? rows.slice(0, MAX_ROWS) : rows)}
      {canFold && (
        <div className="border-t border-line px-4 py-1">
          <FoldButton count={rows.length} isFolded={isFolded} onToggle={toggle} />
        </div>
      )}
    </Card>
  );
}
