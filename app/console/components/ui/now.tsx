'use client';

import { createContext, useContext, useEffect, useState, type ReactNode } from 'react';

// The current time for relative times. The first render uses the server's time, so that server and browser render the
// same; afterwards the browser's time.

const Now = createContext(0);

const TICK_INTERVAL_MS = 5_000;

export function NowProvider({ startMs, children }: { readonly startMs: number; readonly children: ReactNode }) {
  const [nowMs, setNowMs] = useState(startMs);
  useEffect(() => {
    const tick = () => setNowMs(new Date().getTime());
    tick();
    const timer = window.setInterval(tick, TICK_INTERVAL_MS);
    return () => window.clearInterval(timer);
  }, []);
  return <Now value={nowMs}>{children}</Now>;
}

/** Returns the current time in Unix milliseconds. */
export function useNow(): number {
  return useContext(Now);
}
