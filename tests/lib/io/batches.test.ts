import { describe, expect, it } from 'vitest';
import { createBatches } from '../../../lib/io/batches';
import { createTestClock } from '../../support/clock';

function make(pauseMs = 10, maxItems = 100) {
  const clock = createTestClock();
  const batches: (readonly number[])[] = [];
  let failure: Error | undefined;
  const { add, hurry } = createBatches<number, string>({ clock, pauseMs, maxItems }, async (items) => {
    batches.push(items);
    if (failure) throw failure;
    return items.map((item) => `result of ${item}`);
  });
  return { clock, batches, add, hurry, fail: (error: Error | undefined) => void (failure = error) };
}
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('createBatches', () => {
  it('hands over the items of one turn of the event loop together, and gives each its own result', async () => {
    const { batches, add } = make();
    expect(await Promise.all([add(1), add(2), add(3)])).toEqual(['result of 1', 'result of 2', 'result of 3']);
    expect(batches).toEqual([[1, 2, 3]]);
  });

  it('hands over the items that come within the pause after a batch together', async () => {
    const { clock, batches, add } = make();
    await add(1);
    const later = [add(2)];
    await clock.advance(5);
    later.push(add(3));
    await turn();
    expect(batches).toEqual([[1]]);
    await clock.advance(5);
    await Promise.all(later);
    expect(batches).toEqual([[1], [2, 3]]);
  });

  it('lets no item wait after a pause without items', async () => {
    const { clock, batches, add } = make();
    await add(1);
    await clock.advance(10);
    await add(2);
    expect(batches).toEqual([[1], [2]]);
  });

  it('makes no batch larger than the limit', async () => {
    const { batches, add } = make(10, 2);
    await Promise.all([1, 2, 3, 4, 5].map(add));
    expect(batches).toEqual([[1, 2], [3, 4], [5]]);
  });

  it('rejects every item of a batch that fails, and none of the next', async () => {
    const { add, fail } = make(0);
    fail(new Error('no'));
    expect(await Promise.allSettled([add(1), add(2)])).toMatchObject([{ status: 'rejected' }, { status: 'rejected' }]);
    fail(undefined);
    expect(await add(3)).toBe('result of 3');
  });

  it('hands over what waits when it is hurried, and lets nothing wait from then on', async () => {
    const { batches, add, hurry } = make();
    await add(1);
    const waiting = add(2);
    hurry();
    await waiting;
    await add(3);
    expect(batches).toEqual([[1], [2], [3]]);
  });

  it('with a number of batches at the same time lets later items wait for the end of one, and then go together', async () => {
    const ends: (() => void)[] = [];
    const batches: (readonly number[])[] = [];
    const { add } = createBatches<number, number>(
      { clock: createTestClock(), pauseMs: 0, maxItems: 100, maxRunning: 1 },
      async (items) => {
        batches.push(items);
        await new Promise<void>((resolve) => ends.push(resolve));
        return items;
      },
    );
    const first = add(1);
    await turn();
    const later = [add(2), add(3)];
    await turn();
    expect(batches).toEqual([[1]]);
    ends.pop()?.();
    await first;
    // The end of the batch, and then the turn in which the next one is handed over.
    await turn();
    await turn();
    expect(batches).toEqual([[1], [2, 3]]);
    ends.pop()?.();
    expect(await Promise.all(later)).toEqual([2, 3]);
  });

  it('that isolates tries each item of a failed batch alone, so that only the bad one fails', async () => {
    const batches: (readonly number[])[] = [];
    const { add } = createBatches<number, number>(
      { clock: createTestClock(), pauseMs: 0, maxItems: 100, isolates: true },
      async (items) => {
        batches.push(items);
        if (items.includes(2)) throw new Error('bad');
        return items;
      },
    );
    const endings = await Promise.allSettled([add(1), add(2), add(3)]);
    expect(endings.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(batches).toEqual([[1, 2, 3], [1], [2], [3]]);
  });
});
