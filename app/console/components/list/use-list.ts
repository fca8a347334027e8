'use client';

import useSWR from 'swr';
import { ask } from '../../console-api';
import { useLate } from '../ui/use-late';

const FAST_REFRESH_INTERVAL_MS = 1_500;
const SLOW_REFRESH_INTERVAL_MS = 5_000;

/** A page of a list with the ids of its first and last entry, as the API returns it. */
export interface Listed<Item> {
  readonly data: readonly Item[];
  readonly has_more: boolean;
  readonly last_id: string | null;
}

/** A response with the path that it belongs to. */
type Answered<Item> = Listed<Item> & { readonly path: string };

export interface LiveList<Item> {
  /** Undefined until the response for the current filters arrives. */
  readonly data: Listed<Item> | undefined;
  /** Like `data`, but keeps the response for the previous filters until the new one arrives. */
  readonly latest: Listed<Item> | undefined;
  readonly error: unknown;
  readonly isLoading: boolean;
  /** True if the response is so late that a placeholder is shown. */
  readonly isLate: boolean;
  retry(): void;
}

/**
 * A list that refreshes itself, more often while one of its entries is running. `path` is the API path; `initial` is
 * the response that was loaded with the page.
 */
export function useList<Item>(
  path: string,
  initial: { readonly path: string; readonly found: Listed<Item> } | undefined,
  isRunning: (item: Item) => boolean,
): LiveList<Item> {
  const {
    data: latest,
    error,
    isLoading,
    mutate,
  } = useSWR<Answered<Item>, unknown>(
    path,
    async (wanted: string) => ({ path: wanted, ...(await ask<Listed<Item>>(wanted)) }),
    {
      ...(path === initial?.path ? { fallbackData: { path, ...initial.found } } : {}),
      // Keeps the previous list while loading, so that the page does not flash.
      keepPreviousData: true,
      refreshInterval: (shown) => (shown?.data.some(isRunning) ? FAST_REFRESH_INTERVAL_MS : SLOW_REFRESH_INTERVAL_MS),
    },
  );
  const data = latest?.path === path ? latest : undefined;
  const isLate = useLate(!data && error === undefined);
  return { data, latest, error, isLoading, isLate, retry: () => void mutate() };
}
