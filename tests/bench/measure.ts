// Settings and statistics of all scenarios. Absolute figures depend on the machine, so the benchmark judges ratios and
// differences within one run. Rounds alternate between baseline and gateway, and the medians are compared. If the
// baseline itself varied too much between rounds, there is no verdict.

/** A short run, with gates at half the targets. */
export const isSmoke = process.argv.includes('--smoke');
export const WARM_UP_MS = isSmoke ? 3_000 : 10_000;
export const ROUND_MS = isSmoke ? 2_000 : 5_000;
export const ROUNDS = isSmoke ? 3 : 5;
/** Multiplied with a target that is a minimum, gives the gate of this run. */
export const minTargetFactor = isSmoke ? 0.5 : 1;
/** Multiplied with a target that is a maximum, gives the gate of this run. */
export const maxTargetFactor = 1 / minTargetFactor;
/** Largest accepted ratio between the baseline's best and worst round. */
const MAX_BASELINE_VARIATION = 1.5;

export const print = (line: string) => void process.stdout.write(`${line}\n`);
export const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** `share` is a number from 0 to 1; 0.99 gives the 99th percentile. */
export const percentile = (values: readonly number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? Number.NaN;
export const median = (values: readonly number[]) => percentile(values, 0.5);
/** `minimum..maximum`. */
export const formatRange = (values: readonly number[], digits = 0) =>
  `${Math.min(...values).toFixed(digits)}..${Math.max(...values).toFixed(digits)}`;

/** The order in which a round runs a pair. It swaps each round, so that a slow moment of the machine affects both. */
export const orderInRound = (round: number) => (round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const));

/** Runs both of a pair in every round, in alternating order. Resolves to the results of each, one per round. */
export async function alternate<T, Result>(
  pair: readonly [T, T],
  rounds: number,
  run: (server: T) => Promise<Result>,
): Promise<[Result[], Result[]]> {
  const results: [Result[], Result[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    for (const index of orderInRound(round)) results[index].push(await run(pair[index]));
  }
  return results;
}

export interface Verdict {
  readonly passed: boolean;
  /** `good`, the description of the failure, or the reason why there is no verdict. */
  readonly label: string;
}

/** `baseline` has one figure per round. If it varied too much, there is no verdict and the scenario passes. */
export function judge(isWithinTarget: boolean, failure: string, baseline: readonly number[] = []): Verdict {
  const isSteady = baseline.length === 0 || Math.max(...baseline) / Math.min(...baseline) <= MAX_BASELINE_VARIATION;
  if (!isSteady) return { passed: true, label: 'no verdict: the baseline varied too much' };
  return { passed: isWithinTarget, label: isWithinTarget ? 'good' : failure };
}
