'use client';

import { useRouter, useSearchParams } from 'next/navigation';
import { createContext, useContext, useEffect, useState, type ReactNode } from 'react';
import type { Mode } from '../../../../lib/domain/video';
import { MODE_COOKIE, parseMode } from './mode-cookie';

// Which purse and which videos a page shows: what its address says, or else what was looked at last (the cookie, which the
// server reads for the same purpose).

const ModeContext = createContext<Mode>('test');

const YEAR_SECONDS = 31_536_000;

export function useMode(): Mode {
  return useContext(ModeContext);
}

/** `remembered`: the mode of the cookie when the server made the page. */
export function ModeProvider({ remembered, children }: { readonly remembered: Mode; readonly children: ReactNode }) {
  const router = useRouter();
  const asked = parseMode(useSearchParams().get('mode') ?? undefined);
  const [last, setLast] = useState(remembered);
  // Remembered while rendering: the next page's address may no longer say it.
  if (asked && asked !== last) setLast(asked);

  useEffect(() => {
    if (asked) rememberMode(asked);
  }, [asked]);
  useEffect(() => {
    if (asked) return;
    // Another tab may have switched since; what the server answers here would follow it.
    const catchUp = () => {
      const elsewhere = parseMode(readCookie(MODE_COOKIE));
      if (document.visibilityState !== 'visible' || !elsewhere || elsewhere === last) return;
      setLast(elsewhere);
      router.refresh();
    };
    document.addEventListener('visibilitychange', catchUp);
    return () => document.removeEventListener('visibilitychange', catchUp);
  }, [asked, last, router]);

  return <ModeContext value={asked ?? last}>{children}</ModeContext>;
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
