const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** The pauses before each attempt, counted from the previous attempt; about 75 hours in total. */
const pausesMs = [
  0,
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
];

/** Jitter, so that after a receiver's outage its deliveries do not all arrive at once. */
const JITTER = 0.1;

/**
 * Returns the pause before the next attempt, in milliseconds, after `attemptsMade` attempts (0: before the first);
 * undefined if there is no further attempt. `random` returns numbers from 0 (inclusive) to 1 (exclusive).
 */
export function nextAttemptDelayMs(attemptsMade: number, random: () => number): number | undefined {
  const pauseMs = pausesMs[attemptsMade];
  return pauseMs === undefined ? undefined : Math.round(pauseMs * (1 - JITTER + 2 * JITTER * random()));
}
