import { isAhead, type Clock } from '../domain/clock';
import type { GatewayError } from '../domain/errors';
import { createLru } from '../io/lru';

// Keeps the submissions of one organisation from occupying the database.

// Limits how many tasks with the same name run at once. Others wait here in order, without occupying shared resources
// such as database connections.

export interface Turns {
  /**
   * Calls `begin` when it is its turn, with the milliseconds that it waited, and settles as `begin` does. If others wait
   * for the slot, there is a pause before the next one begins, as long as `pauseMs` says for a task that took `tookMs`.
   */
  run<Result>(
    name: string,
    begin: (waitedMs: number) => Promise<Result>,
    pauseMs?: (tookMs: number) => number,
  ): Promise<Result>;
}

/** Creates turns that run at most `maxRunning` tasks of each name at once. */
export function createTurns(maxRunning: number, clock: Pick<Clock, 'nowMs' | 'sleep'>): Turns {
  const names = new Map<string, { running: number; readonly waiting: (() => void)[] }>();
  return {
    async run(name, begin, pauseMs = () => 0) {
      const slots = names.get(name) ?? { running: 0, waiting: [] };
      names.set(name, slots);
      const { waiting } = slots;
      const sinceMs = clock.nowMs();
      if (slots.running < maxRunning) slots.running += 1;
      // Finished work hands its slot to the next waiter, so that no later work can take it.
      else await new Promise<void>((resolve) => waiting.push(resolve));
      const begunMs = clock.nowMs();
      try {
        return await begin(begunMs - sinceMs);
      } finally {
        const pause = waiting.length > 0 ? pauseMs(clock.nowMs() - begunMs) : 0;
        if (pause > 0) void clock.sleep(pause).then(passOn);
        else passOn();
      }

      function passOn(): void {
        const next = waiting.shift();
        if (next) next();
        else {
          slots.running -= 1;
          if (slots.running === 0) names.delete(name);
        }
      }
    },
  };
}

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
    return refusal && isAhead(refusal.endsAtMs, SECOND_MS, clock.nowMs()) ? refusal : undefined;
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
