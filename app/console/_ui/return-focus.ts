'use client';

import { useRef } from 'react';

/**
 * For dialogs that are opened by state and not by a trigger of their own: remembers where the focus was when one opens, and
 * gives it back when it closes. `onOpen` and `onClose` go to the dialog's own focus events.
 */
export function useReturnFocus(): { onOpen(): void; onClose(event: Event): void } {
  const before = useRef<Element>(null);
  return {
    onOpen() {
      before.current = document.activeElement;
    },
    onClose(event) {
      // Otherwise the dialog would look for its trigger, find none, and leave the focus nowhere.
      event.preventDefault();
      if (before.current instanceof HTMLElement && before.current.isConnected) before.current.focus();
    },
  };
}
