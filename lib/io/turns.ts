// Limits how many tasks with the same name run at once. Others wait here in order, without occupying shared resources
// such as database connections.

export interface Turns {
  /** Calls `begin` when it is its turn, with the milliseconds that it waited, and settles as `begin` does. */
  run<Result>(name: string, begin: (waitedMs: number) => Promise<Result>): Promise<Result>;
}

/** Creates turns that run at most `maxRunning` tasks of each name at once. */
export function createTurns(maxRunning: number, clock: { nowMs(): number }): Turns {
  const names = new Map<string, { running: number; readonly waiting: (() => void)[] }>();
  return {
    async run(name, begin) {
      let state = names.get(name);
      if (!state) names.set(name, (state = { running: 0, waiting: [] }));
      const { waiting } = state;
      const sinceMs = clock.nowMs();
      if (state.running < maxRunning) state.running += 1;
      // Finished work hands its slot to the next waiter, so that no later work can take it.
      else await new Promise<void>((resolve) => waiting.push(resolve));
      try {
        return await begin(clock.nowMs() - sinceMs);
      } finally {
        const next = waiting.shift();
        if (next) next();
        else {
          state.running -= 1;
          if (state.running === 0) names.delete(name);
        }
      }
    },
  };
}
