'use client';

import { memo, useRef, type Ref } from 'react';
import type { CatalogEntry } from '../../../lib/contract/models';
import { operationLabels } from '../components/operation-labels';
import { listParts, useVisibleParts, type ListHandle, type ListPart } from './catalog-list';
import {
  AvailabilityChip,
  CompareBox,
  EntryLink,
  EntryPrice,
  LifeChips,
  providerWords,
  type Comparing,
} from './entry-parts';
import { limitWords } from './entry-words';
import { FamilyMark } from './family-mark';

const ROW_PX = 61;
const COLUMNS = 5;

// No collapsed borders: browsers repaint the whole table with collapsed borders whenever a row is added or removed.

/** One row per model; in narrow containers each row becomes a block. */
export function EntryTable({
  parts,
  total,
  comparing,
  handle,
}: {
  readonly parts: readonly ListPart[];
  readonly total: number;
  readonly comparing: Comparing;
  readonly handle: Ref<ListHandle>;
}) {
  const container = useRef<HTMLDivElement>(null);
  const { measure, shown, before, after } = useVisibleParts(container, parts, ROW_PX, 1, handle);
  return (
    <div ref={container} className="@container">
      <div className="overflow-hidden rounded-xl border border-line bg-surface">
        <table
          aria-label="Models"
          aria-rowcount={total + 1}
          className="w-full border-separate border-spacing-0 text-sm @max-2xl:block @2xl:table-fixed"
        >
          <thead className="@max-2xl:sr-only">
            <tr aria-rowindex={1}>
              {[
                ['Model', ''],
                ['Capability', 'w-[24%]'],
                ['Price', 'w-[19%] text-right'],
                ['Providers', 'w-[18%]'],
              ].map(([title, className]) => (
                <th
                  key={title}
                  scope="col"
                  className={`h-9 border-b border-line bg-sunken px-3 text-left text-xs font-medium whitespace-nowrap text-muted first:pl-4 ${className}`}
                >
                  {title}
                </th>
              ))}
              <th scope="col" className="h-9 w-12 border-b border-line bg-sunken">
                <span className="sr-only">Compare</span>
              </th>
            </tr>
          </thead>
          <tbody className="@max-2xl:block">
            <Room px={before} />
            {shown.map(({ item, part }) =>
              part.kind === 'heading' ? (
                <tr key={item.key} ref={measure} data-index={item.index} className="@max-2xl:block">
                  <th
                    scope="rowgroup"
                    colSpan={COLUMNS}
                    className="h-11 border-y border-line bg-sunken px-4 text-left text-xs font-medium text-muted @max-2xl:flex @max-2xl:items-center"
                  >
                    {part.title} <span className="ml-1.5 font-normal tabular-nums">{part.count}</span>
                  </th>
                </tr>
              ) : (
                part.entries.map((entry) => (
                  <Line
                    key={item.key}
                    ref={measure}
                    row={item.index}
                    index={part.firstIndex}
                    entry={entry}
                    comparing={comparing}
                  />
                ))
              ),
            )}
            <Room px={after} />
          </tbody>
        </table>
      </div>
    </div>
  );
}

/** Splits the entries into parts of one entry each, for the table. */
export function tableParts(entries: readonly CatalogEntry[], byUnit: boolean): readonly ListPart[] {
  return listParts(entries, 1, byUnit);
}

/** Reserves the space of the rows outside the viewport. */
function Room({ px }: { readonly px: number }) {
  return px <= 0 ? null : <tr aria-hidden="true" style={{ height: px }} className="@max-2xl:block" />;
}

/** Memoized, so that scrolling renders only new rows. */
const Line = memo(function Line({
  entry,
  index,
  row,
  comparing,
  ref,
}: {
  readonly entry: CatalogEntry;
  readonly index: number;
  readonly row: number;
  readonly comparing: Comparing;
  readonly ref: Ref<HTMLTableRowElement>;
}) {
  return (
    <tr
      ref={ref}
      data-index={row}
      aria-rowindex={index + 2}
      className="relative transition-colors hover:bg-hover @max-2xl:border-b @max-2xl:border-line @2xl:[&>td]:border-b @2xl:[&>td]:border-line @max-2xl:grid @max-2xl:grid-cols-2 @max-2xl:gap-x-4 @max-2xl:gap-y-2.5 @max-2xl:px-4 @max-2xl:py-3.5"
    >
      <td className="min-w-0 @max-2xl:col-span-2 @max-2xl:pr-10 @2xl:h-15 @2xl:py-2 @2xl:pr-3 @2xl:pl-4">
        <div className="flex min-w-0 items-center gap-3">
          <FamilyMark family={entry.family} />
          <div className="min-w-0">
            <div className="flex min-w-0 items-center gap-2">
              <span className="min-w-0 truncate">
                <EntryLink entry={entry} index={index} />
              </span>
              <LifeChips entry={entry} />
            </div>
            <div className="truncate font-mono text-xs text-muted">{entry.id}</div>
          </div>
        </div>
      </td>
      <td className="min-w-0 @max-2xl:col-span-2 @2xl:px-3 @2xl:py-2">
        <span className="block truncate">{operationLabels[entry.operation]}</span>
        <span className="block truncate text-xs text-muted" title={limitWords(entry)}>
          {limitWords(entry)}
        </span>
      </td>
      <td className="min-w-0 @2xl:px-3 @2xl:py-2 @2xl:text-right">
        <EntryPrice entry={entry} />
      </td>
      <td className="min-w-0 @2xl:px-3 @2xl:py-2">
        <span
          className="mb-0.5 block truncate text-xs text-muted"
          title={entry.providers.map(({ id }) => id).join(', ')}
        >
          {providerWords(entry)}
        </span>
        <AvailabilityChip entry={entry} />
      </td>
      <td className="@max-2xl:absolute @max-2xl:top-2 @max-2xl:right-2 @2xl:pr-2 @2xl:text-center">
        <CompareBox entry={entry} comparing={comparing} />
      </td>
    </tr>
  );
});
