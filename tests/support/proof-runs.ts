import type { TestOptions } from 'vitest';

// How often the long loops of the suite run (random callers, random bodies, properties). `PROOF_RUNS` is the share of
// the full number: 0.1 unless it is set, so that `npm test` is quick; `.ci/run` sets 1, and a night may set 10.

declare module 'vitest' {
  interface TaskMeta {
    leftToGate?: true;
  }
}

/** `full` times the share, and at least `atLeast`. */
export function proofRuns(full: number, atLeast = 1): number {
  return Math.max(atLeast, Math.round(full * share()));
}

/** For a test of every point of a sequence: the distance of the points to test, 1 in a full run, and at most `most`. */
export function proofStep(most: number): number {
  return Math.max(1, Math.min(most, Math.round(1 / share())));
}

/** A full run, as in the gate. */
export const isFullRun = (): boolean => share() >= 1;

/** The size of a proof in `npm run test:long`, or in any other run. */
export const longOrShort = (long: number, short: number): number => (process.env.LONG_PROOFS === '1' ? long : short);

/** Options of a case that only a full run needs. `run.mjs` counts these cases, so that none is left out silently. */
export function leftToGate(isLeft: boolean): TestOptions {
  return isLeft ? { skip: true, meta: { leftToGate: true } } : {};
}

function share(): number {
  const read = Number(process.env.PROOF_RUNS ?? 0.1);
  if (!(read > 0)) throw new Error('PROOF_RUNS must be a number above 0: the share of the full number of runs.');
  return read;
}
