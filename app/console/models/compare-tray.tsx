'use client';

import { Columns3, X } from 'lucide-react';
import type { CatalogEntry } from '../../../lib/contract/models';
import { Button } from '../components/ui/button';
import { MAX_COMPARED } from './catalog-query';
import { FamilyMark } from './family-mark';

/** The models selected for comparison, sticky at the lower edge. */
export function CompareTray({
  entries,
  onRemove,
  onClear,
  onCompare,
}: {
  readonly entries: readonly CatalogEntry[];
  onRemove(id: string): void;
  onClear(): void;
  onCompare(): void;
}) {
  return (
    <section
      aria-label="Selected for comparison"
      className="sticky bottom-4 z-20 mt-4 flex animate-rise-in flex-wrap items-center gap-x-3 gap-y-2 rounded-xl bg-raised p-3 shadow-(--floating)"
    >
      <ul className="flex min-w-0 flex-1 basis-full flex-wrap gap-2 sm:basis-72">
        {entries.map((entry) => (
          <li
            key={entry.id}
            className="flex min-w-0 items-center gap-2 rounded-lg border border-line bg-surface py-1 pr-1 pl-1.5 text-xs max-sm:w-full max-sm:py-0"
          >
            <FamilyMark family={entry.family} size={24} />
            <span className="truncate max-sm:flex-1 sm:max-w-40" title={entry.name}>
              {entry.name}
            </span>
            <Button
              variant="quiet"
              size="icon"
              className="size-6! max-sm:size-9!"
              aria-label={`Remove ${entry.name}`}
              onClick={() => onRemove(entry.id)}
            >
              <X size={13} aria-hidden="true" />
            </Button>
          </li>
        ))}
      </ul>
      <div className="flex items-center gap-2 max-sm:ml-auto">
        <span className="text-xs text-muted tabular-nums">
          {entries.length} of {MAX_COMPARED}
        </span>
        <Button variant="quiet" size="small" onClick={onClear}>
          Clear
        </Button>
        <Button
          variant="primary"
          size="small"
          disabled={entries.length < 2}
          onClick={onCompare}
          title={entries.length < 2 ? 'Select at least two' : undefined}
        >
          <Columns3 size={13} aria-hidden="true" /> Compare
        </Button>
      </div>
    </section>
  );
}
