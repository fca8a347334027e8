'use client';

import { defaultRangeExtractor, useWindowVirtualizer, type Range, type VirtualItem } from '@tanstack/react-virtual';
import { useEffect, useImperativeHandle, useLayoutEffect, useRef, useState, type Ref, type RefObject } from 'react';
import type { CatalogEntry } from '../../../lib/contract/models';
import { priceUnitTitles } from '../components/price/price-labels';

// Virtualized list: only visible parts are in the DOM. The window scrolls, so that Back restores the position.

/** A part of the list: the heading of a price unit, or a group of entries. */
export type ListPart =
  | { readonly kind: 'heading'; readonly title: string; readonly count: number }
  | { readonly kind: 'entries'; readonly entries: readonly CatalogEntry[]; readonly firstIndex: number };

export interface ListHandle {
  /** Focuses an entry, also outside the viewport. */
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
/** The viewport assumed on the server. */
const ASSUMED_WINDOW = { width: 1280, height: 1000 };

/** The parts near the viewport, and the heights before and after them. */
export function useVisibleParts(
  container: RefObject<HTMLDivElement | null>,
  parts: readonly ListPart[],
  partPx: number,
  perPart: number,
  handle: Ref<ListHandle>,
) {
  const wanted = useRef<number>(undefined);
  const [top, setTop] = useState(0);
  const virtualizer = useWindowVirtualizer<HTMLElement>({
    count: parts.length,
    estimateSize: (index) => (parts[index]?.kind === 'heading' ? HEADING_PX : partPx),
    overscan: perPart > 1 ? 1 : 5,
    scrollMargin: top,
    initialRect: ASSUMED_WINDOW,
    // Synchronous rendering would block scrolling.
    useFlushSync: false,
    getItemKey: (index) => keyOf(parts[index]) ?? index,
    rangeExtractor: perPart > 1 ? defaultRangeExtractor : inSteps,
  });

  // The content above the list changes its height with the filters.
  useLayoutEffect(() => {
    const measured = container.current ? Math.round(container.current.getBoundingClientRect().top + window.scrollY) : 0;
    setTop((known) => (Math.abs(known - measured) > 1 ? measured : known));
  }, [container, parts]);

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
    if (wanted.current !== undefined) virtualizer.scrollToIndex(part, { align: 'center' });
  };
  useEffect(() => {
    if (wanted.current !== undefined) focusWanted();
  });
  useImperativeHandle(handle, () => ({ focus }));

  // Arrow keys move between entries.
  useEffect(() => {
    const list = container.current;
    const onKeyDown = (event: KeyboardEvent) => {
      const step = { ArrowDown: 1, ArrowUp: -1, ...(perPart > 1 && { ArrowRight: 1, ArrowLeft: -1 }) }[event.key];
      const index = event.target instanceof HTMLElement ? Number(event.target.dataset.entry) : NaN;
      if (step === undefined || !Number.isInteger(index)) return;
      event.preventDefault();
      if (index + step < 0) document.querySelector<HTMLElement>('input[type=search]')?.focus();
      else focus(index + step);
    };
    list?.addEventListener('keydown', onKeyDown);
    return () => list?.removeEventListener('keydown', onKeyDown);
  });

  const items: readonly VirtualItem[] = virtualizer.getVirtualItems();
  return {
    measure: virtualizer.measureElement,
    shown: items.flatMap((item) => {
      const part = parts[item.index];
      return part ? [{ item, part }] : [];
    }),
    before: (items[0]?.start ?? top) - top,
    after: virtualizer.getTotalSize() - ((items.at(-1)?.end ?? top) - top),
  };
}

/** Adds and removes rows in steps, because the browser lays out the whole table for each change. */
const STEP = 4;

function inSteps(range: Range): number[] {
  const startIndex = Math.floor(range.startIndex / STEP) * STEP;
  const endIndex = Math.min(range.count - 1, Math.ceil((range.endIndex + 1) / STEP) * STEP - 1);
  return defaultRangeExtractor({ ...range, startIndex, endIndex });
}

function keyOf(part: ListPart | undefined): string | undefined {
  return part?.kind === 'heading' ? `unit ${part.title}` : part?.entries[0]?.id;
}
