'use client';

import { useState, type FormEvent } from 'react';
import { ConsoleError } from '../console-api';
import { fieldOf, type KeyDraft } from './key-draft';
import type { KeyFormError } from './key-fields';

/** State and submission of a key form. After a failed submission the field with the error gets the focus. */
export function useKeyForm(initial: KeyDraft, save: (draft: KeyDraft) => Promise<void>) {
  const [draft, setDraft] = useState(initial);
  const [error, setError] = useState<KeyFormError>();
  const [busy, setBusy] = useState(false);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    setBusy(true);
    setError(undefined);
    try {
      await save(draft);
    } catch (error) {
      const field = fieldOf(error instanceof ConsoleError ? error.param : undefined);
      setError({ field, message: error instanceof Error ? error.message : 'Something went wrong. Try again.' });
      // In the next frame, after the fields below "More options" are rendered.
      if (field !== undefined)
        requestAnimationFrame(() => form.querySelector<HTMLElement>(`[name="${field}"]`)?.focus());
    }
    setBusy(false);
  }

  return {
    draft,
    error,
    busy,
    change: (changes: Partial<KeyDraft>) => setDraft((before) => ({ ...before, ...changes })),
    submit: (event: FormEvent<HTMLFormElement>) => void submit(event),
  };
}
