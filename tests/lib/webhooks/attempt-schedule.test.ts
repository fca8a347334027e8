import { describe, expect, it } from 'vitest';
import { nextAttemptDelayMs } from '../../../lib/webhooks/attempt-schedule';

const seconds = [0, 5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];

describe('nextAttemptDelayMs', () => {
  it('follows the published schedule', () => {
    expect(seconds.map((_pause, attemptsMade) => nextAttemptDelayMs(attemptsMade, () => 0.5))).toEqual(
      seconds.map((pause) => pause * 1_000),
    );
  });

  it('varies by a tenth in either direction', () => {
    expect(nextAttemptDelayMs(2, () => 0)).toBe(270_000);
    expect(nextAttemptDelayMs(2, () => 0.999_999)).toBe(330_000);
  });

  it('ends after the tenth attempt', () => {
    expect(nextAttemptDelayMs(10, () => 0.5)).toBeUndefined();
    expect(nextAttemptDelayMs(11, () => 0.5)).toBeUndefined();
  });
});
