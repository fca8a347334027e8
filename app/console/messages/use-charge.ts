'use client';

import useSWR from 'swr';
import type { MessageDetails } from '../../../lib/contract/requests';
import type { Mode } from '../../../lib/domain/video';
import { findLogged, readOnce } from '../components/request/find-logged';
import { ask } from '../console-api';
import { apiPaths } from '../api-paths';
import type { Step } from './conversation';

export interface Charge {
  /** The log entry of the message; null if it has none, because nothing was delivered; undefined while it is read. */
  readonly message: MessageDetails | null | undefined;
  readonly error: unknown;
}

/** Returns the price and tokens of an ended answer from the request log. */
export function useCharge({ requestId, state, failure }: Step, mode: Mode): Charge {
  // A request that was refused before it started has no log entry. A 402 may also occur in the middle, so it may have
  // one.
  const isRefused = failure?.status !== undefined && failure.status < 500 && failure.status !== 402;
  const wanted = state !== 'running' && requestId !== undefined && !isRefused;
  const { data, error } = useSWR<MessageDetails | null>(
    wanted ? ['charge', requestId, mode] : null,
    () => findCharge(requestId ?? '', mode),
    readOnce,
  );
  return { message: isRefused ? null : data, error };
}

async function findCharge(requestId: string, mode: Mode): Promise<MessageDetails | null> {
  const found = await findLogged(apiPaths.messageOfRequest(requestId, mode));
  return found && ask<MessageDetails>(apiPaths.message(found.id));
}
