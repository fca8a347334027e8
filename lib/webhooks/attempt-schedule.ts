const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** Pauses before each attempt, counted from the one before; some 75 hours altogether. */
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

/** So that after an outage of a receiver its deliveries do not come back all at once. */
const JITTER = 0.1;

/**
 * The pause before the next attempt, in milliseconds, when `attemptsMade` have been made (0: before the first); undefined
 * when there is no further one. `random` gives numbers from 0 up to 1.
 */
export function nextAttemptDelayMs(attemptsMade: number, random: () => number): number | undefined {
  const pauseMs = pausesMs[attemptsMade];
  return pauseMs === undefined ? undefined : Math.round(pauseMs * (1 - JITTER + 2 * JITTER * random()));
}
