import { expect, it } from 'vitest';
import { createLru } from '../../../lib/io/lru';

it('forgets what was used the longest time ago', () => {
  const cache = createLru<string, number>(3);
  for (const [at, key] of ['a', 'b', 'c'].entries()) cache.set(key, at);
  cache.get('a');
  cache.set('d', 3);
  cache.set('d', 4);
  expect([...cache.entries()]).toEqual([
    ['d', 4],
    ['a', 0],
    ['c', 2],
  ]);
});

it('never has more entries than its maximum, and uses the place of those that were deleted', () => {
  const cache = createLru<number, number>(100);
  for (let key = 0; key < 10_000; key += 1) {
    cache.set(key, key);
    if (key % 3 === 0) cache.delete(key - 1);
    expect(cache.size).toBeLessThanOrEqual(100);
  }
  for (let key = 0; key < 100; key += 1) cache.set(key, key);
  expect([...cache.keys()]).toEqual(Array.from({ length: 100 }, (_, at) => 99 - at));
});

it('takes memory only for the entries that it has', () => {
  const used = () => process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers;
  const before = used();
  const caches = Array.from({ length: 200 }, () => createLru<number, number>(50_000));
  // With all places from the start they would take more than 200 MB.
  expect(used() - before).toBeLessThan(20e6);
  expect(caches).toHaveLength(200);
});
