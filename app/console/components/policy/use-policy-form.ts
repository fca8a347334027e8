'use client';

import { useState, type FormEvent } from 'react';
import useSWR from 'swr';
import { ApiError } from '../../../../lib/client/errors';
import type { ModelPageJson } from '../../../../lib/contract/models';
import { apiPaths } from '../../api-paths';
import { amountErrorIn, type AmountDraft, type PolicyDraft } from './policy-draft';
import { CHECKED_LISTS, policyNamesOf, unknownNames } from './unknown-names';

export interface PolicyFormError {
  /** The name of a field, absent for an error of the whole form. */
  readonly field: string | undefined;
  readonly message: string;
}

/**
 * State and submission of a form with a policy. `fieldOf` maps a request parameter to its form field. After a failed
 * submission the field with the error gets the focus. Names that the catalog does not have are saved only if the user
 * submits them a second time, because one mistyped name could refuse the requests of everyone.
 */
export function usePolicyForm<Draft extends PolicyDraft & AmountDraft>(
  initial: Draft,
  fieldOf: (param: string | undefined) => string | undefined,
  save: (draft: Draft) => Promise<void>,
) {
  const [draft, setDraft] = useState(initial);
  const [error, setError] = useState<PolicyFormError>();
  const [busy, setBusy] = useState(false);
  const [accepted, setAccepted] = useState<string>();
  // Reads only what `PolicyFields` has loaded. If those fields were never shown, no name was entered.
  const { data } = useSWR<ModelPageJson>(apiPaths.catalog(), null);

  /** The first field with an added name that the catalog does not have, and the warnings about all such names. */
  function newUnknown() {
    const known = data && policyNamesOf(data.data);
    const found = CHECKED_LISTS.flatMap(({ list, field }) => {
      const added = draft[list].filter((value) => !initial[list].includes(value));
      const sentences = unknownNames(list, added, known);
      return sentences === undefined ? [] : [{ field, sentences }];
    });
    return found[0] && { field: found[0].field, text: found.map(({ sentences }) => sentences).join(' ') };
  }

  const unknown = newUnknown();
  const question =
    unknown && unknown.text === accepted && !busy
      ? { field: undefined, message: `Not saved yet. ${unknown.text} Correct it, or save again to keep it.` }
      : undefined;

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
    if (unknown && unknown.text !== accepted) {
      setAccepted(unknown.text);
      setError(undefined);
      form.querySelector<HTMLElement>(`[name="${unknown.field}"]`)?.focus();
      return;
    }
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
    error: error ?? question,
    busy,
    change: (changes: Partial<Draft>) => setDraft((before) => ({ ...before, ...changes })),
    submit: (event: FormEvent<HTMLFormElement>) => void submit(event),
  };
}
