'use client';

import useSWR from 'swr';
import type { MessageDetails } from '../../../lib/contract/requests';
import type { Mode } from '../../../lib/domain/video';
import { findLogged, readOnce } from '../components/request/find-logged';
import { ask } from '../console-api';
import { apiPaths } from '../api-paths';
import type { Step } from './conversation';

export interface Charge {
  /** The log entry of the message; null if it has none, because nothing of it was delivered. */
  readonly message: MessageDetails | null | undefined;
  readonly error: unknown;
}

/** The price and the tokens of an ended answer, as the log of requests has them. */
export function useCharge({ requestId, state, failure }: Step, mode: Mode): Charge {
  // A request that was refused before it started has no entry. Running out of credit may happen in the middle.
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
