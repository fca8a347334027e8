import { describe, expect, it } from 'vitest';
import { checkDelayMs, failureDelayMs } from '../../../lib/videos/check-schedule';

const middle = () => 0.5;

describe('the time to the next check', () => {
  it('is five seconds in the first minute, ten until the fifth, then twenty-five', () => {
    let passed = 0;
    const seen = new Map<number, number>();
    for (let checks = 0; passed < 900_000; checks += 1) {
      const delay = checkDelayMs(checks, {}, middle);
      if (!seen.has(delay)) seen.set(delay, passed);
      passed += delay;
    }
    expect([...seen]).toEqual([
      [5_000, 0],
      [10_000, 60_000],
      [25_000, 300_000],
    ]);
  });

  it('varies by a fifth, so that videos of one second are not checked in one second', () => {
    expect([checkDelayMs(0, {}, () => 0), checkDelayMs(0, {}, () => 1)]).toEqual([4_000, 6_000]);
  });

  it('is the interval of a provider that has its own', () => {
    expect([0, 1, 500].map((checks) => checkDelayMs(checks, { checkEveryMs: 200 }, Math.random))).toEqual([
      200, 200, 200,
    ]);
  });

  it('after errors doubles from ten seconds to five minutes', () => {
    expect([0, 1, 2, 3, 4, 5, 50].map((errors) => failureDelayMs(errors, middle))).toEqual([
      10_000, 20_000, 40_000, 80_000, 160_000, 300_000, 300_000,
    ]);
    expect([failureDelayMs(50, () => 0), failureDelayMs(50, () => 1)]).toEqual([240_000, 360_000]);
  });
});
