import type { RequestJson, RequestPageJson } from '../../../../lib/contract/requests';
import { ask } from '../../console-api';

/** Charges are written in batches, a moment after the end of a request. */
const PAUSES_MS = [150, 300, 600, 1_200, 2_400, 4_800];

/**
 * Polls a list of the request log until its first request has ended, and resolves to that request; null if that takes
 * too long. `path` is the list's API path.
 */
export async function findLogged(path: string): Promise<RequestJson | null> {
  for (const pauseMs of PAUSES_MS) {
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    const [found] = (await ask<RequestPageJson>(path)).data;
    if (found?.duration_ms !== undefined) return found;
  }
  return null;
}

/** SWR options for reading an ended request only once: its log entry no longer changes. */
export const readOnce = {
  revalidateOnFocus: false,
  revalidateOnReconnect: false,
  revalidateIfStale: false,
  shouldRetryOnError: false,
} as const;
