'use client';

import { useSyncExternalStore } from 'react';

// Who reads Python wants Python on every page: the choice is kept in this browser, and every block of code follows it.

const KEPT = 'code-language';
const CHANGED = 'patchbay:code-language';

/** The language that was chosen last, and how to choose another; undefined until somebody has chosen, and on the server. */
export function useCodeLanguage(): readonly [string | undefined, (language: string) => void] {
  const language = useSyncExternalStore(subscribe, read, () => undefined);
  return [language, choose];
}

function choose(language: string): void {
  try {
    localStorage.setItem(KEPT, language);
  } catch {
    // A browser that keeps nothing still shows what was chosen, until the page is left.
    document.documentElement.dataset.codeLanguage = language;
  }
  window.dispatchEvent(new Event(CHANGED));
}

function read(): string | undefined {
  try {
    return localStorage.getItem(KEPT) ?? document.documentElement.dataset.codeLanguage;
  } catch {
    return document.documentElement.dataset.codeLanguage;
  }
}

function subscribe(onChange: () => void): () => void {
  window.addEventListener(CHANGED, onChange);
  window.addEventListener('storage', onChange);
  return () => {
    window.removeEventListener(CHANGED, onChange);
    window.removeEventListener('storage', onChange);
  };
}
