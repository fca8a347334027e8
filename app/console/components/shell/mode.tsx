'use client';

import { useRouter, useSearchParams } from 'next/navigation';
import { createContext, useContext, useEffect, useState, type ReactNode } from 'react';
import type { Mode } from '../../../../lib/domain/video';
import { MODE_COOKIE, parseMode } from './mode-cookie';

// The mode of a page decides which credits and videos it shows. It comes from the URL, otherwise from the cookie of the
// last used mode, which the server reads too.

const ModeContext = createContext<Mode>('test');

const YEAR_SECONDS = 31_536_000;

export function useMode(): Mode {
  return useContext(ModeContext);
}

/** Provides the mode to the page. `remembered` is the mode that the cookie had when the server rendered the page. */
export function ModeProvider({ remembered, children }: { readonly remembered: Mode; readonly children: ReactNode }) {
  const router = useRouter();
  const urlMode = parseMode(useSearchParams().get('mode') ?? undefined);
  const [last, setLast] = useState(remembered);
  // Stored while rendering, because the URL of the next page may not contain the mode.
  if (urlMode && urlMode !== last) setLast(urlMode);

  useEffect(() => {
    if (urlMode) rememberMode(urlMode);
  }, [urlMode]);
  useEffect(() => {
    if (urlMode) return;
    // Another tab may have changed the cookie since, and the server would use that mode for this page.
    const catchUp = () => {
      const elsewhere = parseMode(readCookie(MODE_COOKIE));
      if (document.visibilityState !== 'visible' || !elsewhere || elsewhere === last) return;
      setLast(elsewhere);
      router.refresh();
    };
    document.addEventListener('visibilitychange', catchUp);
    return () => document.removeEventListener('visibilitychange', catchUp);
  }, [urlMode, last, router]);

  return <ModeContext value={urlMode ?? last}>{children}</ModeContext>;
}

export function rememberMode(mode: Mode): void {
  document.cookie = `${MODE_COOKIE}=${mode}; Path=/console; Max-Age=${YEAR_SECONDS}; SameSite=Lax`;
}

function readCookie(name: string): string | undefined {
  return document.cookie
    .split('; ')
    .find((pair) => pair.startsWith(`${name}=`))
    ?.slice(name.length + 1);
}
