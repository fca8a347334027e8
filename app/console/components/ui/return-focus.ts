'use client';

import { useRef } from 'react';

// Remembers the control on the page that had the focus last. The trigger of a dialog may be gone when the dialog closes
// (a menu item or another dialog); then the focus returns to this control.
let onPage: Place | undefined;

/** A control and its position. The control may be removed with its row, if the dialog deletes what the row shows. */
interface Place {
  readonly control: HTMLElement;
  readonly rows: HTMLElement | null;
  readonly index: number;
  readonly section: HTMLElement | null;
}

function placeOf(control: HTMLElement): Place {
  const row = control.closest<HTMLElement>('tr, li');
  const rows = row?.parentElement ?? null;
  return {
    control,
    rows,
    index: row && rows ? [...rows.children].indexOf(row) : 0,
    section: control.closest<HTMLElement>('section'),
  };
}

function note(element: EventTarget | null): void {
  if (!(element instanceof HTMLElement) || element === document.body || element.closest('[role="dialog"]')) return;
  const menu = element.closest('[role="menu"]');
  const control = menu ? document.getElementById(menu.getAttribute('aria-labelledby') ?? '') : element;
  if (control) onPage = placeOf(control);
}

if (typeof document !== 'undefined') {
  // This file loads with the first dialog, after the click that opened it.
  note(document.activeElement);
  document.addEventListener('focusin', ({ target }) => note(target));
}

/**
 * Focuses the control. If it is gone, focuses the row that took its place, the last row, or the heading of the section
 * or the page.
 */
function focusPlace({ control, rows, index, section }: Place): void {
  if (control.isConnected) return control.focus();
  const row = rows?.isConnected ? (rows.children[index] ?? rows.lastElementChild) : null;
  // The last control, because the actions of a row are at its end.
  const next = [...(row?.querySelectorAll<HTMLElement>('a[href], button:not(:disabled)') ?? [])].at(-1);
  if (next) return next.focus();
  const heading =
    (section?.isConnected ? section.querySelector<HTMLElement>('h2, h3') : null) ??
    document.querySelector<HTMLElement>('main h1');
  if (!heading) return;
  heading.tabIndex = -1;
  heading.focus();
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
      if (before.current?.isConnected) before.current.focus();
      else if (onPage) focusPlace(onPage);
    },
  };
}
