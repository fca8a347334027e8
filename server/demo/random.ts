/** Calls `make` `count` times and returns the results. */
export function times<T>(count: number, make: () => T): T[] {
  return Array.from({ length: count }, make);
}

/**
 * Creates a random generator with a fixed seed (a linear congruential generator), so that demo pages look the same on
 * every machine.
 */
export function createRandom(seed: number) {
  let state = seed;
  const next = () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return {
    /** At least 0, below 1. */
    next,
    /** A whole number of at least 0, below `limit`. */
    below,
    pick<T>(list: readonly T[]): T {
      const picked = list[below(list.length)];
      if (picked === undefined) throw new Error('Nothing can be picked from an empty list.');
      return picked;
    },
    shuffle(list: unknown[]): void {
      for (let index = list.length - 1; index > 0; index -= 1) {
        const other = below(index + 1);
        [list[index], list[other]] = [list[other], list[index]];
      }
    },
  };
}

export type DemoRandom = ReturnType<typeof createRandom>;
