'use client';

import { useSearchParams } from 'next/navigation';
import { useCallback } from 'react';

// What a page shows lives in its address: a reload, a link and the Back button all lead to the same view.

type Changes = Readonly<Record<string, string | undefined>>;

/** The query of the address, and how to change it without asking the server for the page again. An absent value is removed. */
export function useAddressState(): {
  readonly query: URLSearchParams;
  change(changes: Changes, how?: 'push' | 'replace'): void;
} {
  const search = useSearchParams();
  const change = useCallback((changes: Changes, how: 'push' | 'replace' = 'push') => {
    // From the address itself, so that two changes at once do not undo each other.
    const query = new URLSearchParams(window.location.search);
    for (const [name, value] of Object.entries(changes)) {
      if (value === undefined || value === '') query.delete(name);
      else query.set(name, value);
    }
    const address = window.location.pathname + (query.size > 0 ? `?${query}` : '');
    if (address === window.location.pathname + window.location.search) return;
    if (how === 'push') window.history.pushState(null, '', address);
    else window.history.replaceState(null, '', address);
  }, []);
  return { query: new URLSearchParams(search), change };
}
