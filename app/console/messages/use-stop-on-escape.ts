'use client';

import { useEffect, useEffectEvent } from 'react';

/** Stops the running answers when the user presses Esc, unless Esc closes something that is open. */
export function useStopOnEscape(isRunning: boolean, stop: () => void): void {
  const onEscape = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented || !isRunning) return;
    if (document.querySelector('[role="dialog"], [role="menu"], [role="listbox"]')) return;
    event.preventDefault();
    stop();
  });
  useEffect(() => {
    window.addEventListener('keydown', onEscape);
    return () => window.removeEventListener('keydown', onEscape);
  }, []);
}
