'use client';

import { useEffect, useRef, useState } from 'react';
import { paths } from '../../paths';
import { destinationsOf } from './destinations';
import { usePageTransition } from './page-transition';

// Single-key shortcuts, disabled while the user types. Pages mark their targets: `data-search` on the search field,
// `data-new` on the create button, `data-copy-id` on the element with the id of the page.

const SEQUENCE_MS = 1_500;
const ANNOUNCEMENT_MS = 2_000;

interface Layers {
  readonly isOperator: boolean;
  openPalette(): void;
  openSheet(): void;
}

/** Listens to the keyboard. Returns the text for the live region, such as `Copied video_…`. */
export function useShortcuts({ isOperator, openPalette, openSheet }: Layers): string {
  const { go } = usePageTransition();
  const [announcement, setAnnouncement] = useState('');
  const goUntil = useRef(0);

  useEffect(() => {
    if (!announcement) return;
    const timer = window.setTimeout(() => setAnnouncement(''), ANNOUNCEMENT_MS);
    return () => window.clearTimeout(timer);
  }, [announcement]);

  useEffect(() => {
    function press(event: KeyboardEvent) {
      if (event.defaultPrevented || event.isComposing) return;
      const key = event.key.toLowerCase();
      if (key === 'k' && (event.metaKey || event.ctrlKey) && !event.altKey && !event.shiftKey) {
        if (document.querySelector('[role="dialog"]')) return;
        event.preventDefault();
        openPalette();
        return;
      }
      if (event.metaKey || event.ctrlKey || event.altKey || isBusyElsewhere(event.target)) return;
      if (goUntil.current > performance.now()) {
        goUntil.current = 0;
        const destination = destinationsOf(isOperator).find((each) => each.key === key);
        if (!destination) return;
        event.preventDefault();
        go(destination.path, destination.label);
        return;
      }
      if (runSingle(key)) event.preventDefault();
    }

    function runSingle(key: string): boolean {
      switch (key) {
        case 'g':
          goUntil.current = performance.now() + SEQUENCE_MS;
          return true;
        case 'n': {
          const maker = marked('data-new');
          if (maker) maker.click();
          else go(paths.playground(), 'Playground');
          return true;
        }
        case '/': {
          const search = marked('data-search');
          if (search) search.focus();
          else openPalette();
          return true;
        }
        case '?':
          openSheet();
          return true;
        case 'c': {
          const shown = marked('data-copy-id');
          if (!shown) return false;
          // A copy button shows its own confirmation.
          if (shown instanceof HTMLButtonElement) shown.click();
          else
            void navigator.clipboard
              ?.writeText(shown.dataset.copyId ?? '')
              .then(() => setAnnouncement(`Copied ${shown.dataset.copyId}`));
          return true;
        }
        default:
          return false;
      }
    }

    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, [go, isOperator, openPalette, openSheet]);

  return announcement;
}

/** The first visible element with the attribute. */
function marked(mark: string): HTMLElement | undefined {
  return [...document.querySelectorAll<HTMLElement>(`[${mark}]`)].find((element) => element.checkVisibility());
}

/** True while the user types, or while a dialog or menu has the focus. */
function isBusyElsewhere(target: EventTarget | null): boolean {
  if (target instanceof HTMLElement && (target.isContentEditable || target.closest('input, textarea, select'))) {
    const field = target.closest('input');
    if (!field || !['checkbox', 'radio', 'button', 'submit'].includes(field.type)) return true;
  }
  return document.querySelector('[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]') !== null;
}
