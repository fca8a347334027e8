'use client';

import useSWR from 'swr';
import type { CreditsJson } from '../../../../lib/contract/credits';
import type { Mode } from '../../../../lib/domain/video';
import { ask, send } from '../../console-api';
import { apiPaths } from '../../api-paths';

/**
 * The credits of the organisation in one mode, refreshed every `refreshMs` milliseconds if that is not 0. `refill`
 * refills the test credits, and rejects with the error message of the API.
 */
export function useCredits(mode: Mode, first: CreditsJson, refreshMs = 0) {
  const { data, error, mutate } = useSWR(apiPaths.credits(mode), (path) => ask<CreditsJson>(path), {
    fallbackData: first,
    refreshInterval: refreshMs,
  });
  return {
    data,
    // Safe: `ask` rejects with errors only.
    error: error as Error | undefined,
    mutate,
    async refill(): Promise<void> {
      await mutate(await send<CreditsJson>('POST', apiPaths.refillCredits()), { revalidate: false });
    },
  };
}
