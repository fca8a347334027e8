'use client';

import { useState, type FormEvent } from 'react';
import { ConsoleError } from '../console-api';
import { fieldOf, type KeyDraft } from './key-draft';
import type { KeyFault } from './key-fields';

/** The state of a form about a key: what it holds, what is wrong with it, and how it is sent. The first field at fault gets the focus. */
export function useKeyForm(initial: KeyDraft, save: (draft: KeyDraft) => Promise<void>) {
  const [draft, setDraft] = useState(initial);
  const [fault, setFault] = useState<KeyFault>();
  const [busy, setBusy] = useState(false);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    setBusy(true);
    setFault(undefined);
    try {
      await save(draft);
    } catch (error) {
      const field = fieldOf(error instanceof ConsoleError ? error.param : undefined);
      setFault({ field, says: error instanceof Error ? error.message : 'Something went wrong. Try again.' });
      // After the fields below "More options" are there to be focused.
      if (field !== undefined)
        requestAnimationFrame(() => form.querySelector<HTMLElement>(`[name="${field}"]`)?.focus());
    }
    setBusy(false);
  }

  return {
    draft,
    fault,
    busy,
    change: (changes: Partial<KeyDraft>) => setDraft((before) => ({ ...before, ...changes })),
    submit: (event: FormEvent<HTMLFormElement>) => void submit(event),
  };
}
