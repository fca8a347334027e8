import type { Cancel, Clock } from '../domain/clock';

// Batches work that costs less for many items together than for each alone: items that are added in the same turn of
// the event loop, or during a pause, are passed on together.

export interface Batches<Item, Result> {
  /** Resolves with the result of this item when its batch has ended; rejects if the batch fails. */
  add(item: Item): Promise<Result>;
  /** Passes on the waiting items now; later items do not wait for a pause either. */
  hurry(): void;
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

export interface BatchRules {
  readonly clock: Clock;
  /**
   * The minimum time between two batches; the first item after a longer pause waits only for the end of this turn of
   * the event loop.
   */
  readonly pauseMs: number;
  readonly maxItems: number;
  /** The maximum number of batches at the same time; further items wait until one has ended. Absent: any number. */
  readonly maxRunning?: number;
  /** If a batch fails, each of its items is tried alone, so that one bad item does not fail the others. */
  readonly isolates?: true;
}

/** Creates batches for `work`, which must return one result per item, in the order of the items. */
export function createBatches<Item, Result>(
  { clock, pauseMs, maxItems, maxRunning = Infinity, isolates }: BatchRules,
  work: (items: readonly Item[]) => Promise<readonly Result[]>,
): Batches<Item, Result> {
  let waiting: Waiting<Item, Result>[] = [];
  let isScheduled = false;
  let isHurried = false;
  let lastMs = -Infinity;
  let running = 0;
  let cancelPause: Cancel = () => {};

  function schedule(): void {
    if (isScheduled) return;
    isScheduled = true;
    // At most `pauseMs`: if the machine's clock was set back, the difference could be much longer.
    const waitMs = isHurried ? 0 : Math.min(lastMs + pauseMs - clock.nowMs(), pauseMs);
    if (waitMs > 0) cancelPause = clock.after(waitMs, handOver);
    else setImmediate(handOver);
  }

  function handOver(): void {
    cancelPause();
    cancelPause = () => {};
    isScheduled = false;
    if (running >= maxRunning) return;
    const batch = waiting.slice(0, maxItems);
    waiting = waiting.slice(maxItems);
    if (batch.length === 0) return;
    lastMs = clock.nowMs();
    running += 1;
    void settle(batch).finally(() => {
      running -= 1;
      if (waiting.length > 0) schedule();
    });
    if (waiting.length > 0) handOver();
  }

  async function settle(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await work(batch.map(({ item }) => item));
      // Safe: there is one result for each item.
      batch.forEach(({ resolve }, n) => resolve(results[n]!));
    } catch (error) {
      if (isolates && batch.length > 1) await Promise.all(batch.map((each) => settle([each])));
      else for (const { reject } of batch) reject(error);
    }
  }

  return {
    add: (item) =>
      new Promise((resolve, reject) => {
        waiting.push({ item, resolve, reject });
        schedule();
      }),
    hurry() {
      isHurried = true;
      if (isScheduled) handOver();
    },
  };
}
