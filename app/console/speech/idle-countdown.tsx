'use client';

import { useEffect, useState, type RefObject } from 'react';

/** The server closes a session after this time without a message. */
const IDLE_SECONDS = 60;
const SHOWN_FROM_SECONDS = 45;

/**
 * Warns before the server closes a silent connection. `activeAt` is the time of the last speech in Unix milliseconds;
 * undefined while not connected.
 */
export function IdleCountdown({ activeAt }: { readonly activeAt: RefObject<number | undefined> }) {
  const [left, setLeft] = useState<number>();
  useEffect(() => {
    const update = () => {
      const silentSeconds =
        activeAt.current === undefined ? 0 : Math.floor((new Date().getTime() - activeAt.current) / 1_000);
      setLeft(
        silentSeconds >= SHOWN_FROM_SECONDS && silentSeconds <= IDLE_SECONDS ? IDLE_SECONDS - silentSeconds : undefined,
      );
    };
    const timer = window.setInterval(update, 1_000);
    return () => window.clearInterval(timer);
  }, [activeAt]);
  return (
    <output className={left === undefined ? 'sr-only' : 'block text-sm text-muted'} data-testid="idle-countdown">
      {left !== undefined && `No speech: the connection closes in ${left} s.`}
    </output>
  );
}
