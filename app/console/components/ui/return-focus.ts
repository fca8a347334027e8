'use client';

import { useRef } from 'react';

// The control on the page itself that had the focus last. A dialog that was chosen from a menu, or that follows another one,
// is opened by something that is gone when it closes; then the focus goes back to where all of it began.
let onPage: HTMLElement | undefined;

function note(element: EventTarget | null): void {
  if (!(element instanceof HTMLElement) || element === document.body || element.closest('[role="dialog"]')) return;
  const menu = element.closest('[role="menu"]');
  onPage = (menu ? document.getElementById(menu.getAttribute('aria-labelledby') ?? '') : element) ?? onPage;
}

if (typeof document !== 'undefined') {
  // This file comes with the first dialog, after the press that opens it.
  note(document.activeElement);
  document.addEventListener('focusin', ({ target }) => note(target));
}

/**
 * For dialogs that are opened by state and not by a trigger of their own: remembers where the focus was when one opens, and
 * gives it back when it closes. `onOpen` and `onClose` go to the dialog's own focus events.
 */
export function useReturnFocus(): { onOpen(): void; onClose(event: Event): void } {
  const before = useRef<HTMLElement>(null);
  return {
    onOpen() {
      const active = document.activeElement;
      before.current = active instanceof HTMLElement && active !== document.body ? active : null;
    },
    onClose(event) {
      // Otherwise the dialog would look for its trigger, find none, and leave the focus nowhere.
      event.preventDefault();
      // Somebody was quicker than the dialog's end, and is somewhere else already.
      const active = document.activeElement;
      if (active && active !== document.body && !active.closest('[role="dialog"]')) return;
      (before.current?.isConnected ? before.current : onPage)?.focus();
    },
  };
}
