import { describe, expect, it } from 'vitest';
import { createLevels, type SharedLevels } from '../../../lib/limits/levels';
import { createTestClock } from '../../support/clock';
import { recordLog } from '../../support/log';

/** A store with the levels of one other process, which stay the same. */
class Store implements SharedLevels {
  isAway = false;
  readonly mine = new Map<string, number>();
  readonly #others: number;

  constructor(others: number) {
    this.#others = others;
  }

  async take(name: string, max: number): Promise<boolean> {
    this.#reach();
    const level = this.mine.get(name) ?? 0;
    if (level + this.#others >= max) return false;
    this.mine.set(name, level + 1);
    return true;
  }

  release(name: string): void {
    if (!this.isAway) this.mine.set(name, (this.mine.get(name) ?? 0) - 1);
  }

  async read(name: string): Promise<number> {
    this.#reach();
    return (this.mine.get(name) ?? 0) + this.#others;
  }

  async report(levels: readonly (readonly [string, number])[]): Promise<number> {
    this.#reach();
    for (const [name, level] of levels) this.mine.set(name, level);
    return 2;
  }

  #reach(): void {
    if (this.isAway) throw new Error('away');
  }
}

function open(shared?: SharedLevels, configuredProcesses = 1) {
  const clock = createTestClock();
  return { clock, levels: createLevels({ clock, log: recordLog(), shared, configuredProcesses }) };
}

describe('levels', () => {
  it('allow up to the limit, and again after a release', () => {
    const { levels } = open();
    expect([levels.take('a', 2), levels.take('a', 2), levels.take('a', 2), levels.take('b', 2)]).toEqual([
      true,
      true,
      false,
      true,
    ]);
    levels.release('a');
    expect([levels.take('a', 2), levels.take('a', 2)]).toEqual([true, false]);
  });

  it('allow each of several processes without a store its share', () => {
    const { levels } = open(undefined, 4);
    expect(Array.from({ length: 4 }, () => levels.take('a', 10))).toEqual([true, true, true, false]);
  });

  it('count what other processes use', async () => {
    const { levels } = open(new Store(3));
    expect(await Promise.all([levels.take('a', 5), levels.take('a', 5), levels.take('a', 5)])).toEqual([
      true,
      true,
      false,
    ]);
    expect(await levels.read('a')).toBe(5);
    levels.release('a');
    expect(await levels.take('a', 5)).toBe(true);
  });

  it('allow the share of the processes that reported last while the store is away, and report what is open when it is back', async () => {
    const store = new Store(0);
    const { clock, levels } = open(store);
    levels.start();
    await new Promise((resolve) => setImmediate(resolve));
    expect(levels.processes()).toBe(2);
    expect(await levels.take('a', 4)).toBe(true);
    store.isAway = true;
    const taken = await Promise.all([levels.take('a', 4), levels.take('a', 4)]);
    expect(taken.toSorted()).toEqual([false, true]);
    await clock.advance(5_000);
    expect(levels.processes()).toBe(2);
    // As after a restart without its data.
    store.mine.clear();
    store.isAway = false;
    await clock.advance(5_000);
    expect(store.mine.get('a')).toBe(2);
    levels.release('a');
    levels.release('a');
    expect(store.mine.get('a')).toBe(0);
    await levels.stop();
  });

  it('correct a store that received only the release', async () => {
    const store = new Store(0);
    const { clock, levels } = open(store);
    levels.start();
    store.isAway = true;
    await levels.take('a', 4);
    // The process decides alone for a moment.
    expect(levels.take('b', 4)).toBe(true);
    store.isAway = false;
    levels.release('b');
    expect(store.mine.get('b')).toBe(-1);
    await clock.advance(5_000);
    expect(store.mine.get('b')).toBe(0);
    await levels.stop();
  });

  it('correct a store that missed a release', async () => {
    const store = new Store(0);
    const { clock, levels } = open(store);
    levels.start();
    await levels.take('a', 4);
    await clock.advance(5_000);
    store.isAway = true;
    levels.release('a');
    store.isAway = false;
    expect(store.mine.get('a')).toBe(1);
    await clock.advance(5_000);
    expect(store.mine.get('a')).toBe(0);
    await levels.stop();
  });
});
