'use client';

import { useState } from 'react';

export interface Work {
  /** Under way: the button that began it turns. */
  readonly busy: boolean;
  /** Why the last one failed, in words for people. */
  readonly fault: string | undefined;
  /** Does it; resolves whether it worked or not. */
  run(work: () => Promise<unknown>): Promise<void>;
}

/**
 * What a button does, and what is shown of it. `failed` is said when it fails without words of its own. `after`: a dialog that
 * goes when it has worked stays busy until then, so that nobody presses twice.
 */
export function useWork(failed: string, after: 'ready' | 'gone' = 'ready'): Work {
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<string>();

  return {
    busy,
    fault,
    async run(work) {
      setBusy(true);
      setFault(undefined);
      try {
        await work();
        if (after === 'ready') setBusy(false);
      } catch (error) {
        setFault(error instanceof Error ? error.message : failed);
        setBusy(false);
      }
    },
  };
}
