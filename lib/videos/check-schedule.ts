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

type Paced = Pick<VideoProvider, 'pace'>;

/** Returns the milliseconds from start to first check. `random` returns numbers from 0 (inclusive) to 1 (exclusive). */
export function firstCheckMs({ pace = {} }: Paced, random: () => number): number {
  return pace.firstMs === undefined ? standardMs(0, pace, random) : later(pace.firstMs, random);
}

/**
 * Returns the milliseconds from check number `checks` to the next one. `nextInMs` is the delay that the provider
 * requested; neither it nor the provider's minimum delay is ever shortened.
 */
export function nextCheckMs(
  checks: number,
  nextInMs: number | undefined,
  { pace = {} }: Paced,
  random: () => number,
): number {
  if (nextInMs === undefined) return standardMs(checks, pace, random);
  return later(Math.max(nextInMs, pace.minMs ?? 0), random);
}

function standardMs(checks: number, { minMs = 0 }: NonNullable<VideoProvider['pace']>, random: () => number): number {
  let passed = 0;
  let every = 0;
  for (let check = 0; check <= checks; check += 1) {
    every = steps.find((step) => passed < step.untilSeconds)?.everySeconds ?? 0;
    passed += every;
  }
  return Math.max(withJitter(every * 1000, random), later(minMs, random));
}

const MIN_FAILURE_DELAY_MS = 2_000;
const MAX_FAILURE_DELAY_MS = 300_000;

/**
 * Returns the delay in milliseconds after `failures` failed checks in a row: the delay that the provider asked for, or
 * one that starts at ten seconds and doubles. At least two seconds, because a `Retry-After` may be 0, or a date of a
 * clock that is behind ours. At most five minutes: a provider that asks for hours may finish the video in minutes, and
 * a single check at the deadline may fail too.
 */
export function failureDelayMs(failures: number, random: () => number, askedMs?: number): number {
  if (askedMs !== undefined) return Math.min(Math.max(askedMs, MIN_FAILURE_DELAY_MS), MAX_FAILURE_DELAY_MS);
  return withJitter(Math.min(10_000 * 2 ** failures, MAX_FAILURE_DELAY_MS), random);
}

const later = (ms: number, random: () => number) => Math.round(ms * (1 + JITTER * random()));
const withJitter = (ms: number, random: () => number) => Math.round(ms * (1 - JITTER + 2 * JITTER * random()));
