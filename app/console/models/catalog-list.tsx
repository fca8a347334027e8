'use client';

import { useCallback, useEffect, useImperativeHandle, useMemo, useRef, type Ref, type RefObject } from 'react';
import type { CatalogEntry } from '../../../lib/contract/models';
import { priceUnitTitles } from '../components/price/price-labels';
import { useWindowList } from './window-list';

// Virtualized list: only visible parts are in the DOM. The window scrolls, so that Back restores the position.

/** A part of the list: the heading of a price unit, or a group of entries. */
export type ListPart =
  | { readonly kind: 'heading'; readonly title: string; readonly count: number }
  | { readonly kind: 'entries'; readonly entries: readonly CatalogEntry[]; readonly firstIndex: number };

export interface ListHandle {
  /** Focuses an entry, scrolling to it if it is outside the viewport. */
  focus(index: number): void;
}

/** Splits entries into parts of `perPart`; `byUnit` adds headings where the price unit changes. */
export function listParts(entries: readonly CatalogEntry[], perPart: number, byUnit: boolean): readonly ListPart[] {
  const parts: ListPart[] = [];
  let index = 0;
  while (index < entries.length) {
    const unit = entries[index]?.price?.unit;
    const end = byUnit ? endOfUnit(entries, index) : entries.length;
    if (byUnit)
      parts.push({ kind: 'heading', title: unit ? priceUnitTitles[unit] : 'Without a price', count: end - index });
    for (; index < end; index += perPart)
      parts.push({ kind: 'entries', entries: entries.slice(index, Math.min(index + perPart, end)), firstIndex: index });
    index = end;
  }
  return parts;
}

/** A multiple of 1 to 4 columns, so that parts fill whole rows in every layout. */
export const CARDS_PER_PART = 12;

function endOfUnit(entries: readonly CatalogEntry[], from: number): number {
  const unit = entries[from]?.price?.unit;
  let end = from;
  while (end < entries.length && entries[end]?.price?.unit === unit) end += 1;
  return end;
}

const HEADING_PX = 44;
/** Rows are added and removed this many at a time, because the browser lays out the whole table for each change. */
const STEP = 4;

/** The parts near the viewport, and the heights before and after them. */
export function useVisibleParts(
  container: RefObject<HTMLDivElement | null>,
  parts: readonly ListPart[],
  partPx: number,
  perPart: number,
  handle: Ref<ListHandle>,
) {
  const wanted = useRef<number>(undefined);
  const keys = useMemo(() => parts.map(keyOf), [parts]);
  const estimatePx = useCallback(
    (index: number) => (parts[index]?.kind === 'heading' ? HEADING_PX : partPx),
    [parts, partPx],
  );
  const list = useWindowList({
    container,
    keys,
    estimatePx,
    overscan: perPart > 1 ? 1 : 5,
    step: perPart > 1 ? 1 : STEP,
    keptAs: perPart > 1 ? 'catalog-card-heights' : 'catalog-row-heights',
  });

  const focusWanted = () => {
    const link = container.current?.querySelector<HTMLElement>(`[data-entry="${wanted.current}"]`);
    if (!link) return;
    wanted.current = undefined;
    link.focus();
  };
  const focus = (index: number) => {
    const part = parts.findIndex(
      (each) => each.kind === 'entries' && index >= each.firstIndex && index < each.firstIndex + each.entries.length,
    );
    if (part < 0) return;
    wanted.current = index;
    focusWanted();
    if (wanted.current !== undefined) list.scrollTo(part);
  };
  useEffect(() => {
    if (wanted.current !== undefined) focusWanted();
  });
  useImperativeHandle(handle, () => ({ focus }));

  // Arrow keys move between entries.
  useEffect(() => {
    const element = container.current;
    const onKeyDown = (event: KeyboardEvent) => {
      const step = { ArrowDown: 1, ArrowUp: -1, ...(perPart > 1 && { ArrowRight: 1, ArrowLeft: -1 }) }[event.key];
      const index = event.target instanceof HTMLElement ? Number(event.target.dataset.entry) : NaN;
      if (step === undefined || !Number.isInteger(index)) return;
      event.preventDefault();
      if (index + step < 0) document.querySelector<HTMLElement>('input[type=search]')?.focus();
      else focus(index + step);
    };
    element?.addEventListener('keydown', onKeyDown);
    return () => element?.removeEventListener('keydown', onKeyDown);
  });

  return {
    measure: list.measure,
    shown: list.shown.map((item) => ({ item, part: parts[item.index]! })),
    before: list.beforePx,
    after: list.afterPx,
  };
}

function keyOf(part: ListPart): string {
  return part.kind === 'heading' ? `unit ${part.title}` : part.entries[0]!.id;
}
