import { describe, expect, it } from 'vitest';
import { createLoadMonitor } from '../../../lib/limits/load-monitor';
import { createTestClock } from '../../support/clock';

function open() {
  const clock = createTestClock();
  const reading = { loopDelayMs: 20, waitingQueries: 0 };
  const monitor = createLoadMonitor({ clock, read: () => reading });
  const refuses = () => (['test', 'live'] as const).filter((mode) => monitor.isOverloaded(mode));
  return {
    reading,
    /** What is refused after so many seconds, with a request in each of them. */
    async refusedAfter(seconds: number) {
      for (let second = 0; second < seconds; second += 1) {
        await clock.advance(1_000);
        refuses();
      }
      return refuses();
    },
  };
}

describe('the load monitor', () => {
  it('shows its latest reading, which is at most a second old', async () => {
    const clock = createTestClock();
    let loopDelayMs = 0;
    const monitor = createLoadMonitor({ clock, read: () => ({ loopDelayMs: (loopDelayMs += 1), waitingQueries: 0 }) });
    await clock.advance(1_000);
    expect(monitor.latest().loopDelayMs).toBe(1);
    await clock.advance(999);
    expect(monitor.latest().loopDelayMs).toBe(1);
    await clock.advance(1);
    expect(monitor.latest().loopDelayMs).toBe(2);
  });

  it.each([
    ['the event loop is slow', { loopDelayMs: 250 }],
    ['queries wait for the pool', { waitingQueries: 150 }],
  ])(
    'refuses test traffic after 3 s in which %s, live traffic after 5 s, and nothing afterwards',
    async (_name, bad) => {
      const { reading, refusedAfter } = open();
      expect(await refusedAfter(10)).toEqual([]);
      Object.assign(reading, bad);
      expect(await refusedAfter(2)).toEqual([]);
      expect(await refusedAfter(1)).toEqual(['test']);
      expect(await refusedAfter(2)).toEqual(['test', 'live']);
      Object.assign(reading, { loopDelayMs: 20, waitingQueries: 0 });
      expect(await refusedAfter(1)).toEqual([]);
    },
  );

  it('does not refuse for single peaks', async () => {
    const { reading, refusedAfter } = open();
    for (let round = 0; round < 10; round += 1) {
      reading.loopDelayMs = round % 2 === 0 ? 900 : 20;
      expect(await refusedAfter(1)).toEqual([]);
    }
  });
});
