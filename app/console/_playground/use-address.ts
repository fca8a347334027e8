'use client';

import { useSearchParams } from 'next/navigation';
import { useCallback } from 'react';

export type AddressChange = Readonly<Record<string, string | undefined>>;

/** The query of the page's address and a way to change it without asking the server; `push` makes a step for Back. */
export function useAddress(): { readonly query: URLSearchParams; change(values: AddressChange, how?: 'push' | 'replace'): void } {
  const query = useSearchParams();
  const change = useCallback((values: AddressChange, how: 'push' | 'replace' = 'replace') => {
    const next = new URLSearchParams(window.location.search);
    for (const [name, value] of Object.entries(values)) {
      if (value === undefined || value === '') next.delete(name);
      else next.set(name, value);
    }
    const text = next.toString();
    const address = window.location.pathname + (text && `?${text}`);
    // Next takes every change for a step of its own and lets go of what it was fetching ahead.
    if (address === window.location.pathname + window.location.search) return;
    if (how === 'push') window.history.pushState(null, '', address);
    else window.history.replaceState(null, '', address);
  }, []);
  return { query, change };
}
