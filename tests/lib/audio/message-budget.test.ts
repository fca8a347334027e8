import { describe, expect, it } from 'vitest';
import { createMessageBudget } from '../../../lib/audio/message-budget';
import { createTestClock } from '../../support/clock';

const times = (count: number, run: () => void) => {
  for (let index = 0; index < count; index++) run();
};

function make() {
  const clock = createTestClock();
  return { clock, budget: createMessageBudget(clock) };
}

describe('text messages', () => {
  it('may come 200 at once, and not one more', () => {
    const { budget } = make();
    times(200, () => budget.countMessage());
    expect(() => budget.countMessage()).toThrow(
      expect.objectContaining({
        code: 'rate_limit_exceeded',
        message: expect.stringContaining('50 text messages per second'),
      }),
    );
  });

  it('may come fifty times a second for as long as the session lasts', async () => {
    const { clock, budget } = make();
    for (let second = 0; second < 600; second++) {
      times(50, () => budget.countMessage());
      await clock.advance(1_000);
    }
  });

  it('that did not come are not saved up beyond the burst', async () => {
    const { clock, budget } = make();
    await clock.advance(3_600_000);
    times(200, () => budget.countMessage());
    expect(() => budget.countMessage()).toThrow();
  });
});

describe('invalid messages', () => {
  it('are forgiven one every ten seconds, and twenty at once', async () => {
    const { clock, budget } = make();
    times(20, () => budget.countMistake());
    await clock.advance(10_000);
    budget.countMistake();
    expect(() => budget.countMistake()).toThrow(expect.objectContaining({ code: 'rate_limit_exceeded' }));
  });
});

describe('audio', () => {
  it('of 20 ms frames in real time is never delayed, even after three seconds that came at once', async () => {
    const { clock, budget } = make();
    const waits: number[] = [];
    times(150, () => waits.push(budget.countAudio(640)));
    for (let frame = 0; frame < 5_000; frame++) {
      waits.push(budget.countAudio(640));
      await clock.advance(20);
    }
    expect(Math.max(...waits)).toBe(0);
  });

  it('in tiny frames is read at a thousand of them per second', () => {
    const { budget } = make();
    times(2_000, () => expect(budget.countAudio(2)).toBe(0));
    times(499, () => budget.countAudio(2));
    expect(budget.countAudio(2)).toBe(500);
  });

  it('in large frames is read at four megabytes per second', () => {
    const { budget } = make();
    let sent = 0;
    for (; budget.countAudio(262_144) === 0; sent += 262_144);
    expect(sent).toBeLessThan(9e6);
    expect(budget.countAudio(4_096_000)).toBeGreaterThan(1_000);
  });

  it('is not delayed by a clock that was set back', () => {
    let now = 1_000_000;
    const budget = createMessageBudget({ ...createTestClock(), nowMs: () => now });
    times(1_000, () => budget.countAudio(640));
    now -= 60_000;
    expect(budget.countAudio(640)).toBe(0);
  });
});
