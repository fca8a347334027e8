// How often the long loops of the suite run (random callers, random bodies, properties). `PROOF_RUNS` is the share of
// the full number: 0.1 unless it is set, so that `npm test` is quick; `.ci/run` sets 1, and a night may set 10.

/** `full` times the share, and at least `atLeast`. */
export function proofRuns(full: number, atLeast = 1): number {
  const share = Number(process.env.PROOF_RUNS ?? 0.1);
  if (!(share > 0)) throw new Error('PROOF_RUNS must be a number above 0: the share of the full number of runs.');
  return Math.max(atLeast, Math.round(full * share));
}
