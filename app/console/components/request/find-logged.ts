import type { RequestJson, RequestPageJson } from '../../../../lib/contract/requests';
import { ask } from '../../console-api';

/** Charges are written in batches, a moment after the end of a request. */
const PAUSES_MS = [150, 300, 600, 1_200, 2_400, 4_800];

/** The ended request that a list of the log begins with; null if it does not appear. `path` is of the list. */
export async function findLogged(path: string): Promise<RequestJson | null> {
  for (const pauseMs of PAUSES_MS) {
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    const [found] = (await ask<RequestPageJson>(path)).data;
    if (found?.duration_ms !== undefined) return found;
  }
  return null;
}

/** The log does not change what it says about an ended request, so it is read once. */
export const readOnce = {
  revalidateOnFocus: false,
  revalidateOnReconnect: false,
  revalidateIfStale: false,
  shouldRetryOnError: false,
} as const;
