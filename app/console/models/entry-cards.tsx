'use client';

import { memo, useRef, type Ref } from 'react';
import type { CatalogEntry } from '../../../lib/contract/models';
import { operationLabels } from '../components/operation-labels';
import { priceRangeLabel, priceUnitLabels } from '../components/price/price-labels';
import { Chip } from '../components/ui/chip';
import { CARDS_PER_PART, useVisibleParts, type ListHandle, type ListPart } from './catalog-list';
import { AvailabilityChip, CompareBox, EntryLink, LifeChips, type Comparing } from './entry-parts';
import { limitWords } from './entry-words';
import { FamilyMark } from './family-mark';

const PART_PX = 900;

export function EntryCards({
  parts,
  comparing,
  handle,
}: {
  readonly parts: readonly ListPart[];
  readonly comparing: Comparing;
  readonly handle: Ref<ListHandle>;
}) {
  const container = useRef<HTMLDivElement>(null);
  const { measure, shown, before, after } = useVisibleParts(container, parts, PART_PX, CARDS_PER_PART, handle);
  return (
    <div ref={container}>
      <div style={{ height: Math.max(0, before) }} />
      {shown.map(({ item, part }) =>
        part.kind === 'heading' ? (
          <h2
            key={item.key}
            ref={measure}
            data-index={item.index}
            className="flex h-11 items-center gap-2 text-sm font-medium"
          >
            {part.title} <span className="font-normal text-muted tabular-nums">{part.count}</span>
          </h2>
        ) : (
          <ul
            key={item.key}
            ref={measure}
            data-index={item.index}
            className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,17rem),1fr))] gap-3 pb-3"
          >
            {part.entries.map((entry, index) => (
              <CardOf key={entry.id} entry={entry} index={part.firstIndex + index} comparing={comparing} />
            ))}
          </ul>
        ),
      )}
      <div style={{ height: Math.max(0, after) }} />
    </div>
  );
}

const CardOf = memo(function CardOf({
  entry,
  index,
  comparing,
}: {
  readonly entry: CatalogEntry;
  readonly index: number;
  readonly comparing: Comparing;
}) {
  return (
    <li className="relative flex min-w-0 flex-col rounded-xl border border-line bg-surface p-4 transition-colors hover:border-line-strong">
      <div className="flex items-start gap-3">
        <FamilyMark family={entry.family} />
        <div className="min-w-0 flex-1">
          <div className="leading-5">
            <EntryLink entry={entry} index={index} />
          </div>
          <div className="truncate font-mono text-xs text-muted">{entry.id}</div>
        </div>
      </div>
      <p className="mt-3 line-clamp-3 text-sm text-muted">{entry.description}</p>
      <div className="mt-3 flex flex-wrap gap-1.5">
        <Chip tone="accent">{operationLabels[entry.operation]}</Chip>
        <LifeChips entry={entry} />
        <AvailabilityChip entry={entry} />
      </div>
      <p className="mt-3 text-xs text-muted">{limitWords(entry)}</p>
      <div className="mt-auto flex items-center justify-between gap-3 pt-3">
        <div className="min-w-0 text-sm tabular-nums">
          {entry.price ? (
            <>
              {priceRangeLabel(entry.price)}{' '}
              <span className="text-xs text-muted">/ {priceUnitLabels[entry.price.unit]}</span>
            </>
          ) : (
            <span className="text-muted">No price</span>
          )}
        </div>
        <CompareBox entry={entry} comparing={comparing} words />
      </div>
    </li>
  );
});
