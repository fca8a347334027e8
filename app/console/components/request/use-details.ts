'use client';

import useSWR from 'swr';
import { ask } from '../../console-api';

const FAST_REFRESH_INTERVAL_MS = 1_000;
const SLOW_REFRESH_INTERVAL_MS = 15_000;

/**
 * The details of one request, refreshed periodically, and more often while it changes. `initial` was loaded with the
 * page; `path` is the API path.
 */
export function useDetails<Details>(
  path: string,
  initial: Details,
  isMoving: (details: Details) => boolean,
): { readonly details: Details; readonly error: unknown; refresh(): Promise<unknown> } {
  const { data, error, mutate } = useSWR<Details, unknown>(path, (wanted: string) => ask(wanted), {
    fallbackData: initial,
    refreshInterval: (latest) => (isMoving(latest ?? initial) ? FAST_REFRESH_INTERVAL_MS : SLOW_REFRESH_INTERVAL_MS),
  });
  return { details: data ?? initial, error, refresh: () => mutate() };
}
