import { describe, expect, it } from 'vitest';
import { createLoadMonitor, createBeginTurns, PER_SHARED_TURN, PER_TURN } from '../../../lib/limits/overload';
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

/** The turns of an event loop that the test ends. */
function openTurns() {
  const later: (() => void)[] = [];
  let nowMs = 0;
  const turns = createBeginTurns(
    (run) => later.push(run),
    () => nowMs,
  );
  const begun: string[] = [];
  const arrive = (organization: string, name = organization) => {
    const turn = turns.wait(organization);
    if (turn) void turn.then(() => begun.push(name));
    else begun.push(name);
  };
  return {
    isShared: turns.isShared,
    begun,
    arrive,
    scheduled: () => later.length,
    pass: (ms: number) => (nowMs += ms),
    async endTurn() {
      later.shift()?.();
      await Promise.resolve();
    },
  };
}

describe('requests that arrive together', () => {
  it('begin a few at a time and in their order', async () => {
    const { begun, arrive, endTurn } = openTurns();
    const names = Array.from({ length: 2 * PER_TURN + 2 }, (_, n) => `big ${n}`);
    for (const name of names) arrive('big', name);
    expect(begun).toEqual(names.slice(0, PER_TURN));
    await endTurn();
    expect(begun).toEqual(names.slice(0, 2 * PER_TURN));
    await endTurn();
    expect(begun).toEqual(names);
  });

  it('do not delay those of another organisation', async () => {
    const { begun, arrive, endTurn } = openTurns();
    for (let n = 1; n <= 1_000; n += 1) arrive('big');
    arrive('small', 'small 1');
    expect(begun).toContain('small 1');
    await endTurn();
    arrive('small', 'small 2');
    expect(begun).toContain('small 2');
    expect(begun.filter((name) => name === 'big')).toHaveLength(PER_TURN + PER_SHARED_TURN);
  });

  it('begin in shorter turns for a second after a request of another organisation', async () => {
    const { begun, arrive, endTurn, pass } = openTurns();
    arrive('small');
    for (let n = 0; n < 100; n += 1) arrive('big');
    const countOfTurn = async () => {
      const before = begun.length;
      await endTurn();
      return begun.length - before;
    };
    expect(begun).toHaveLength(1 + PER_SHARED_TURN);
    expect(await countOfTurn()).toBe(PER_SHARED_TURN);
    pass(999);
    expect(await countOfTurn()).toBe(PER_SHARED_TURN);
    pass(1);
    // Not at once: those that wait come first.
    arrive('big', 'late');
    expect(begun).not.toContain('late');
    expect(await countOfTurn()).toBe(PER_TURN);
  });

  it('are shared for a second after a request of another organisation', () => {
    const { arrive, isShared, pass } = openTurns();
    arrive('big');
    arrive('big');
    expect(isShared()).toBe(false);
    arrive('small');
    pass(999);
    expect(isShared()).toBe(true);
    pass(1);
    expect(isShared()).toBe(false);
  });

  it('are not overtaken by later ones of their organisation', async () => {
    const { begun, arrive, endTurn } = openTurns();
    for (let n = 0; n <= PER_TURN; n += 1) arrive('big', `big ${n}`);
    arrive('big', 'late');
    await endTurn();
    expect(begun.slice(-2)).toEqual([`big ${PER_TURN}`, 'late']);
  });

  it('schedule nothing when all have begun', async () => {
    const { arrive, endTurn, scheduled } = openTurns();
    arrive('big');
    expect(scheduled()).toBe(1);
    await endTurn();
    expect(scheduled()).toBe(0);
  });
});
