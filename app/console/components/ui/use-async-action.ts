'use client';

import { useState } from 'react';

export interface AsyncAction {
  /** True while the action runs; its button shows a spinner. */
  readonly busy: boolean;
  /** Why the last run failed, as a sentence for the user. */
  readonly error: string | undefined;
  /** Runs `action`. Resolves after success and after failure. */
  run(action: () => Promise<unknown>): Promise<void>;
  /** Removes the error, when the user begins another attempt. */
  clear(): void;
}

/**
 * State of an action that a button starts. `fallbackError` is shown if the action throws something that is not an
 * Error. `afterSuccess: 'stay-busy'` is for dialogs that close on success: the button stays disabled until then, so
 * that it cannot be pressed twice.
 */
export function useAsyncAction(fallbackError: string, afterSuccess: 'reset' | 'stay-busy' = 'reset'): AsyncAction {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();

  return {
    busy,
    error,
    clear: () => setError(undefined),
    async run(action) {
      setBusy(true);
      setError(undefined);
      try {
        await action();
        if (afterSuccess === 'reset') setBusy(false);
      } catch (thrown) {
        setError(thrown instanceof Error ? thrown.message : fallbackError);
        setBusy(false);
      }
    },
  };
}
