'use client';

import { useState, type FormEvent } from 'react';
import { ApiError } from '../../../../lib/client/errors';
import { amountErrorIn, type AmountDraft } from './policy-draft';

export interface PolicyFormError {
  /** The name of a field, absent for an error of the whole form. */
  readonly field: string | undefined;
  readonly message: string;
}

/**
 * State and submission of a form with a policy. `fieldOf` is the field of a request parameter. After a failed submission
 * the field with the error gets the focus.
 */
export function usePolicyForm<Draft extends AmountDraft>(
  initial: Draft,
  fieldOf: (param: string | undefined) => string | undefined,
  save: (draft: Draft) => Promise<void>,
) {
  const [draft, setDraft] = useState(initial);
  const [error, setError] = useState<PolicyFormError>();
  const [busy, setBusy] = useState(false);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    const refuse = ({ field, message }: PolicyFormError) => {
      setError({ field, message });
      // In the next frame, after the fields below "More options" are rendered.
      if (field !== undefined)
        requestAnimationFrame(() => form.querySelector<HTMLElement>(`[name="${field}"]`)?.focus());
    };
    const amountError = amountErrorIn(draft);
    if (amountError) return refuse(amountError);
    setBusy(true);
    setError(undefined);
    try {
      await save(draft);
    } catch (error) {
      const field = fieldOf(error instanceof ApiError ? error.param : undefined);
      refuse({ field, message: error instanceof Error ? error.message : 'Something went wrong. Try again.' });
    }
    setBusy(false);
  }

  return {
    draft,
    error,
    busy,
    change: (changes: Partial<Draft>) => setDraft((before) => ({ ...before, ...changes })),
    submit: (event: FormEvent<HTMLFormElement>) => void submit(event),
  };
}
