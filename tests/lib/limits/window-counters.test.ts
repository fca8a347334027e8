import { describe, expect, it } from 'vitest';
import {
  createWindowCounters,
  type SharedWindows,
  type Taken,
  type WindowCount,
  type WindowCounters,
} from '../../../lib/limits/window-counters';
import { createTestClock, type TestClock } from '../../support/clock';

const SECOND = { name: 'a', max: 3, windowMs: 1_000 };

/** The store of several processes, with the same windows as Redis, and the number of its calls. */
class Store implements SharedWindows {
  calls = 0;
  state: 'works' | 'fails' | 'hangs' = 'works';
  beforeTakeBack: (() => Promise<void>) | undefined;
  readonly #clock: TestClock;
  readonly #windows = new Map<string, { count: number; readonly endsAtMs: number }>();

  constructor(clock: TestClock) {
    this.#clock = clock;
  }

  async add(name: string, points: number, windowMs: number): Promise<WindowCount> {
    this.calls += 1;
    if (this.state === 'hangs') return new Promise(() => {});
    if (this.state === 'fails') throw new Error('away');
    const nowMs = this.#clock.nowMs();
    const window = this.#current(name) ?? { count: 0, endsAtMs: nowMs + windowMs };
    window.count += points;
    this.#windows.set(name, window);
    return { count: window.count, endsInMs: window.endsAtMs - nowMs };
  }

