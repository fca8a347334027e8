'use client';

import { useEffect, useState, type RefObject } from 'react';

/** The server closes a socket on which nothing was said for so long. */
const IDLE_SECONDS = 60;
const TOLD_FROM_SECONDS = 45;

/** Says that the connection is about to be closed for silence. `activeAt` is when something was last said, in Unix milliseconds; undefined: not connected. */
export function IdleCountdown({ activeAt }: { readonly activeAt: RefObject<number | undefined> }) {
  const [left, setLeft] = useState<number>();
  useEffect(() => {
    const update = () => {
      const silentSeconds =
        activeAt.current === undefined ? 0 : Math.floor((new Date().getTime() - activeAt.current) / 1_000);
      setLeft(
        silentSeconds >= TOLD_FROM_SECONDS && silentSeconds <= IDLE_SECONDS ? IDLE_SECONDS - silentSeconds : undefined,
      );
    };
    const timer = window.setInterval(update, 500);
    return () => window.clearInterval(timer);
  }, [activeAt]);
  return (
    <output className={left === undefined ? 'sr-only' : 'mt-3 block text-sm text-muted'} data-testid="idle-countdown">
      {left !== undefined && `No speech: the connection closes in ${left} s.`}
    </output>
  );
}
