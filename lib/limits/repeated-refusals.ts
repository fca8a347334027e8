import type { Clock } from '../domain/clock';
import type { GatewayError } from '../domain/errors';
import { createLru } from '../io/lru';

// A limit whose use only the database knows costs a query for each refusal. So that a client that ignores Retry-After
// does not keep the database busy, the error is repeated without a query once it was given often within a second.

/** How many errors of a name within a second are decided by a query. */
export const DECIDED_PER_SECOND = 10;
const SECOND_MS = 1_000;
/** The least recently refused names are forgotten first. */
const MAX_NAMES = 10_000;

export interface RepeatedRefusals {
  /** Throws the latest error of this name, for the rest of the second in which there were `DECIDED_PER_SECOND`. */
  check(name: string): void;
  add(name: string, error: GatewayError): void;
}

export function createRepeatedRefusals(clock: Pick<Clock, 'nowMs'>): RepeatedRefusals {
  const refusals = createLru<string, { readonly endsAtMs: number; count: number; error: GatewayError }>(MAX_NAMES);

  function current(name: string) {
    const refusal = refusals.get(name);
    return refusal && clock.nowMs() < refusal.endsAtMs ? refusal : undefined;
  }

  return {
    check(name) {
      const refusal = current(name);
      if (refusal && refusal.count >= DECIDED_PER_SECOND) throw refusal.error;
    },

    add(name, error) {
      const refusal = current(name) ?? { endsAtMs: clock.nowMs() + SECOND_MS, count: 0, error };
      refusals.set(name, refusal);
      refusal.count += 1;
      refusal.error = error;
    },
  };
}
