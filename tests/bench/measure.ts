// What every scenario measures by. Figures of one machine say nothing about another, so what is judged is a ratio or a
// difference within one run; rounds alternate between yardstick and gateway, medians are compared, and nothing is judged when
// the yardstick itself moved.

/** A short run, with gates at half the targets. */
export const smoke = process.argv.includes('--smoke');
export const WARM_UP_MS = smoke ? 3_000 : 10_000;
export const ROUND_MS = smoke ? 2_000 : 5_000;
export const ROUNDS = smoke ? 3 : 5;
/** What a share of the yardstick is multiplied with to become the gate of this run. */
export const gateShare = smoke ? 0.5 : 1;
/** The same for what must stay below a bound. */
export const slack = 1 / gateShare;
/** By how much the yardstick may differ between rounds. */
const STEADY = 1.5;

export const say = (text: string) => void process.stdout.write(`${text}\n`);
export const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

export const percentile = (values: readonly number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? Number.NaN;
export const median = (values: readonly number[]) => percentile(values, 0.5);
export const range = (values: readonly number[]) =>
  `${Math.min(...values).toFixed(0)}..${Math.max(...values).toFixed(0)}`;

/** Runs for both in turns, with the other one first each time, so that a slow moment of the machine does not hit only one. */
export async function inTurns<T, Figure>(
  pair: readonly [T, T],
  rounds: number,
  run: (target: T) => Promise<Figure>,
): Promise<[Figure[], Figure[]]> {
  const figures: [Figure[], Figure[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    for (const which of round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const))
      figures[which].push(await run(pair[which]));
  }
  return figures;
}

export interface Verdict {
  readonly passed: boolean;
  /** `good`, the error, or why there is none. */
  readonly word: string;
}

/** `yardstick` is its figure of each round. Without a steady one nothing is judged, and nothing fails. */
export function judge(isGood: boolean, error: string, yardstick: readonly number[] = []): Verdict {
  const isSteady = yardstick.length === 0 || Math.max(...yardstick) / Math.min(...yardstick) <= STEADY;
  if (!isSteady) return { passed: true, word: 'no verdict: the yardstick moved' };
  return { passed: isGood, word: isGood ? 'good' : error };
}
