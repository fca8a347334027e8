import { describe, expect, it } from 'vitest';
import { createBeginTurns, PER_SHARED_TURN, PER_TURN } from '../../../lib/limits/begin-turns';

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
