import { expect, it } from 'vitest';
import { randomByte, randomHex } from '../../../lib/io/random-pool';

it('random hex has two digits a byte and never comes twice, across many fillings of the pool', () => {
  const seen = new Set(Array.from({ length: 5_000 }, () => randomHex(16)));
  expect(seen.size).toBe(5_000);
  expect([...seen].every((text) => /^[0-9a-f]{32}$/.test(text))).toBe(true);
});

it('random bytes take every value about equally often', () => {
  const counts = Array.from({ length: 256 }, () => 0);
  for (let draw = 0; draw < 256_000; draw += 1) counts[randomByte()]! += 1;
  // Of a thousand draws each; seven standard deviations.
  expect(Math.min(...counts)).toBeGreaterThan(780);
  expect(Math.max(...counts)).toBeLessThan(1_220);
});
