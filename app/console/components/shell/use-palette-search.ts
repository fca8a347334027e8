'use client';

import { useEffect, useState } from 'react';
import useSWR from 'swr';
import type { FoundJson, FoundListJson } from '../../../../lib/contract/activity';
import { ask } from '../../console-api';
import { apiPaths } from '../../api-paths';

/** Typing pause before the server is searched. */
const DEBOUNCE_MS = 120;
const MIN_SEARCH_CHARS = 2;

/** Searches models, keys, requests and guides on the server. A text of one letter finds nothing. */
export function usePaletteSearch(text: string): {
  readonly results: readonly FoundJson[];
  readonly error: unknown;
  /** The results of this text are not there yet. */
  readonly isWaiting: boolean;
} {
  const wanted = text.trim();
  const searched = usePaused(wanted);
  const isSearching = searched.length >= MIN_SEARCH_CHARS;
  const found = useSWR(isSearching ? apiPaths.search(searched) : null, (path) => ask<FoundListJson>(path), {
    keepPreviousData: true,
    shouldRetryOnError: false,
  });
  return {
    results: isSearching ? (found.data?.data ?? []) : [],
    error: found.error,
    isWaiting: wanted.length >= MIN_SEARCH_CHARS && (found.isLoading || searched !== wanted),
  };
}

function usePaused(value: string): string {
  const [paused, setPaused] = useState(value);
  useEffect(() => {
    const timer = window.setTimeout(() => setPaused(value), DEBOUNCE_MS);
    return () => window.clearTimeout(timer);
  }, [value]);
  return paused;
}
