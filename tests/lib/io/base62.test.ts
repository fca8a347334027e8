import { expect, it } from 'vitest';
import { BASE62, randomBase62 } from '../../../lib/io/base62';

it('has the given length and is never repeated', () => {
  const seen = new Set(Array.from({ length: 10_000 }, () => randomBase62(24)));
  expect(seen.size).toBe(10_000);
  expect([...seen].every((text) => /^[0-9A-Za-z]{24}$/.test(text))).toBe(true);
});

it('uses each of the 62 characters about equally often', () => {
  const counts = new Map<string, number>();
  for (const character of randomBase62(62_000)) counts.set(character, (counts.get(character) ?? 0) + 1);
  expect([...counts.keys()].toSorted()).toEqual([...BASE62].toSorted());
  // Of a thousand draws each; seven standard deviations.
  expect(Math.min(...counts.values())).toBeGreaterThan(780);
  expect(Math.max(...counts.values())).toBeLessThan(1_220);
});
