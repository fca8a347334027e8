import type { VideoProvider } from '../domain/video';

// When to ask a provider again. Videos take half a minute to three minutes, so the questions come closely at first and then
// thin out; the jitter keeps a thousand videos of one second from being asked about in one second.

const JITTER = 0.2;
/** Until this many seconds after the start, this many seconds between two checks. */
const steps = [
  { untilSeconds: 60, everySeconds: 5 },
  { untilSeconds: 300, everySeconds: 10 },
  { untilSeconds: Infinity, everySeconds: 25 },
];

/** Milliseconds from the start, or from check number `checks`, to the next check. `random` gives numbers from 0 up to 1. */
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

/** After `failures` checks in a row that could not be made: from ten seconds, doubling, up to five minutes. */
export function failureDelayMs(failures: number, random: () => number): number {
  return Math.round(Math.min(10_000 * 2 ** failures, 300_000) * (1 - JITTER + 2 * JITTER * random()));
}
