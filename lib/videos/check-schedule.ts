import type { VideoProvider } from '../domain/video';

// The polling schedule for providers. Most videos take between half a minute and three minutes, so checks are frequent
// at first and then become rarer. The jitter spreads the checks of many videos that started in the same second.

const JITTER = 0.2;
/** Seconds between two checks, until the given number of seconds after the start. */
const steps = [
  { untilSeconds: 60, everySeconds: 5 },
  { untilSeconds: 300, everySeconds: 10 },
  { untilSeconds: Infinity, everySeconds: 25 },
];

/**
 * Milliseconds from the start, or from check number `checks`, to the next check. `random` returns numbers from 0
 * (inclusive) to 1 (exclusive).
 */
export function checkDelayMs(
  checks: number,
  provider: Pick<VideoProvider, 'checkEveryMs'>,
  random: () => number,
): number {
  if (provider.checkEveryMs !== undefined) return provider.checkEveryMs;
  let passed = 0;
  let every = 0;
  for (let check = 0; check <= checks; check += 1) {
    every = steps.find((step) => passed < step.untilSeconds)?.everySeconds ?? 0;
    passed += every;
  }
  return Math.round(every * 1000 * (1 - JITTER + 2 * JITTER * random()));
}

/** The delay after `failures` failed checks in a row: it starts at ten seconds and doubles up to five minutes. */
export function failureDelayMs(failures: number, random: () => number): number {
  return Math.round(Math.min(10_000 * 2 ** failures, 300_000) * (1 - JITTER + 2 * JITTER * random()));
}
