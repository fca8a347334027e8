'use client';

import { useSyncExternalStore } from 'react';

// The chosen language is stored in this browser and applies to every code block.

const KEPT = 'code-language';
const CHANGED = 'patchbay:code-language';

/** The chosen language and its setter. Undefined before the first choice and on the server. */
export function useCodeLanguage(): readonly [string | undefined, (language: string) => void] {
  const language = useSyncExternalStore(subscribe, read, () => undefined);
  return [language, choose];
}

function choose(language: string): void {
  try {
    localStorage.setItem(KEPT, language);
  } catch {
    // Without storage the choice still applies until the page is left.
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
