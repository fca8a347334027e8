import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState, type RefObject } from 'react';
import { keepTabText, readTabText } from '../components/tab-storage';

// Decides which rows of a long list to render: those near the viewport of the window, which scrolls the list. The
// height of a row is estimated until the row has been shown and measured.

/** The viewport, in pixels below the top of the list. */
interface View {
  readonly from: number;
  readonly height: number;
}

/** The viewport assumed on the server. */
const ASSUMED_VIEW: View = { from: 0, height: 1000 };

export interface WindowListOptions {
  readonly container: RefObject<HTMLElement | null>;
  /** One per row, unique. */
  readonly keys: readonly string[];
  estimatePx(index: number): number;
  /** Rows before and after those in the viewport. */
  readonly overscan: number;
  /** Rows are added and removed in multiples of this number. */
  readonly step: number;
  /** The name under which the tab stores the measured heights, so that Back leads to the same rows. */
  readonly keptAs: string;
}

export function useWindowList({ container, keys, estimatePx, overscan, step, keptAs }: WindowListOptions) {
  /** The heights of the rows that have been shown, by key. */
  const [heights, setHeights] = useState<ReadonlyMap<string, number>>(new Map());
  const [view, setView] = useState(ASSUMED_VIEW);
  useKeptHeights(keptAs, heights, setHeights);

  /** The position of each row, and of the end of the list, in pixels below the top of the list. */
  const starts = useMemo(() => {
    const positions = [0];
    keys.forEach((key, index) => positions.push(positions[index]! + (heights.get(key) ?? estimatePx(index))));
    return positions;
  }, [keys, estimatePx, heights]);

  const rangeOf = useCallback(
    ({ from, height }: View) => {
      const first = Math.max(0, rowAt(starts, from) - overscan);
      const last = Math.min(keys.length - 1, rowAt(starts, from + height) + overscan);
      return {
        first: Math.floor(first / step) * step,
        last: Math.min(keys.length, Math.ceil((last + 1) / step) * step) - 1,
      };
    },
    [keys, overscan, starts, step],
  );

  // Scrolling renders only if it changes the rows.
  useLayoutEffect(() => {
    const update = () => {
      const next = { from: -topOf(container.current), height: window.innerHeight };
      const { first, last } = rangeOf(next);
      setView((known) => {
        const range = rangeOf(known);
        return range.first === first && range.last === last ? known : next;
      });
    };
    update();
    window.addEventListener('scroll', update, { passive: true });
    window.addEventListener('resize', update);
    return () => {
      window.removeEventListener('scroll', update);
      window.removeEventListener('resize', update);
    };
  }, [container, rangeOf]);

  const shownKeys = useRef(keys);
  useLayoutEffect(() => {
    shownKeys.current = keys;
  });
  const observer = useRef<ResizeObserver>(undefined);
  useEffect(() => () => observer.current?.disconnect(), []);
  /** The `ref` of each row. A row has its index in `data-index`. */
  const measure = useCallback((row: HTMLElement | null) => {
    if (!row) return;
    const rows = (observer.current ??= new ResizeObserver((entries) => {
      const measured = entries.flatMap(({ target, borderBoxSize }): [string, number][] => {
        const key = target instanceof HTMLElement ? shownKeys.current[Number(target.dataset.index)] : undefined;
        const px = Math.round(borderBoxSize[0]?.blockSize ?? 0);
        return key === undefined || px === 0 || !target.isConnected ? [] : [[key, px]];
      });
      setHeights((known) =>
        measured.every(([key, px]) => known.get(key) === px) ? known : new Map([...known, ...measured]),
      );
    }));
    rows.observe(row);
    return () => rows.unobserve(row);
  }, []);

  const { first, last } = rangeOf(view);
  return {
    measure,
    shown: Array.from({ length: last - first + 1 }, (_, place) => {
      const index = first + place;
      return { index, key: keys[index]! };
    }),
    /** The height of the rows before and after those that are rendered. */
    beforePx: starts[first]!,
    afterPx: starts.at(-1)! - starts[last + 1]!,
    /** Scrolls the row to the middle of the window. */
    scrollTo(index: number) {
      const middle = topOf(container.current) + (starts[index]! + starts[index + 1]!) / 2;
      window.scrollBy({ top: middle - window.innerHeight / 2 });
    },
  };
}

/**
 * Stores the heights in the tab. The browser restores the scroll position of a page, which shows the same rows only if
 * the rows above have the same heights.
 */
function useKeptHeights(
  name: string,
  heights: ReadonlyMap<string, number>,
  setHeights: (change: (known: ReadonlyMap<string, number>) => ReadonlyMap<string, number>) => void,
): void {
  const latest = useRef(heights);
  useLayoutEffect(() => {
    latest.current = heights;
  });
  useLayoutEffect(() => {
    // The heights depend on the width of the window.
    const kept = `${name} ${window.innerWidth}`;
    const stored = heightsOf(readTabText(kept));
    if (stored.length > 0) setHeights((known) => new Map([...stored, ...known]));
    return () => void keepTabText(kept, JSON.stringify([...latest.current]));
  }, [name, setHeights]);
}

function heightsOf(text: string | null): readonly [string, number][] {
  if (text === null) return [];
  try {
    return JSON.parse(text) as [string, number][]; // Safe: what `useKeptHeights` has written.
  } catch {
    return [];
  }
}

const topOf = (list: HTMLElement | null) => list?.getBoundingClientRect().top ?? 0;

/** Returns the row at this position; beyond the ends, the first or the last row. */
function rowAt(starts: readonly number[], px: number): number {
  let [low, high] = [0, Math.max(0, starts.length - 2)];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (starts[middle]! <= px) low = middle;
    else high = middle - 1;
  }
  return low;
}
