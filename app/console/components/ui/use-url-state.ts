'use client';

import { useSearchParams } from 'next/navigation';
import { useCallback } from 'react';

// The state of a page is in its URL: a reload, a link and the Back button all lead to the same view.

type Changes = Readonly<Record<string, string | undefined>>;

/**
 * Returns the query of the URL, and a function that changes it without fetching the page again. An undefined value
 * removes its parameter.
 */
export function useUrlState(): {
  readonly query: URLSearchParams;
  change(changes: Changes, history?: 'push' | 'replace'): void;
} {
  const search = useSearchParams();
  const change = useCallback((changes: Changes, history: 'push' | 'replace' = 'push') => {
    // Read from the URL itself, so that two changes in one render do not overwrite each other.
    const query = new URLSearchParams(window.location.search);
    for (const [name, value] of Object.entries(changes)) {
      if (value === undefined || value === '') query.delete(name);
      else query.set(name, value);
    }
    const url = window.location.pathname + (query.size > 0 ? `?${query}` : '');
    if (url === window.location.pathname + window.location.search) return;
    if (history === 'push') window.history.pushState(null, '', url);
    else window.history.replaceState(null, '', url);
  }, []);
  return { query: new URLSearchParams(search), change };
}