  async takeBack(name: string, points: number, endsInMs: number): Promise<void> {
    if (this.beforeTakeBack) await this.beforeTakeBack();
    const window = this.#current(name);
    if (window && window.endsAtMs - this.#clock.nowMs() <= endsInMs) window.count -= points;
  }

  async read(name: string): Promise<WindowCount | undefined> {
    const window = this.#current(name);
    return window && { count: window.count, endsInMs: window.endsAtMs - this.#clock.nowMs() };
  }

  #current(name: string) {
    const window = this.#windows.get(name);
    return window && window.endsAtMs > this.#clock.nowMs() ? window : undefined;
  }
}

async function takeTimes(counters: WindowCounters, times: number, take: object = {}): Promise<Taken[]> {
  return Promise.all(Array.from({ length: times }, async () => counters.take({ ...SECOND, ...take })));
}
const allowedOf = (taken: readonly Taken[]) => taken.filter(({ allowed }) => allowed).length;

describe('window counters of one process', () => {
  it('allow as many as the limit in a window that begins with the first, and answer synchronously', async () => {
    const clock = createTestClock();
    const counters = createWindowCounters({ clock, processes: () => 1 });
    expect(counters.take(SECOND)).toEqual({ allowed: true, remaining: 2, endsInMs: 1_000 });
    await clock.advance(400);
    expect(allowedOf(await takeTimes(counters, 5))).toBe(2);
    expect(counters.take(SECOND)).toEqual({ allowed: false, remaining: 0, endsInMs: 600 });
    await clock.advance(600);
    expect(counters.take(SECOND)).toEqual({ allowed: true, remaining: 2, endsInMs: 1_000 });
  });

  it('count points, ask with 0 points without counting, and take back', async () => {
    const counters = createWindowCounters({ clock: createTestClock(), processes: () => 1 });
    expect(counters.take({ ...SECOND, points: 2 })).toMatchObject({ allowed: true, remaining: 1 });
    expect(counters.take({ ...SECOND, points: 2 })).toMatchObject({ allowed: false, remaining: 1 });
    expect(counters.take({ ...SECOND, points: 0 })).toMatchObject({ allowed: true, remaining: 1 });
    expect(counters.take(SECOND)).toMatchObject({ allowed: true, remaining: 0 });
    expect(counters.take({ ...SECOND, points: 0 })).toMatchObject({ allowed: false });
    counters.takeBack('a', 2);
    expect(await counters.read('a')).toEqual({ count: 1, endsInMs: 1_000 });
    expect(counters.take({ ...SECOND, points: 2 })).toMatchObject({ allowed: true });
    expect(await counters.read('another')).toBeUndefined();
  });

  it('allow each of several processes without a store its share', async () => {
    const clock = createTestClock();
    const processes = Array.from({ length: 4 }, () => createWindowCounters({ clock, processes: () => 4 }));
    const allowed = await Promise.all(
      processes.map(async (each) => allowedOf(await takeTimes(each, 50, { max: 100 }))),
    );
    expect(allowed).toEqual([25, 25, 25, 25]);
  });
});

describe('window counters with a shared store', () => {
  it('allow exactly the limit to all processes together', async () => {
    const clock = createTestClock();
    const store = new Store(clock);
    const processes = Array.from({ length: 3 }, () =>
      createWindowCounters({ clock, shared: store, processes: () => 3 }),
    );
    const allowed = await Promise.all(
      processes.map(async (each) => allowedOf(await takeTimes(each, 60, { max: 100 }))),
    );
    expect(allowed.reduce((sum, each) => sum + each)).toBe(100);
    await clock.advance(1_000);
    expect(allowedOf(await takeTimes(processes[0]!, 150, { max: 100 }))).toBe(100);
  });

  it('send what arrives during a call together in the next one, and refuse without a call when the window is full', async () => {
    const clock = createTestClock();
    const store = new Store(clock);
    const counters = createWindowCounters({ clock, shared: store, processes: () => 2 });
    expect(allowedOf(await takeTimes(counters, 1_000, { max: 100 }))).toBe(100);
    expect(store.calls).toBe(2);
    expect(counters.take({ ...SECOND, max: 100 })).toMatchObject({ allowed: false, endsInMs: 1_000 });
    expect(store.calls).toBe(2);
  });

  it('do not keep the points of a refused large count', async () => {
    const clock = createTestClock();
    const store = new Store(clock);
    const counters = createWindowCounters({ clock, shared: store, processes: () => 2 });
    expect(await counters.take({ ...SECOND, max: 10, points: 8 })).toMatchObject({ allowed: true });
    expect(await counters.take({ ...SECOND, max: 10, points: 8 })).toMatchObject({ allowed: false });
    expect(await counters.take({ ...SECOND, max: 10, points: 2 })).toMatchObject({ allowed: true });
  });

  it('do not take what a window has refused out of the next one', async () => {
    const clock = createTestClock();
    const store = new Store(clock);
    const [one, two] = [1, 2].map(() => createWindowCounters({ clock, shared: store, processes: () => 2 }));
    await one!.take({ ...SECOND, max: 10 });
    await clock.advance(999);
    // The window ends while the call that takes the refused points back is on its way.
    let arrive = () => {};
    store.beforeTakeBack = () => new Promise((resolve) => (arrive = resolve));
    expect(allowedOf(await takeTimes(one!, 500, { max: 10 }))).toBe(9);
    await clock.advance(1);
    expect(allowedOf(await takeTimes(two!, 8, { max: 10 }))).toBe(8);
    arrive();
    await clock.advance(1);
    expect(allowedOf(await takeTimes(two!, 500, { max: 10 }))).toBe(2);
  });

  it('do not let what a lower limit refuses use up a higher one of the same name', async () => {
    const clock = createTestClock();
    const store = new Store(clock);
    const counters = createWindowCounters({ clock, shared: store, processes: () => 2 });
    // Test mode may use 80 of the 100 that live mode may.
    expect(allowedOf(await takeTimes(counters, 10, { max: 100 }))).toBe(10);
    expect(allowedOf(await takeTimes(counters, 1_000, { max: 80 }))).toBe(70);
    expect(allowedOf(await takeTimes(counters, 15, { max: 100 }))).toBe(15);
    expect(await store.read(SECOND.name)).toMatchObject({ count: 95 });
  });

  it('ask again after a second whether a full window has room, because another process may have taken points back', async () => {
    const clock = createTestClock();
    const store = new Store(clock);
    const [one, two] = [1, 2].map(() => createWindowCounters({ clock, shared: store, processes: () => 2 }));
    const take = (counters: WindowCounters, points: number) =>
      counters.take({ name: 'a', max: 10, windowMs: 60_000, points });
    expect(await take(one!, 9)).toMatchObject({ allowed: true });
    expect(await take(two!, 2)).toMatchObject({ allowed: false });
    expect(await take(two!, 1)).toMatchObject({ allowed: true });
    one!.takeBack('a', 9);
    expect(await take(two!, 1)).toMatchObject({ allowed: false });
    await clock.advance(1_001);
    expect(await take(two!, 9)).toMatchObject({ allowed: true, remaining: 0 });
  });

  it.each(['fails', 'hangs'] as const)(
    'allow their share while the store %s, and everything again when it is back',
    async (state) => {
      const clock = createTestClock();
      const store = new Store(clock);
      const counters = createWindowCounters({ clock, shared: store, processes: () => 2 });
      store.state = state;
      const taking = takeTimes(counters, 10, { max: 10 });
      await clock.advance(100);
      expect(allowedOf(await taking)).toBe(5);
      // Not tried again for each request.
      const { calls } = store;
      expect(counters.take({ ...SECOND, max: 10 })).toMatchObject({ allowed: false });
      expect(store.calls).toBe(calls);
      store.state = 'works';
      await clock.advance(1_000);
      expect(allowedOf(await takeTimes(counters, 20, { max: 10 }))).toBe(10);
    },
  );

  it('count on from what this process has allowed when the store fails within a window', async () => {
    const clock = createTestClock();
    const store = new Store(clock);
    const counters = createWindowCounters({ clock, shared: store, processes: () => 2 });
    expect(allowedOf(await takeTimes(counters, 4, { max: 10 }))).toBe(4);
    store.state = 'fails';
    expect(allowedOf(await takeTimes(counters, 10, { max: 10 }))).toBe(1);
  });
});
