import { describe, expect, it } from 'vitest';
import { failureDelayMs, firstCheckMs, nextCheckMs } from '../../../lib/videos/check-schedule';

const middle = () => 0.5;

describe('the time to the next check', () => {
  it('is five seconds in the first minute, ten until the fifth, then twenty-five', () => {
    let passed = 0;
    const seen = new Map<number, number>();
    for (let checks = 0; passed < 900_000; checks += 1) {
      const delay = nextCheckMs(checks, undefined, {}, middle);
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
    expect([firstCheckMs({}, () => 0), firstCheckMs({}, () => 1)]).toEqual([4_000, 6_000]);
  });

  it('is what the provider asks for or up to a fifth more, but never less than its minimum', () => {
    const pace = { firstMs: 200, minMs: 10_000 };
    expect([firstCheckMs({ pace }, () => 0), firstCheckMs({ pace }, () => 1)]).toEqual([200, 240]);
    expect([nextCheckMs(1, 500, {}, () => 0), nextCheckMs(1, 500, {}, () => 1)]).toEqual([500, 600]);
    expect([nextCheckMs(1, 500, { pace }, () => 0), nextCheckMs(1, 500, { pace }, () => 1)]).toEqual([10_000, 12_000]);
    const standard = (random: () => number) =>
      [1, 30, 500].map((checks) => nextCheckMs(checks, undefined, { pace }, random));
    expect([standard(() => 0), standard(() => 1)]).toEqual([
      [10_000, 10_000, 20_000],
      [12_000, 12_000, 30_000],
    ]);
  });

  it('after errors doubles from ten seconds to five minutes', () => {
    expect([0, 1, 2, 3, 4, 5, 50].map((errors) => failureDelayMs(errors, middle))).toEqual([
      10_000, 20_000, 40_000, 80_000, 160_000, 300_000, 300_000,
    ]);
    expect([failureDelayMs(50, () => 0), failureDelayMs(50, () => 1)]).toEqual([240_000, 360_000]);
    // What the provider asks for.
    expect([0, 7_000, 600_000].map((askedMs) => failureDelayMs(3, middle, askedMs))).toEqual([2_000, 7_000, 300_000]);
  });
});
