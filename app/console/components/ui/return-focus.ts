'use client';

import { useRef } from 'react';

// Remembers the control on the page that had the focus last. The trigger of a dialog may be gone when the dialog closes
// (a menu item or another dialog); then the focus returns to this control.
let onPage: HTMLElement | undefined;

function note(element: EventTarget | null): void {
  if (!(element instanceof HTMLElement) || element === document.body || element.closest('[role="dialog"]')) return;
  const menu = element.closest('[role="menu"]');
  onPage = (menu ? document.getElementById(menu.getAttribute('aria-labelledby') ?? '') : element) ?? onPage;
}

if (typeof document !== 'undefined') {
  // This file loads with the first dialog, after the click that opened it.
  note(document.activeElement);
  document.addEventListener('focusin', ({ target }) => note(target));
}

/**
 * Focus return for dialogs that are opened by state instead of a trigger. `onOpen` and `onClose` are handlers for the
 * focus events of the dialog.
 */
export function useReturnFocus(): { onOpen(): void; onClose(event: Event): void } {
  const before = useRef<HTMLElement>(null);
  return {
    onOpen() {
      const active = document.activeElement;
      before.current = active instanceof HTMLElement && active !== document.body ? active : null;
    },
    onClose(event) {
      // Otherwise the dialog would look for its trigger, find none, and drop the focus.
      event.preventDefault();
      // The user has moved the focus already.
      const active = document.activeElement;
      if (active && active !== document.body && !active.closest('[role="dialog"]')) return;
      (before.current?.isConnected ? before.current : onPage)?.focus();
    },
  };
}
